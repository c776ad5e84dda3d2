"""A figure as an anywidget: its fields can be read, set and observed from Python."""

import json
from functools import lru_cache
from typing import Any

from . import bundle
from .arrays import whole, whole_list
from .errors import HeadLightError
from .figures import Figure
from .limits import Limits

NAMES = ("view", "layer", "heads", "token", "side", "theme")


@lru_cache(maxsize=None)
def _widget_class() -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise HeadLightError("a widget needs anywidget: pip install anywidget") from None

    key = json.dumps(bundle.key())
    script = (
        f"{bundle.loader()}\nexport default {{async render(widget) {{\n"
        f"headLight.give({key}, widget.model.get('_code'));\n"
        f"return (await headLight.one({key}).module).render(widget);}}}};\n"
    )

    class Whole(traitlets.Int):  # type: ignore[misc]
        """Of any type: NumPy's, too."""

        def validate(self, obj: Any, value: Any) -> Any:
            return super().validate(obj, whole(value, self.name))

    class Heads(traitlets.List):  # type: ignore[misc]
        def validate(self, obj: Any, value: Any) -> Any:
            return super().validate(obj, whole_list(value, self.name))

    class Widget(anywidget.AnyWidget):  # type: ignore[misc]
        """``view``, ``layer``, ``heads`` ([]: all), ``token`` (the one that is pinned, -1: none), its ``side``
        ('query', 'key') and ``theme`` can be read, set and, by ``observe``, followed. What the figure does not
        have is refused."""

        _esm = script
        _code = traitlets.Bytes(bundle.static("bundle.gz")).tag(sync=True)
        _data = traitlets.Bytes(b"").tag(sync=True)
        _spec = traitlets.Unicode("{}").tag(sync=True)
        view = traitlets.Unicode("head").tag(sync=True)
        layer = Whole(0).tag(sync=True)
        heads = Heads(traitlets.Int(), []).tag(sync=True)
        token = Whole(-1).tag(sync=True)
        side = traitlets.Unicode("query").tag(sync=True)
        theme = traitlets.Unicode("auto").tag(sync=True)

        def __init__(self, limits: Limits, **values: Any) -> None:
            self._limits = limits
            super().__init__(**values)

        @traitlets.validate(*NAMES)
        def _check(self, proposal: Any) -> Any:
            return self._limits.check(proposal.trait.name, proposal.value)

    return Widget


def widget(figure: Figure) -> Any:
    """The widget of a figure."""
    made = _widget_class()
    state = {name: value for name, value in figure.spec["state"].items() if name in NAMES}
    return made(figure.limits, _data=figure.content, _spec=json.dumps(figure.spec), **state)

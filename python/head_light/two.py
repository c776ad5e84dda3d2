"""Models of two stacks (T5, mT5, BART, Marian), by the same C as the page and the command line.

    found = stacks("folder", "I went to the store.", "Ich ging zum Laden.")
    found["cross"][3, 1]            # [T, S]: layer 3, head 1; row t is the one that says found.target[t]
    found.figure()                  # under the cell
    stacks("folder", "I went to the store.", write=20).target   # written by the model
"""

import json
import os
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .engine import Engine
from .errors import HeadLightError
from .figures import Figure, attention_figure
from .interventions import keep, opened
from .search import STORES, _utf8

WASM = "headlight-two.wasm"
#: of config.json
FAMILIES = ("t5", "mt5", "bart", "marian")
PARTS = ("encoder", "decoder", "cross")
TOKEN = 6  # numbers of an hl_token


class Row(NamedTuple):
    """Of the decoder: the token that is read, and the one that is said for it."""

    read: str
    said: str
    id: int


class Stacks(Dict[str, np.ndarray]):
    """``encoder`` [L, H, S, S], ``decoder`` [L, H, T, T], ``cross`` [L, H, T, S]: weights from a query to each key. Row t of
    the last two reads the target's token before t (the first one the start token) and says token t."""

    tokens: List[str]  #: the S of the source
    target: List[Row]  #: the T of the target
    label: str

    def figure(self, part: str = "cross", **options: Any) -> Figure:
        """All three kinds in a figure, ``part`` first; options as of :func:`figure`. Rows of the target bear the token that is
        read."""
        if part not in PARTS:
            raise HeadLightError(f"part is {part!r}; one of {', '.join(PARTS)} was expected")
        read = [row.read for row in self.target]
        state = {**options.pop("state", {}), "part": part}
        tokens = {"tokens": self.tokens, "decoder_tokens": read}
        return attention_figure(dict(self), tokens, label=self.label, state=state, **options)


def is_two(folder: Path) -> bool:
    """Does config.json name a family of two stacks?"""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get("model_type") in FAMILIES


def _ints(engine: Engine, start: int, count: int) -> np.ndarray:
    return np.frombuffer(engine.read(start & 0xFFFFFFFF, 4 * count), "<i4")


def _tensor(engine: Engine, made: int, name: str) -> np.ndarray:
    """All layers of a map."""
    text = name.encode() + b"\0"
    out = engine.buffer(16 + len(text))
    engine.write(out + 16, text)
    rank = engine.check(engine.call("hl_shape", made, out + 16, out))
    layers, *shape = _ints(engine, out, 1 + rank).tolist()
    size = int(np.prod(shape))
    found = []
    for layer in range(layers):
        start = engine.check(engine.call("hl_tensor", made, engine.put(text), layer))
        found.append(np.frombuffer(engine.read(start & 0xFFFFFFFF, 4 * size), "<f4").reshape(shape))
    return np.stack(found)


def _counted(engine: Engine, count: int) -> int:
    """Of functions that give -1 for an error."""
    return int(engine.check(count + 1)) - 1


def _given(engine: Engine, target: Union[str, Sequence[int]]) -> int:
    if isinstance(target, str):
        text = _utf8(target, "the target")
        return _counted(engine, engine.call("hl_target", engine.session, engine.put(text), len(text)))
    ids = np.array(target, dtype="<i4")
    return _counted(engine, engine.call("hl_use_target", engine.session, engine.put(ids.tobytes()), len(ids)))


def _read(engine: Engine, source: bytes, target: Optional[Union[str, Sequence[int]]], write: Optional[int]) -> Stacks:
    call, session = engine.call, engine.session

    def word(number: int) -> str:
        text = call("hl_token_text", session, int(number))
        return engine.text(text) if text else f"id {number}"

    size = _counted(engine, call("hl_tokenize", session, engine.put(source), len(source), 0, -1, 0))
    tokens = _ints(engine, engine.check(call("hl_tokens", session)), TOKEN * size)[::TOKEN]
    made = engine.check(call("hl_run", session, 2, engine.put(b"attention\0"), 0))
    try:
        count = _given(engine, target) if target is not None else _counted(engine, call("hl_write", made, write))
        decoded = engine.check(call("hl_decode", made, engine.put(b"attention cross_attention\0")))
        found = Stacks(
            encoder=_tensor(engine, made, "attention"),
            decoder=_tensor(engine, decoded, "attention"),
            cross=_tensor(engine, decoded, "cross_attention"),
        )
        rows = _ints(engine, engine.check(call("hl_target_rows", session)), 2 * count).reshape(-1, 2).tolist()
    finally:
        call("hl_release", made)
    found.tokens = [word(one) for one in tokens]
    found.target = [Row(word(read), word(said), said) for read, said in rows]
    return found


def _checked(target: Any, write: Any) -> Tuple[Any, Any]:
    give = "a text or a list of ids as target, or write=20, so many tokens that the model writes itself"
    if target is None and write is None:
        raise HeadLightError(f"an encoder and a decoder were asked about a source alone; give {give}")
    if target is not None and write is not None:
        raise HeadLightError("target and write were both given; a target is given, or written by the model")
    if write is not None and (isinstance(write, bool) or not isinstance(write, (int, np.integer)) or write < 1):
        raise HeadLightError(f"write is {write!r}; a whole number from 1 on was expected")
    if target is not None and not isinstance(target, str):
        ids = list(target) if isinstance(target, (list, tuple, np.ndarray)) else []
        if not ids or not all(isinstance(one, (int, np.integer)) and 0 <= one < 2**31 for one in ids):
            raise HeadLightError(f"the target is {target!r}; {give} was expected")
        return [int(one) for one in ids], None
    return target, None if write is None else int(write)


def stacks(
    folder: Union[str, "os.PathLike[str]"],
    source: str,
    target: Optional[Union[str, Sequence[int]]] = None,
    *,
    write: Optional[int] = None,
    store: str = "q8",
) -> Stacks:
    """What a model of two stacks looks at: arrays by kind.

    Args:
        folder: the model's, in Hugging Face layout.
        source: the text that the encoder reads.
        target: the text that the decoder is to have written, or its ids.
        write: instead of it, how many tokens the model writes at most: those of transformers' generate() with num_beams=1.
        store: 'q8' or 'f32', how weights are kept.

    The model stays loaded for the next call, until another one is asked.
    """
    if store not in STORES:
        raise HeadLightError(f"store is {store!r}; 'q8' or 'f32' was expected")
    text = _utf8(source, "the source")
    target, write = _checked(target, write)
    path = Path(folder)
    if path.is_dir() and not is_two(path) and (path / "config.json").is_file():
        raise HeadLightError(
            f"{path} has one stack; of {', '.join(FAMILIES)} there are two: show(folder, text) shows this one"
        )
    key, engine = opened(path, store, WASM)
    try:
        found = _read(engine, text, target, write)
    except HeadLightError:  # of the texts; after any other the engine is not to be trusted
        keep(key, engine)
        raise
    keep(key, engine)
    said = target if isinstance(target, str) else " ".join(row.said for row in found.target)
    found.label = f"{path.resolve().name}: {source} / {said}"
    return found

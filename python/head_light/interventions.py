"""Questions about one text that take many passes, by the same C as the command line and the npm package.

    intervene("models/mini2-en", {"intervention": "decides", "how": "removed"}, "The capital of France is [MASK].")

Members of a question and of its answer: ``hl_intervention_begin`` in src/headlight.h. Always in precision fine.
"""

import io
import json
import os
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .engine import Engine
from .errors import HeadLightError
from .search import STORES, _json, _load, _utf8

PASSES = 8  # between two calls of progress

#: The model of the last question, with what its files were; none while one runs, so that two threads have two.
_kept: List[Tuple[Any, Engine]] = []


def _files(folder: Path) -> List[Tuple[str, int, int]]:
    """By name, size and time, which are others when a file is."""
    found = [one for one in (*folder.glob("*"), *folder.glob("1_Pooling/*")) if one.is_file()]
    return sorted((str(one), one.stat().st_size, one.stat().st_mtime_ns) for one in found)


def opened(folder: Path, store: str, file: str = "headlight.wasm") -> Tuple[Any, Engine]:
    """The model that is kept, if it is this one; else it is loaded by that .wasm, and what was kept is forgotten."""
    key = (folder.resolve(), store, file, _files(folder))
    while _kept:
        known, engine = _kept.pop()
        if known == key:
            return key, engine
        engine.close()
    engine = Engine(file)
    _load(engine, folder, store)
    return key, engine


def keep(key: Any, engine: Engine) -> None:
    """For the next question."""
    engine.call("hl_intervention_end", engine.session)
    _kept.append((key, engine))
    while len(_kept) > 1:
        _kept.pop(0)[1].close()


class Effects(Dict[str, Any]):
    """The answer: the target and its value, ``effects`` with the largest change first, ``tokens``, ``identity``."""

    def table(self) -> Any:
        """The effects as a pandas table."""
        try:
            import pandas
        except ImportError:
            raise HeadLightError("a table needs pandas: pip install pandas") from None
        return pandas.read_csv(io.StringIO(self.csv), keep_default_na=False, na_values=[""], dtype={"token": str})

    #: the same as RFC 4180, as ``headlight intervene --csv`` prints it
    csv: str = ""


def intervene(
    folder: Union[str, "os.PathLike[str]"],
    question: Mapping[str, Any],
    text: Union[str, Sequence[str]],
    *,
    store: str = "q8",
    progress: Optional[Callable[[int, int], None]] = None,
) -> Effects:
    """What becomes of a prediction when a part of the text or of the model is changed.

    Args:
        folder: the model's, in Hugging Face layout.
        question: ``{"intervention": "decides"}``: each token masked (or ``"how": "removed"``), each head and each
            MLP off in turn; ``{"intervention": "patch", "from": "Another text."}``: each token's row of the stream at
            each layer, and each head's context, from another text; ``{"intervention": "agree"}``: readings of
            attention beside what masking each token does to the word that stands at ``"at"``;
            ``{"intervention": "effect", "changes": [["head", 1, 8]]}``: what is said before and after them (``"apart":
            True``: each alone, too); of decides and effect ``"by": "mean"``: heads and MLPs have the mean of the text's
            other tokens, instead of zero;
            ``{"intervention": "why_off", "layer": 3, "head": 1, "query": 6, "key": 2}``: the weight of a link with
            each head and each MLP below it off;
            ``{"intervention": "edge", "layer": 3, "head": 1}``: what that head's ``"into"`` (of q, k, v) does without what
            each head or MLP below wrote into it; ``"edge_link"`` with query and key: its link then.
        text: one, or two.
        store: 'q8' or 'f32', how weights are kept.
        progress: called with passes done and passes in all.

    The model stays loaded for the next question, until another one is asked.
    """
    if store not in STORES:
        raise HeadLightError(f"store is {store!r}; 'q8' or 'f32' was expected")
    if not isinstance(question, Mapping):
        raise HeadLightError(f"the question is {type(question).__name__}; a dict such as {{'intervention': 'decides'}} was expected")
    texts = [text] if isinstance(text, str) else list(text)
    for one in texts:
        _utf8(one, "the text")
    names = {"names": {"model": Path(folder).resolve().name}}
    asked = _json({**names, **question, "text": texts[0] if len(texts) == 1 else texts}, "the question")
    key, engine = opened(Path(folder), store)
    try:
        found = _answer(engine, asked, progress)
    except HeadLightError:  # of the question; after any other the engine is not to be trusted
        keep(key, engine)
        raise
    keep(key, engine)
    return found


def _answer(engine: Engine, asked: bytes, progress: Optional[Callable[[int, int], None]]) -> Effects:
    engine.check(engine.call("hl_intervention_begin", engine.session, engine.put(asked), len(asked)))
    state = engine.put(bytes(8))
    engine.check(engine.call("hl_intervention_state", engine.session, state))
    steps = int.from_bytes(engine.read(state, 4), "little")
    for first in range(0, steps, PASSES):
        count = min(PASSES, steps - first)
        engine.check(engine.call("hl_intervention_step", engine.session, first, count))
        if progress:
            progress(first + count, steps)

    def answer(settings: Mapping[str, Any]) -> str:
        given = _json(settings, "the settings")
        found = engine.call("hl_intervention_answer", engine.session, engine.put(given), len(given))
        return engine.text(engine.check(found))

    out = Effects(json.loads(answer({})))
    out.csv = answer({"csv": True})
    return out

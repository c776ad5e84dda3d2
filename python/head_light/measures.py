"""The pattern measures of attention, computed by the same C as in the page (WebAssembly by wasmtime)."""

from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from .arrays import check_layers, layers_of, token_list
from .engine import Engine, shared
from .errors import HeadLightError
from .figures import SPECIAL, sentences_of
from .taken import read_tokens

FIRST = ("[CLS]", "<s>", "<cls>")
LAST = ("[SEP]", "</s>", "<sep>")
STARTS = ("\u0120", "\u2581")


def words_of(tokens: Sequence[str]) -> List[int]:
    """The word of each token, -1 for special ones: ``##`` continues one; where words are marked at their
    start, all else does."""
    marked = any(token.startswith(STARTS) for token in tokens)
    words, word, inside = [], -1, False
    for token in tokens:
        if SPECIAL.match(token):
            words.append(-1)
            inside = False
            continue
        goes_on = inside and (not token.startswith(STARTS) if marked else token.startswith("##"))
        word += not goes_on
        words.append(word)
        inside = True
    return words


def columns_of(tokens: Sequence[str], sentences: Optional[Sequence[Optional[int]]]) -> np.ndarray:
    """[3, T] int32: a number for each different token, its sentence, its word (hl_adopt)."""
    known = {".": 3, ",": 4}
    ids, types, last = [], [], 0
    for i, token in enumerate(tokens):
        if token in FIRST or token in LAST:
            ids.append(1 if token in FIRST else 2)
        else:
            ids.append(known.setdefault(token, 3 + len(known)))
        own = sentences[i] if sentences else (None if SPECIAL.match(token) else 0)
        last = last if own is None else own
        types.append(last)
    return np.array([ids, types, words_of(tokens)], dtype=np.int32)


def patterns_of(engine: Engine, attention: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """attention [L, H, T, T] -> [M, L, H]."""
    start = engine.put(attention.astype("<f4").tobytes() + columns.astype("<i4").tobytes())
    layers, heads, tokens, _ = attention.shape
    made = engine.check(
        engine.call("hl_adopt", engine.session, layers, heads, tokens, start, start + attention.size * 4, 0)
    )
    try:
        count = len(engine.constants["patterns"]) * layers * heads
        out = engine.buffer(4 * count + 16)
        engine.write(out + 4 * count, b"patterns\0")
        engine.check(engine.call("hl_measure", made, 0, out + 4 * count, 0, 0, out, count))
        numbers = np.frombuffer(engine.read(out, 4 * count), "<f4")
    finally:
        engine.call("hl_release", made)
    return numbers.reshape(-1, layers, heads)


class Measures(Dict[str, np.ndarray]):
    """A dict of [L, H] arrays, one for each measure."""

    def table(self) -> Any:
        """As a pandas table: a row for each head, columns layer, head and the measures."""
        try:
            import pandas
        except ImportError:
            raise HeadLightError("a table needs pandas: pip install pandas") from None
        first = next(iter(self.values()))
        layers, heads = np.indices(first.shape)
        columns = {"layer": layers.ravel(), "head": heads.ravel()}
        return pandas.DataFrame({**columns, **{name: array.ravel() for name, array in self.items()}})


def measure(
    attention: Any, tokens: Sequence[str], sentence_b_start: Optional[int] = None,
    sentences: Optional[Sequence[Optional[int]]] = None,
) -> Measures:
    """Where each head attends to, and how evenly: means over the query tokens.

    Args:
        attention: a tensor [1, H, T, T] for each of L layers, or an array [L, H, T, T].
        tokens: the T tokens as the tokenizer has them (``Ġ``, ``▁`` and ``##`` mark words).
        sentence_b_start: the position of the first token of sentence B.
        sentences: instead of it, 0, 1 or None for each token.

    Returns:
        ``entropy`` in nats; ``previous``, ``next``, ``self``, ``delimiter`` and others as shares of
        attention; each an array [L, H].
    """
    names = token_list(tokens, "tokens")
    layers = layers_of(attention)
    names = read_tokens(layers, names)
    check_layers(layers, names, names)
    told = list(sentences) if sentences is not None else sentences_of(names, sentence_b_start)
    if told is not None and (len(told) != len(names) or any(one not in (0, 1, None) for one in told)):
        raise HeadLightError(f"sentences is {told!r}; 0, 1 or None for each of the {len(names)} tokens was expected")
    engine = shared()
    numbers = patterns_of(engine, np.stack(layers), columns_of(names, told))
    return Measures(zip(engine.constants["patterns"], numbers))

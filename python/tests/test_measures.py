"""Measures by wasmtime, against the same worked out by NumPy."""

import numpy as np
import pytest

from head_light import HeadLightError, measure
from head_light.measures import columns_of, words_of

TOKENS = ["[CLS]", "straw", "##berries", "lay", ".", "[SEP]"]


def test_words_and_columns():
    assert words_of(TOKENS) == [-1, 0, 0, 1, 2, -1]
    assert words_of(["\u2581straw", "berries", "\u2581lay", "</s>"]) == [0, 0, 1, -1]
    assert columns_of(TOKENS, [None, 0, 0, 1, 1, None]).tolist() == [[1, 5, 6, 7, 3, 2], [0, 0, 0, 1, 1, 1], [-1, 0, 0, 1, 2, -1]]


def test_measures_are_those_of_the_definition(random_attention):
    pytest.importorskip("wasmtime", reason="neither wasmtime nor Node.js is here: measure() is not tested")
    given = random_attention(layers=3, heads=2, tokens=6)
    found = measure(given, TOKENS)
    weights = np.stack([layer[0] for layer in given]).astype(np.float64)
    entropy = -(weights * np.log(weights, where=weights > 0, out=np.zeros_like(weights))).sum(-1).mean(-1)
    assert np.abs(found["entropy"] - entropy).max() < 1e-5
    assert found["entropy"].shape == (3, 2)
    itself = np.trace(weights, axis1=-2, axis2=-1) / 6
    assert np.abs(found["self"] - itself).max() < 1e-5
    assert all(np.isfinite(array).all() for array in found.values())
    with pytest.raises(HeadLightError, match="5 tokens"):
        measure(given, TOKENS[:5])


def test_a_table_has_a_row_for_each_head(random_attention, pandas):
    pytest.importorskip("wasmtime", reason="neither wasmtime nor Node.js is here: measure() is not tested")
    found = measure(random_attention(layers=3, heads=2, tokens=6), TOKENS)
    table = found.table()
    assert len(table) == 6 and list(table.columns[:3]) == ["layer", "head", "entropy"]
    assert list(table["layer"]) == [0, 0, 1, 1, 2, 2] and list(table["head"]) == [0, 1] * 3
    assert list(table["entropy"]) == found["entropy"].ravel().tolist()


@pytest.mark.parametrize("sentences", [[0] * 5, [0] * 5 + [2], [0] * 5 + ["b"], []])
def test_sentences_are_0_1_or_none_for_each_token(random_attention, sentences):
    with pytest.raises(HeadLightError, match="0, 1 or None for each of the 6 tokens was expected"):
        measure(random_attention(tokens=6), TOKENS, sentences=sentences)

"""Indexes of a corpus by wasmtime: the bytes of the command line, its answers, tables, arrays, errors."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from head_light import HeadLightError, index, open_index
from head_light.search import Answer, _bytes_of, _json

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "tests/golden/models/bert-tiny-random"
TEXT = "a b a.\na a b b.\nb a a a b.\na b b.\nb b b a.\n"
NATIVE = ROOT / "build/out/native/headlight"


@pytest.fixture(scope="module")
def made():
    pytest.importorskip("wasmtime", reason="neither wasmtime nor Node.js is here: index() is not tested")
    seen = []
    found = index(MODEL, TEXT, layers=[1], progress=lambda done, all_items: seen.append((done, all_items)))
    assert seen[-1] == (5, 5)
    return found


def test_a_corpus_is_a_file_a_text_or_sentences(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_bytes(b"a b\n\xff\n")
    assert _bytes_of(file) == b"a b\n\xff\n"
    assert _bytes_of("a b\nc") == b"a b\nc" and _bytes_of("corpus.txt") == b"corpus.txt"
    assert _bytes_of(["a\u3000b\nc", " d "]) == b"a b c\nd\n" == _bytes_of(np.array(["a b c", "d"]))
    for corpus, sentence in (
        (str(file), "is a file, and a str is read as a text; pass pathlib.Path"),
        ("a \ud83d", r"the corpus holds U\+D83D at 2, half of a character"),
        (["a", "b \udc00"], r"sentence 1 of the corpus holds U\+DC00 at 2"),
        (["a", 5], "sentence 1 of the corpus is int; one str"),
        ([["a", "b"]], "sentence 0 of the corpus is list"),
        (b"a b", "the corpus is bytes; a pathlib.Path, a text or a list"),
        ({"a": 1}, "the corpus is dict"),
        (None, "the corpus is NoneType"),
    ):
        with pytest.raises(HeadLightError, match=sentence):
            _bytes_of(corpus)


def test_questions_take_numbers_of_numpy():
    given = {"layer": np.int64(1), "at": np.array([0, 2]), "least": np.float32(0.5), "heads": range(2), "ask": "head"}
    assert json.loads(_json(given, "it")) == {"layer": 1, "at": [0, 2], "least": 0.5, "heads": [0, 1], "ask": "head"}
    for one in (object(), b"a", 1j):
        with pytest.raises(HeadLightError, match="the question holds .*numbers, texts, lists and dicts are read"):
            _json({"word": one}, "the question")


def test_marks_of_an_answer_do_not_cross():
    row = {"text": "a <b> c", "text_b": "d", "query": {"part": 0, "from": 2, "to": 5}, "key": {"part": 0, "from": 3, "to": 4}}
    assert Answer()._marked(row) == "a <mark>&lt;b&gt;</mark> c / d"
    row["key"] = {"part": 0, "from": 5, "to": 7}
    assert Answer()._marked(row) == "a <mark>&lt;b&gt;</mark><u> c</u> / d"
    row["key"] = {"part": 1, "from": 0, "to": 1}
    row["query"] = {"added": "[CLS]"}
    assert Answer()._marked(row) == "<mark>[CLS]</mark> a &lt;b&gt; c / <u>d</u>"


def test_an_index_has_the_bytes_and_answers_of_the_command_line(made, tmp_path):
    if not NATIVE.exists():
        pytest.skip("run `make native` first")
    (tmp_path / "text").write_text(TEXT)
    subprocess.run([NATIVE, "index", MODEL, tmp_path / "text", "--layers", "1", "-o", tmp_path / "x"], check=True)
    native = open_index(tmp_path / "x")
    for name, array in made.arrays().items():
        if name != "checks":  # the last is of the header, which names the corpus
            assert np.array_equal(array, native.arrays()[name]), name
    question = {"ask": "head", "layer": 1, "head": 0, "query": {"word": "a"}}
    said = subprocess.run([NATIVE, "search", tmp_path / "x", json.dumps(question)], check=True, capture_output=True)
    wanted = json.loads(said.stdout)
    found = made.search(question)
    assert isinstance(found, Answer) and wanted["matches"] > 3
    assert {**found, "index": 0} == {**wanted, "index": 0}


def test_answers_are_those_of_numpy(made):
    arrays = made.arrays()
    moved, keys = arrays["moved.1"][:, 0].astype(np.float64), arrays["keys.1"][:, 0]
    rows = made.search(ask="head", layer=1, head=0, rows=100, bars="none")["rows"]
    order = np.lexsort((np.arange(len(moved)), -moved))
    begins = np.concatenate([[0], np.cumsum(arrays["sentences"][:, 0])])
    assert [begins[row["sentence"]] + row["query"]["token"] for row in rows] == order.tolist()
    assert [row["offset"] for row in rows] == keys[order].tolist()
    codes, scale = arrays["hidden.1"].astype(np.int64), arrays["hidden.1.scale"].astype(np.float64)
    cosine = codes @ codes[2] * scale * scale[2]
    rows = made.search(ask="like", layer=1, at=[0, 2], bars="none")["rows"]
    assert len(rows) == 20
    for row in rows:
        assert abs(row["cosine"] - cosine[begins[row["sentence"]] + row["match"]["token"]]) < 1e-12


def test_files_and_another_index_beside(made, tmp_path):
    made.save(tmp_path / "x")
    random = index(MODEL, TEXT, layers=[1], random_layers=1)
    both = open_index(tmp_path / "x", beside=random)
    (bars,) = [one for one in both.search(ask="head", layer=1, head=0)["bars"] if one["by"] == "offset"]
    assert any(one["beside"]["count"] != one["count"] for one in bars["labels"])
    again = index(MODEL, TEXT.splitlines(), layers=[1], limit=3)
    assert np.array_equal(index(MODEL, TEXT, layers=np.array([1])).arrays()["hidden.1"], made.arrays()["hidden.1"])
    assert made.search(ask="head", layer=np.int64(1), head=0) == made.search(ask="head", layer=1, head=0)
    assert again.info["sentences"] == 3 and repr(again) == "Index of a corpus: 3 sentences, 21 tokens"


def test_what_cannot_be_is_said(made, tmp_path):
    with pytest.raises(HeadLightError, match="which head\\? Give layer and head"):
        made.search(ask="head")
    with pytest.raises(HeadLightError, match="not an index of a corpus"):
        open_index(b"x" * 64)
    with pytest.raises(HeadLightError, match="layers is '1'; a list of whole numbers"):
        index(MODEL, TEXT, layers="1")
    with pytest.raises(HeadLightError, match="random_layers is 0.5; a whole number"):
        index(MODEL, TEXT, random_layers=0.5)
    with pytest.raises(HeadLightError, match="no config.json"):
        index(tmp_path, TEXT)
    with pytest.raises(HeadLightError, match="'q8' or 'f32'"):
        index(MODEL, TEXT, store="q4")
    bare = tmp_path / "bare"
    shutil.copytree(MODEL, bare)
    (bare / "model.safetensors").unlink()
    with pytest.raises(HeadLightError, match="has no weights"):
        index(bare, TEXT)


def test_a_table_and_a_picture_in_a_notebook(made, pandas):
    html = made.search(ask="head", layer=1, head=0, query={"word": "a"})._repr_html_()
    assert html.count("<tr>") == len(made.search(ask="head", layer=1, head=0, query={"word": "a"})["rows"])
    assert "<mark>a</mark>" in html and "<u>" in html
    table = made.table(ask="head", layer=1, head=0, query={"word": "a"})
    assert {"rank", "text", "weight", "query_word"} <= set(table.columns)
    assert set(table["query_word"]) == {"a"}
    bars = made.table(ask="head", layer=1, head=0, show="bars")
    assert {"of", "by", "label", "lift", "p"} <= set(bars.columns)

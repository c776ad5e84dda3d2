"""Models of two stacks by wasmtime: the numbers of the command line, what the model writes, figures, errors."""

import json
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

from head_light import HeadLightError, Row, figure, show, stacks

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "build/out/native/headlight"
GOLDEN = ROOT / "tests/golden/two/models"
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "c", "d"]


@pytest.fixture(autouse=True)
def engine():
    pytest.importorskip("wasmtime", reason="neither wasmtime nor Node.js is here: stacks() is not tested")


@pytest.fixture
def folder(tmp_path):
    """A golden checkpoint with a tokenizer."""

    def made(name="t5-tied"):
        shutil.copytree(GOLDEN / name, tmp_path / name)
        (tmp_path / name / "vocab.txt").write_text("\n".join(WORDS))
        return tmp_path / name

    return made


def dumped(folder, *texts):
    file = folder / "dump.safetensors"
    subprocess.run([NATIVE, "run", folder, *texts, "--dump", file, "--store", "f32"], check=True, capture_output=True)
    content = file.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + size])
    header.pop("__metadata__", None)

    def read(one):
        start, end = (8 + size + at for at in one["data_offsets"])
        return np.frombuffer(content[start:end], {"F32": "<f4", "I32": "<i4", "I64": "<i8"}[one["dtype"]]).reshape(one["shape"])

    return {name: read(one) for name, one in header.items()}


@pytest.mark.parametrize("name", sorted(one.name for one in GOLDEN.iterdir()))
def test_arrays_by_kind_have_the_bits_of_the_command_line(folder, name):
    if not NATIVE.exists():
        pytest.skip("run `make native` first")
    made = folder(name)
    found = stacks(made, "a b c d", "b a c", store="f32")
    native = dumped(made, "a b c d", "b a c")
    for part, prefix in (("encoder", "layer.{}.probs"), ("decoder", "decoder.layer.{}.probs"), ("cross", "decoder.layer.{}.cross_probs")):
        assert len(found[part]) > 0
        for layer, array in enumerate(found[part]):
            assert array.tobytes() == native[prefix.format(layer)].tobytes(), (part, layer)
    assert found["cross"].shape[2:] == (len(found.target), len(found.tokens))
    rows = native["decoder.rows"].reshape(-1, 2)
    assert [row.id for row in found.target] == rows[:, 1].tolist()


def test_rows_read_one_token_and_say_the_next(folder):
    made = folder()
    found = stacks(made, "a b", "b")
    assert found.tokens == ["[CLS]", "a", "b", "[SEP]"]
    assert [row[:2] for row in found.target] == [("[PAD]", "[CLS]"), ("[CLS]", "b"), ("b", "[SEP]")]
    assert isinstance(found.target[0], Row)
    ids = [row.id for row in found.target]
    again = stacks(made, "a b", ids)
    assert all(np.array_equal(again[part], found[part]) for part in found)
    assert found.label == f"{made.name}: a b / b"
    assert again.label == f"{made.name}: a b / [CLS] b [SEP]"  # what the rows say


def test_the_model_writes_what_the_command_line_says(folder):
    made = folder()
    found = stacks(made, "a b c", write=5, store="f32")
    if not NATIVE.exists():
        pytest.skip("run `make native` first")
    run = [NATIVE, "run", made, "a b c", "--write", "5", "--json", "--store", "f32"]
    said = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)["target"]
    assert [row.id for row in found.target] == [one["id"] for one in said]
    (made / "generation_config.json").write_text(json.dumps({"decoder_start_token_id": 0, "eos_token_id": said[0]["id"]}))
    assert len(stacks(made, "a b c", write=5, store="f32").target) == 1


def test_a_marian_is_read_by_its_sentencepiece_files():
    folder = ROOT / "models/mini-de-en"
    found = stacks(folder, "drei hundert zwei und vierzig", write=32)
    assert [row.said for row in found.target] == ["▁three", "▁hundred", "▁forty", "▁two", "</s>"]
    given = stacks(folder, "drei hundert zwei und vierzig", "three hundred forty two")
    assert [row.id for row in given.target] == [row.id for row in found.target]
    keys = [found.tokens[at] for at in found["cross"][1, 1].argmax(-1)]
    assert keys[:4] == ["▁drei", "▁hundert", "▁vierzig", "▁zwei"], "by the row that says the word"


def test_a_figure_has_the_three_kinds_and_begins_with_the_look_at_the_source(folder):
    made = folder()
    found = figure(made, "a b", "b c", layer=1)
    assert found.spec["state"]["part"] == "cross" and found.spec["state"]["layer"] == 1
    size = struct.unpack("<Q", found.content[:8])[0]
    header = json.loads(found.content[8 : 8 + size])
    assert {name.split(".")[0] for name in header} - {"__metadata__"} == {"attention", "decoder", "cross"}
    assert json.loads(header["__metadata__"]["decoder_tokens"]) == ["[PAD]", "[CLS]", "b", "c"]
    assert found.title == "a b / b c"
    assert stacks(made, "a b", write=2).figure("decoder", view="model").spec["state"]["part"] == "decoder"
    assert "head-light" in found.data


def test_what_does_not_fit_is_refused(folder):
    made = folder()
    one = ROOT / "models/mini-en"
    for call, sentence in (
        (lambda: stacks(made, "a"), "an encoder and a decoder were asked about a source alone; give a text"),
        (lambda: stacks(made, "a", "b", write=3), "target and write were both given"),
        (lambda: stacks(made, "a", write=0), "write is 0; a whole number from 1 on"),
        (lambda: stacks(made, "a", 5), "the target is 5; a text or a list of ids"),
        (lambda: stacks(made, "a", []), r"the target is \[\]"),
        (lambda: stacks(made, "a", [60]), "id 60 at position 0 of the target is outside the vocabulary"),
        (lambda: stacks(made, "a", "b", store="q4"), "store is 'q4'"),
        (lambda: stacks(one, "a", "b"), "has one stack; of t5, mt5, bart, marian there are two"),
        (lambda: stacks(made / "absent", "a", "b"), "is no model's folder"),
        (lambda: show(made, "a"), "has an encoder and a decoder .* so a source and a target were expected"),
        (lambda: stacks(made, "a", "b").figure("both"), "part is 'both'; one of encoder, decoder, cross"),
    ):
        with pytest.raises(HeadLightError, match=sentence):
            call()
    assert len(stacks(made, "a", "b").target) == 3

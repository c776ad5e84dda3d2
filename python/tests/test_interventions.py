"""Interventions by wasmtime: the bytes of the command line, progress, a table, errors."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from head_light import HeadLightError, interventions, intervene

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "models/mini2-en-sst2"
WORDS = ROOT / "models/mini2-en"
SENTENCES = ROOT / "models/all-minilm-l6-v2"
NATIVE = ROOT / "build/out/native/headlight"
TEXT, OTHER = "The film was dull.", "The film was great."


@pytest.fixture(autouse=True)
def engine():
    pytest.importorskip("wasmtime", reason="neither wasmtime nor Node.js is here: intervene() is not tested")


@pytest.mark.parametrize("question", [
    {"intervention": "decides", "how": "removed", "parts": ["tokens", "mlps"]},
    {"intervention": "patch", "from": OTHER, "parts": ["tokens"]},
    {"intervention": "agree"},
    {"intervention": "effect", "changes": [["mlp", 1], ["no_positions"]], "measures": ["even"]},
    {"intervention": "effect", "changes": [["head", 1, 2], ["mlp", 1]], "apart": True, "by": "mean"},
    {"intervention": "why_off", "layer": 2, "head": 1, "query": 3, "key": 1},
    {"intervention": "edge", "layer": 1, "head": 1, "into": ["q"]},
])
def test_the_answer_has_the_bytes_of_the_command_line(question):
    model, text = (WORDS, "The film was very dull.") if question["intervention"] == "agree" else (MODEL, TEXT)
    if not NATIVE.exists():
        pytest.skip("run `make native` first")
    seen = []
    found = intervene(model, question, text, progress=lambda done, steps: seen.append((done, steps)))

    def ran(*more):
        named = {**question, "names": {"model": model.name}}
        return subprocess.run([NATIVE, "intervene", model, json.dumps(named), text, *more], capture_output=True, text=True).stdout

    assert found == json.loads(ran())
    assert found.csv == ran("--csv")
    assert seen[-1] == tuple(found["steps"]) == (len(found["effects"]),) * 2


def test_the_similarity_of_two_texts_has_the_bytes_of_the_command_line():
    if not NATIVE.exists():
        pytest.skip("run `make native` first")
    texts = ["A cat sat.", "Dogs ran."]
    for question in ({"intervention": "decides", "parts": ["tokens"]}, {"intervention": "effect", "changes": [["mlp", 4]], "by": "mean"}):
        named = {**question, "names": {"model": SENTENCES.name}}
        ran = subprocess.run([NATIVE, "intervene", SENTENCES, json.dumps(named), *texts], capture_output=True, text=True).stdout
        assert intervene(SENTENCES, question, texts) == json.loads(ran)
        assert "similarity" in json.loads(ran)


def test_effects_are_a_table():
    pandas = pytest.importorskip("pandas")
    found = intervene(MODEL, {"intervention": "decides", "parts": ["tokens"]}, "The film was null.")
    table = found.table()
    assert isinstance(table, pandas.DataFrame) and list(table["token"]) == [one["token"] for one in found["effects"]]


def test_what_cannot_be_asked_is_refused():
    for question, text, sentence in (
        ("decides", TEXT, "the question is str; a dict"),
        ({"intervention": "decides"}, [TEXT, 5], "the text is int; one str"),
        ({"intervention": "why"}, TEXT, "there is no intervention .*; there are: decides, patch, agree, effect, why_off, edge, edge_link"),
        ({"intervention": "decides"}, [TEXT] * 3, "text is a list of 3; one text or two"),
        ({"intervention": "decides", "precision": "fast"}, TEXT, "interventions are computed in fine"),
    ):
        with pytest.raises(HeadLightError, match=sentence):
            intervene(MODEL, question, text)
    with pytest.raises(HeadLightError, match="store is 'int4'"):
        intervene(MODEL, {"intervention": "decides"}, TEXT, store="int4")


def test_the_model_stays_loaded_until_a_file_is_another_one(tmp_path, monkeypatch):
    loads = []
    load = interventions._load
    monkeypatch.setattr(interventions, "_load", lambda *args: (loads.append(args[1:]), load(*args)))
    monkeypatch.setattr(interventions, "_kept", [])
    folder = tmp_path / "model"
    shutil.copytree(MODEL, folder)
    question = {"intervention": "decides", "parts": ["mlps"]}

    def asked(store="q8", **more):
        return intervene(folder, {**question, **more}, TEXT, store=store)

    first = asked()
    assert asked() == first and len(loads) == 1
    with pytest.raises(HeadLightError, match="there is no intervention"):
        asked(intervention="why")
    assert asked() == first and len(loads) == 1, "a question that is refused does not lose the model"
    with pytest.raises(ZeroDivisionError):
        intervene(folder, question, TEXT, progress=lambda *_: 1 / 0)
    assert asked() == first and len(loads) == 2, "anything else does"
    exact = asked("f32")
    assert exact != first and len(loads) == 3
    weights = folder / "model.safetensors"
    os.utime(weights, ns=(0, weights.stat().st_mtime_ns + 10**9))
    assert asked("f32") == exact and len(loads) == 4, "its time is another one"
    config = folder / "config.json"
    config.write_text(config.read_text().replace("positive", "good"))
    assert asked("f32", word="good")["label"] == "good" and len(loads) == 5
    assert len(interventions._kept) == 1
    shutil.rmtree(folder)
    with pytest.raises(HeadLightError, match="is no model's folder"):
        asked("f32")

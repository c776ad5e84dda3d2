"""Tests run on the package as it is built: build/out/wheel/stage.

What is large or fetched is stood in for where it is not installed: wasmtime by Node.js (wasm_stand_in.py), torch,
transformers, anywidget and pandas by small classes (stand_in.py). What only they can tell is skipped then."""

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
STAGE = ROOT / "build/out/wheel/stage"
sys.path.insert(0, str(STAGE))
sys.path.insert(0, str(Path(__file__).parent))


def stand_in_for_wasmtime():
    try:
        import wasmtime  # noqa: F401
    except ImportError:
        import wasm_stand_in

        if wasm_stand_in.NODE:
            sys.modules["wasmtime"] = wasm_stand_in


stand_in_for_wasmtime()


@pytest.fixture(scope="session")
def stage():
    assert STAGE.is_dir(), "run `make wheel` first"
    return STAGE


@pytest.fixture
def pandas(monkeypatch):
    """pandas, or what stands for it."""
    try:
        import pandas
    except ImportError:
        import stand_in

        pandas = stand_in.pandas()
        monkeypatch.setitem(sys.modules, "pandas", pandas)
    return pandas


@pytest.fixture
def random_attention():
    """[L][1, H, T, T], rows that sum to 1."""

    def made(layers=2, heads=3, tokens=5, seed=1):
        rng = np.random.default_rng(seed)
        array = rng.random((layers, 1, heads, tokens, tokens)) ** 8
        return list((array / array.sum(-1, keepdims=True)).astype(np.float32))

    return made


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """Tiny random models; skips where torch and transformers are not installed."""
    pytest.importorskip("torch", reason="torch is not installed: models are tested on stand-ins alone (test_stand_in.py)")
    pytest.importorskip("transformers", reason="transformers is not installed: the same")
    import tiny

    folder = tmp_path_factory.mktemp("models")
    return {"bert": tiny.bert(folder), "t5": tiny.t5(folder), "gpt2": tiny.gpt2(folder)}

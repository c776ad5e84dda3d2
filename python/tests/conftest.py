"""Tests run on the package as it is built: build/out/wheel/stage."""

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
STAGE = ROOT / "build/out/wheel/stage"
sys.path.insert(0, str(STAGE))
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def stage():
    assert STAGE.is_dir(), "run `make wheel` first"
    return STAGE


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
    pytest.importorskip("torch", reason="torch is not installed: the calls that run a model are not tested")
    pytest.importorskip("transformers", reason="transformers is not installed: the same")
    import tiny

    folder = tmp_path_factory.mktemp("models")
    return {"bert": tiny.bert(folder), "t5": tiny.t5(folder), "gpt2": tiny.gpt2(folder)}

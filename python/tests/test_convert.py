"""What `headlight convert` writes, opened by transformers: tests/real/convert.py on the golden models. tests/js/convert_round.test.mjs
walks the same folders without it."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REAL = ROOT / "tests/real/convert.py"
NAMES = sorted(folder.name for folder in (ROOT / "tests/golden/models").iterdir() if not folder.name.startswith("bert-tiny-"))


@pytest.fixture(scope="module")
def convert():
    pytest.importorskip("torch", reason="torch is not installed: tests/js/convert_round.test.mjs alone looks at what is converted")
    pytest.importorskip("transformers", reason="transformers is not installed: the same")
    pytest.importorskip("safetensors", reason="safetensors is not installed: the same")
    spec = importlib.util.spec_from_file_location("convert_in_transformers", REAL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not module.HEADLIGHT.exists():
        pytest.skip(f"{module.HEADLIGHT} is not built: make native")
    module.transformers.utils.logging.set_verbosity_error()
    module.transformers.utils.logging.disable_progress_bar()
    return module


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_transformers_opens_it_and_computes_the_same(convert, tmp_path, name):
    # q8 is opened through a package that not everybody has; `make test-real` has it
    has_q8 = importlib.util.find_spec("compressed_tensors") is not None
    assert convert.check(name, tmp_path, ("f32", "q8") if has_q8 else ("f32",)) == []

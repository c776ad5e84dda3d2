"""What runs a reader's model: tiny random ones of transformers, and BertViz's own classes."""

import warnings

import numpy as np
import pytest

from head_light import HeadLightError, figure
from head_light.models import _is_causal, _neurons
from head_light.neuron_view import show
from test_package import opened

TEXT, SECOND = "The cat sat on the mat", "It slept"


@pytest.fixture(scope="session")
def loaded(models):
    from transformers import AutoModel, AutoTokenizer

    def of(name, **options):
        options = {"attn_implementation": "eager", **options}
        return AutoModel.from_pretrained(models[name], **options), AutoTokenizer.from_pretrained(models[name])

    return of


def test_one_line_from_a_model_and_a_pair(loaded):
    import torch

    model, tokenizer = loaded("bert")
    model.train()
    metadata, tensors = opened(figure(model, tokenizer, TEXT, SECOND))
    assert model.training, "as it was"
    inputs = tokenizer(TEXT, SECOND, return_tensors="pt")
    assert metadata["tokens"] == tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    assert metadata["sentences"] == inputs.sequence_ids(0)
    with torch.no_grad():
        attention = model.eval()(**inputs, output_attentions=True).attentions
    for i, layer in enumerate(attention):
        assert np.abs(tensors[f"attention.{i}"] - layer[0].numpy()).max() < 2**-16


def test_sdpa_is_read_with_eager_and_said(loaded):
    model, tokenizer = loaded("bert", attn_implementation="sdpa")
    with pytest.warns(UserWarning, match="'sdpa' attention gives no weights"):
        shown = figure(model, tokenizer, TEXT)
    assert model.config._attn_implementation == "sdpa", "as it was"
    _, tensors = opened(shown)
    assert tensors["attention.0"].any()


def test_types_of_tensors(loaded):
    import torch

    model, tokenizer = loaded("bert")
    _, exact = opened(figure(model, tokenizer, TEXT))
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        _, tensors = opened(figure(model.to(dtype), tokenizer, TEXT))
        assert np.abs(tensors["attention.0"] - exact["attention.0"]).max() < 0.1
        assert figure([torch.full((1, 1, 2, 2), 0.5, dtype=dtype, requires_grad=True)], ["a", "b"]).loss < 2**-16


def test_a_source_and_its_target(loaded):
    model, tokenizer = loaded("t5")
    metadata, tensors = opened(figure(model, tokenizer, "the cat sat", "she sees the rug"))
    assert tensors["cross.0"].shape[1:] == (len(metadata["decoder_tokens"]), len(metadata["tokens"]))
    with pytest.raises(HeadLightError, match="an encoder and a decoder"):
        figure(model, tokenizer, "the cat sat")


def test_a_model_is_causal_where_no_head_of_any_layer_sees_a_later_key():
    seen = np.tril(np.ones((3, 4, 4), np.float32))
    causal = seen / seen.sum(-1, keepdims=True)
    later = causal.copy()
    later[2, 2, 3] = 1e-6
    assert _is_causal([causal, causal])
    assert not _is_causal([later, causal]) and not _is_causal([causal, later])
    assert not _is_causal([causal, np.full_like(causal, 0.25), causal])
    assert not _is_causal([causal[:, :1, :1]]), "a text of one token says nothing"


@pytest.mark.parametrize("joined", [False, True])
def test_vectors_of_the_neuron_view_lie_by_heads(joined):
    """Against loops, of what modules give: q, k and v apart, as in BERT, or as one, as in GPT-2."""
    tokens, heads, width = 3, 2, 5
    draw = np.random.default_rng(4)
    q, k, v, context = draw.normal(size=(4, 1, tokens, heads * width)).astype(np.float32)
    given = {"qkv": np.concatenate([q, k, v], -1)} if joined else {"q": q, "k": k, "v": v}
    found = _neurons([{**given, "context": context}, {**given, "context": context[0]}], heads)
    assert sorted(found) == sorted(f"{name}.{i}" for name in ("q", "k", "v", "scores", "context") for i in (0, 1))
    for i in range(2):
        for name, rows in (("q", q), ("k", k), ("v", v)):
            for h in range(heads):
                for t in range(tokens):
                    assert (found[f"{name}.{i}"][h, t] == rows[0, t, h * width : (h + 1) * width]).all()
        assert (found[f"context.{i}"] == context[0]).all()
        for h in range(heads):
            for a in range(tokens):
                for b in range(tokens):
                    score = sum(q[0, a, h * width + n] * k[0, b, h * width + n] for n in range(width)) / width**0.5
                    assert found[f"scores.{i}"][h, a, b] == pytest.approx(score, abs=1e-5)


def softmax(scores, causal):
    if causal:
        scores = np.where(np.tril(np.ones(scores.shape[-2:])) > 0, scores, -np.inf)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


@pytest.mark.parametrize("name", ["bert", "gpt2"])
def test_queries_and_keys_make_the_attention(loaded, name):
    model, tokenizer = loaded(name)
    shown = show(model, name, tokenizer, TEXT.lower(), layer=1, head=1, html_action="return")
    metadata, tensors = opened(shown)
    assert metadata["mask"] == ("causal" if name == "gpt2" else "all")
    assert shown.spec["state"]["heads"] == [1] and shown.spec["state"]["theme"] == "dark"
    for layer in range(2):
        q, k, v = (tensors[f"{one}.{layer}"] for one in "qkv")
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        assert np.abs(scores - tensors[f"scores.{layer}"]).max() < 0.05
        weights = softmax(scores, name == "gpt2")
        assert np.abs(weights - tensors[f"attention.{layer}"]).max() < 0.02
        context = (tensors[f"attention.{layer}"] @ v).transpose(1, 0, 2).reshape(q.shape[1], -1)
        assert np.abs(context - tensors[f"context.{layer}"]).max() < 0.02
        assert tensors[f"projected.{layer}"].shape == tensors[f"attn_out.{layer}"].shape == context.shape


def test_a_model_of_another_build_has_no_neuron_view(loaded):
    model, tokenizer = loaded("t5")
    with pytest.raises(HeadLightError):
        show(model, "bert", tokenizer, TEXT, html_action="return")
    with pytest.raises(HeadLightError, match="model_type is 'xlnet'"):
        show(model, "xlnet", tokenizer, TEXT)


def test_what_is_no_model_or_no_text(loaded):
    model, tokenizer = loaded("bert")
    for arguments, sentence in (
        ((model, tokenizer), "a tokenizer and one or two texts"),
        ((model, tokenizer, ["a", "b"]), "one text at a time"),
        ((model, "bert", TEXT), "cannot be called on a text"),
    ):
        with pytest.raises(HeadLightError, match=sentence):
            figure(*arguments)


def test_bertviz_own_classes():
    neuron = pytest.importorskip("bertviz.transformers_neuron_view", reason="bertviz is not installed: its classes are not tested")
    import torch

    torch.manual_seed(0)
    config = neuron.BertConfig(vocab_size_or_config_json_file=40, hidden_size=24, num_hidden_layers=2,
                               num_attention_heads=3, intermediate_size=32)
    config.output_attentions = True
    model = neuron.BertModel(config)

    class Tokenizer:
        cls_token, sep_token = "[CLS]", "[SEP]"

        def tokenize(self, text):
            return text.lower().split()

        def convert_tokens_to_ids(self, tokens):
            return [hash(token) % 40 for token in tokens]

    shown = show(model, "bert", Tokenizer(), TEXT, SECOND, html_action="return")
    metadata, tensors = opened(shown)
    assert metadata["tokens"][0] == "[CLS]" and metadata["sentences"][-2] == 1
    q, k = tensors["q.1"], tensors["k.1"]
    weights = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]), False)
    assert np.abs(weights - tensors["attention.1"]).max() < 0.01


def test_a_widget_has_the_fields_of_the_figure(random_attention):
    pytest.importorskip("anywidget", reason="anywidget is not installed: widgets are not tested")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = figure(random_attention(), list("abcde"), layer=1, heads=[0, 2]).widget()
    assert (made.layer, made.heads, made.view, made.token) == (1, [0, 2], "head", -1)
    made.heads, made.view = [2, 1, 2], "heads"
    assert (made.heads, made.view) == ([1, 2], "head"), "as the page takes them"
    for name, value, sentence in (("view", "tree", "one of heads, heatmap"), ("theme", "blue", "auto, light, dark")):
        with pytest.raises(HeadLightError, match=sentence):
            setattr(made, name, value)


def test_the_example_notebook_runs(models, monkeypatch):
    """Every cell, one after the other; what a last line gives is asked for its markup."""
    import ast
    import json

    from conftest import ROOT

    pytest.importorskip("IPython", reason="IPython is not installed: the example is not run")
    pytest.importorskip("wasmtime", reason="wasmtime is not installed: the example is not run")
    shown = []
    monkeypatch.setattr("head_light.figures.Shown.show", lambda self: shown.append(self._repr_html_()))
    scope = {}
    cells = json.loads((ROOT / "python/example.ipynb").read_text("utf-8"))["cells"]
    for cell in (one for one in cells if one["cell_type"] == "code"):
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "example", "exec"), scope)
        value = eval(compile(ast.Expression(last.value), "example", "eval"), scope) if last else None
        if value is not None:
            shown.append(value._repr_html_())
    *figures, looks, like = shown
    assert len(figures) == 3 and all('class="head-light"' in one for one in figures)
    assert "<mark>cat</mark>" in looks and like.count("<tr>") == 5

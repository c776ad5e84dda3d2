"""What heads move of a reader's own model, against loops over its weights: on stand-ins, and on models of transformers where
torch is there."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import stand_in
from head_light import HeadLightError, figure
from head_light.arrays import as_array
from opened import opened

TEXT = "the cat sat on the mat"


def expected(values, weight, groups):
    """‖v_h W_O‖ [H, T] of values [T, G·d] and a weight [H·d, D], written out."""
    tokens, width = len(values), values.shape[1] // groups
    heads = len(weight) // width
    lengths = np.zeros((heads, tokens))
    for h in range(heads):
        group = h * groups // heads
        for t in range(tokens):
            row = values[t, group * width : (group + 1) * width] @ weight[h * width : (h + 1) * width]
            lengths[h, t] = np.sqrt((row.astype(float) ** 2).sum())
    return lengths


def check(model, tokenizer, layers, groups=0):
    """layers: of each the module that gives the values, its first column of them, W_O, and whether that is [out, in]."""
    heard = []
    handles = [value.register_forward_hook(lambda _, __, out: heard.append(as_array(out[0]))) for value, *_ in layers]
    shown = figure(model, tokenizer, TEXT, moved=True)
    for handle in handles:
        handle.remove()
    assert shown.spec["state"]["show"] == "moved"
    _, tensors = opened(shown)
    assert len(heard) == len(layers)
    for i, (values, (_, first, out, turned)) in enumerate(zip(heard, layers)):
        weight = as_array(out.weight.detach())
        lengths = expected(values[:, first:], weight.T if turned else weight, groups or len(tensors[f"attention.{i}"]))
        assert tensors[f"lengths.{i}"] == pytest.approx(lengths, rel=2e-3)


@pytest.fixture
def stands(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", stand_in.torch())
    return SimpleNamespace(model=stand_in.Model, tokenizer=stand_in.Tokenizer(sorted(set(TEXT.split()))))


def test_lengths_of_each_kind(stands):
    for kind in ("bert", "distilbert", "gpt2"):
        model = stands.model(kind)
        parts = [getattr(model, f"layer_{i}") for i in range(2)]
        places = {
            "bert": lambda one: (one.attention.value, 0, one.output.dense, True),
            "distilbert": lambda one: (one.attention.v_lin, 0, one.attention.out_lin, True),
            "gpt2": lambda one: (one.attention.c_attn, 16, one.attention.c_proj, False),
        }
        check(model, stands.tokenizer, [places[kind](part) for part in parts])


def test_cross_attention_that_did_not_run_is_no_layer(stands):
    model = stands.model("bert")
    model.cross = stand_in.Layer("bert", 8, 1)
    model._parts.append("cross")
    assert {"lengths.0", "lengths.1"} <= set(opened(figure(model, stands.tokenizer, TEXT, moved=True))[1])


class Elsewhere(stand_in.Tensor):
    """Numbers that are not here once the forward pass is over, as those of accelerate's offloaded models."""

    def detach(self):
        raise RuntimeError("a meta tensor has no data")


@pytest.mark.parametrize("part", ["v_lin", "out_lin", "W_O", "elsewhere", "by name"])
def test_values_that_do_not_make_what_the_model_makes_are_not_told(stands, part):
    """A module that does more than its weights say, before or after the heads are mixed, or a weight of another shape."""
    model = stands.model("distilbert")
    own = model.layer_1.attention
    if part == "W_O":
        own.out_lin.weight = stand_in.Tensor(np.zeros((8, 9), np.float32))
        own.out_lin.forward = lambda rows: rows
    elif part == "elsewhere":
        own.out_lin.weight = Elsewhere(own.out_lin.weight.array)
    elif part == "by name":
        plain_call = type(own.out_lin).__call__
        own.out_lin.__class__ = type("Named", (type(own.out_lin),), {"__call__": lambda self, rows: plain_call(self, rows=rows)})
    elif part == "out_lin":
        plain = own.out_lin.forward
        own.out_lin.forward = lambda rows: stand_in.Tensor(np.tanh(plain(rows).array))
    else:
        forward = model.layer_1.forward

        def gated(rows, heads, scale):
            _, weights = forward(rows, heads, scale)
            return own.out_lin(stand_in.Tensor(own.v_lin(rows).array * 0.5)), weights

        model.layer_1.forward = gated
    _, tensors = opened(figure(model, stands.tokenizer, TEXT))
    assert "attention.1" in tensors and not any(name.startswith("lengths") for name in tensors)
    with pytest.raises(HeadLightError, match="what the heads of Model move cannot be told"):
        figure(model, stands.tokenizer, TEXT, moved=True)


def test_moved_is_refused_where_there_are_no_values(stands, tmp_path):
    with pytest.raises(HeadLightError, match="attention alone does not tell what is moved"):
        figure([np.full((1, 1, 2, 2), 0.5, np.float32)], ["a", "b"], moved=True)
    with pytest.raises(HeadLightError, match="what the heads of Pair move cannot be told"):
        figure(stand_in.Pair(), stands.tokenizer, TEXT, "the cat", moved=True)
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    with pytest.raises(HeadLightError, match="two stacks are drawn by their attention alone"):
        figure(tmp_path, TEXT, "the cat", moved=True)


def test_lengths_of_models_of_transformers(models):
    """BERT, GPT-2, and a Llama whose heads share keys and values."""
    from transformers import AutoModel, AutoTokenizer, LlamaConfig, LlamaModel

    words = AutoTokenizer.from_pretrained(models["bert"])
    bert = AutoModel.from_pretrained(models["bert"], attn_implementation="eager")
    check(bert, words, [(one.attention.self.value, 0, one.attention.output.dense, True) for one in bert.encoder.layer])
    gpt = AutoModel.from_pretrained(models["gpt2"], attn_implementation="eager")
    words = AutoTokenizer.from_pretrained(models["gpt2"])
    check(gpt, words, [(one.attn.c_attn, 32, one.attn.c_proj, False) for one in gpt.h])
    config = LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=16, num_hidden_layers=2, num_attention_heads=4,
                         num_key_value_heads=2, attention_bias=True, initializer_range=0.5, attn_implementation="eager")
    llama = LlamaModel(config)
    check(llama, words, [(one.self_attn.v_proj, 0, one.self_attn.o_proj, True) for one in llama.layers], 2)

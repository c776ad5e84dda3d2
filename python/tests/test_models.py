"""What runs a reader's model: tiny random ones of transformers, and BertViz's own classes."""

import numpy as np
import pytest

from head_light import HeadLightError, figure
from head_light.inside import _rows, check_length
from head_light.models import _is_causal, _neurons, _shifted
from head_light.neuron_view import show
from opened import opened

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


def test_a_source_and_its_target(loaded, models):
    """Rows and keys of the decoder are what transformers makes of the target as labels."""
    import torch
    from transformers import T5ForConditionalGeneration

    model, tokenizer = loaded("t5")
    metadata, tensors = opened(figure(model, tokenizer, "the cat sat", "she sees the rug"))
    assert tensors["cross.0"].shape[1:] == (len(metadata["decoder_tokens"]), len(metadata["tokens"]))
    labels = tokenizer(text_target="she sees the rug", return_tensors="pt")["input_ids"]
    assert metadata["decoder_tokens"] == ["<pad>", *tokenizer.convert_ids_to_tokens(labels[0])[:-1]]
    whole = T5ForConditionalGeneration.from_pretrained(models["t5"], attn_implementation="eager").eval()
    with torch.no_grad():
        out = whole(**tokenizer("the cat sat", return_tensors="pt"), labels=labels, output_attentions=True)
    for name, part in (("decoder", out.decoder_attentions), ("cross", out.cross_attentions), ("attention", out.encoder_attentions)):
        for i, layer in enumerate(part):
            assert np.abs(tensors[f"{name}.{i}"] - layer[0].numpy()).max() < 2**-16
    with pytest.raises(HeadLightError, match="an encoder and a decoder"):
        figure(model, tokenizer, "the cat sat")


SMALL = dict(
    vocab_size=40, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
    encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=20, pad_token_id=1, bos_token_id=0, eos_token_id=2,
)


@pytest.mark.parametrize("family", "Bart MBart Pegasus Blenderbot M2M100".split())
@pytest.mark.parametrize("start", [2, 5])
def test_a_target_is_shifted_as_labels_are(models, family, start):
    import torch
    import transformers

    config = getattr(transformers, f"{family}Config")(**SMALL, decoder_start_token_id=start)
    whole = getattr(transformers, f"{family}ForConditionalGeneration")(config).eval()
    ids = torch.tensor([[10, 11, 12, 2, 7]])
    seen = []
    whole.get_decoder().register_forward_pre_hook(lambda _, given, named: seen.append(named.get("input_ids")), with_kwargs=True)
    with torch.no_grad():
        whole(input_ids=ids, labels=ids)
    bare = getattr(transformers, f"{family}Model")(config)
    for model in (whole, bare):
        assert torch.equal(_shifted(model, ids), seen[0])


@pytest.mark.parametrize("family", "Bert Roberta Electra MPNet GPT2 OpenAIGPT OPT Bart ProphetNet Llama".split())
def test_a_limit_is_where_the_model_fails(models, family):
    """As many tokens are read as a table of positions has room for, and one more is what the model cannot read."""
    import torch
    import transformers

    wanted = dict(
        SMALL, hidden_size=16, embedding_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, n_positions=20, n_embd=16,
        n_layer=1, n_head=2, ffn_dim=16, word_embed_proj_dim=16, num_key_value_heads=2, num_encoder_layers=1, num_decoder_layers=1,
        num_encoder_attention_heads=2, num_decoder_attention_heads=2,
    )
    made = getattr(transformers, f"{family}Config")
    names = {name for one in made.__mro__ for name in getattr(one, "__annotations__", {})}
    config = made(**{name: value for name, value in wanted.items() if name in names})
    model = getattr(transformers, f"{family}Model")(config).eval()
    stack = model.get_encoder() if config.is_encoder_decoder else model

    def run(count):
        ids = torch.full((1, count), 5)
        with torch.no_grad():
            stack(input_ids=ids)
        return ids

    most = _rows(stack)
    assert (most is None) == (family in ("ProphetNet", "Llama"))
    run(most or 25)
    if most:
        with pytest.raises((RuntimeError, IndexError)):
            run(most + 1)
        check_length(stack, model, most)
        with pytest.raises(HeadLightError, match=f"has {most + 1} tokens, and {family}Model has positions for {most}"):
            check_length(stack, model, most + 1)


def test_a_text_too_long_and_a_module_around_a_model(loaded):
    import torch

    model, tokenizer = loaded("bert")
    with pytest.raises(HeadLightError, match="the text has 1202 tokens, and BertModel has positions for 512"):
        figure(model, tokenizer, "the cat " * 600)

    class Own(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.towers = torch.nn.ModuleList([model])

        def forward(self, input_ids, attention_mask=None):
            return self.towers[0](input_ids, attention_mask).last_hidden_state

    with pytest.raises(HeadLightError, match=r"Own could not read the text.*show\(model\.towers\[0\], tokenizer, text\)"):
        figure(Own(), tokenizer, TEXT)
    assert figure(Own().towers[0], tokenizer, TEXT)


def test_parts_of_a_model_keep_their_mode(loaded):
    model, tokenizer = loaded("bert")
    model.train()
    model.encoder.layer[0].eval()
    before = [module.training for module in model.modules()]
    figure(model, tokenizer, TEXT)
    assert [module.training for module in model.modules()] == before


def test_outputs_of_transformers_are_told_from_attention(loaded, models):
    """Its own classes, as test_outputs.py has stand-ins for them."""
    import torch
    from transformers import AutoTokenizer, GPT2LMHeadModel, T5ForConditionalGeneration

    model, tokenizer = loaded("bert")
    inputs = tokenizer(TEXT, return_tensors="pt")
    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    causal = GPT2LMHeadModel.from_pretrained(models["gpt2"], attn_implementation="eager").eval()
    both = T5ForConditionalGeneration.from_pretrained(models["t5"], attn_implementation="eager").eval()
    words = AutoTokenizer.from_pretrained(models["gpt2"])("the cat", return_tensors="pt")
    asked = dict(output_attentions=True, return_dict_in_generate=True, max_new_tokens=3)
    with torch.no_grad():
        translated = both.generate(words["input_ids"], **asked)
        given = [
            (model.eval()(**inputs, output_attentions=True), r"pass outputs\.attentions$"),
            (model(**inputs), "holds no attention: load"),
            (model(**inputs, output_attentions=True, return_dict=False), r"outputs\[2\], or outputs\.attentions"),
            (inputs, "which a tokenizer gives"),
            (causal(**words).past_key_values, "keys and values"),
            (translated, r"pass its parts: head_view\(encoder_attention=outputs\.encoder_attentions"),
        ]
        whole = causal(**words, output_attentions=True).attentions
    for value, sentence in given:
        with pytest.raises(HeadLightError, match=sentence):
            figure(value, tokens)
    assert figure(whole, ["the", "cat"])


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


def test_what_generate_gives_is_the_attention_of_the_whole_text(models):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(models["gpt2"], attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(models["gpt2"])
    inputs = {"input_ids": tokenizer(TEXT, return_tensors="pt").input_ids}
    begin = {"output_attentions": True, "return_dict_in_generate": True, "min_new_tokens": 5, "max_new_tokens": 5}
    for more in ({}, {"use_cache": False}, {"do_sample": True}, {"min_new_tokens": 1, "max_new_tokens": 1}):
        out = model.generate(**inputs, **{**begin, **more})
        tokens = tokenizer.convert_ids_to_tokens(out.sequences[0])
        with pytest.warns(UserWarning, match="was written and not read"):
            _, tensors = opened(figure(out, tokens))
        with torch.no_grad():
            whole = model(out.sequences[:, :-1], output_attentions=True).attentions
        for i, layer in enumerate(whole):
            assert np.abs(tensors[f"attention.{i}"] - layer[0].numpy()).max() < 2**-15


def test_generate_of_two_stacks_part_by_part(models):
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    from head_light import head_view

    model = AutoModelForSeq2SeqLM.from_pretrained(models["t5"], attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(models["t5"])
    ids = tokenizer(TEXT, return_tensors="pt").input_ids
    out = model.generate(
        input_ids=ids, output_attentions=True, return_dict_in_generate=True, min_new_tokens=4, max_new_tokens=4
    )
    parts = {f"{part}_attention": out[f"{part}_attentions"] for part in ("encoder", "decoder", "cross")}
    lists = {
        "encoder_tokens": tokenizer.convert_ids_to_tokens(ids[0]),
        "decoder_tokens": tokenizer.convert_ids_to_tokens(out.sequences[0]),
    }
    with pytest.warns(UserWarning, match="was written and not read"):
        _, tensors = opened(head_view(**parts, **lists, html_action="return"))
    with torch.no_grad():
        whole = model(input_ids=ids, decoder_input_ids=out.sequences[:, :-1], output_attentions=True)
    for name, layers in (("attention", whole.encoder_attentions), ("decoder", whole.decoder_attentions), ("cross", whole.cross_attentions)):
        for i, layer in enumerate(layers):
            assert np.abs(tensors[f"{name}.{i}"] - layer[0].numpy()).max() < 2**-15

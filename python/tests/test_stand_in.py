"""What runs a reader's model, on small stand-ins (stand_in.py) that need nothing but NumPy."""

import sys

import numpy as np
import pytest

import stand_in
from head_light import HeadLightError, figure
from head_light.neuron_view import show
from stand_in import Embedding, Model, Module, Pair, Tensor, Tokenizer
from opened import opened

WORDS = "the cat sat on a mat she sees rug dog".split()
TEXT, SECOND = "the cat sat", "she sees"
KINDS = ("bert", "distilbert", "gpt2")


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    made = stand_in.torch()
    monkeypatch.setitem(sys.modules, "torch", made)
    return made


@pytest.fixture
def tokenizer():
    return Tokenizer(WORDS)


def test_attention_tokens_and_sentences_are_those_of_the_model(torch, tokenizer):
    model = Model()
    model.layer_1.eval()  # a part that stands otherwise than the whole
    before = [module.training for module in model.modules()]
    metadata, tensors = opened(figure(model, tokenizer, TEXT, SECOND))
    assert [module.training for module in model.modules()] == before and torch.gradients, "as it was"
    assert metadata["tokens"] == "[CLS] the cat sat [SEP] she sees [SEP]".split()
    assert metadata["sentences"] == [0] * 5 + [1] * 3 and metadata["mask"] == "all"
    torch.gradients = False
    out = model.eval()(tokenizer(TEXT, SECOND)["input_ids"], output_attentions=True)
    for i, layer in enumerate(out.attentions):
        assert np.abs(tensors[f"attention.{i}"] - layer.array[0]).max() < 2**-16
    assert opened(figure(Model("gpt2"), tokenizer, TEXT))[0]["mask"] == "causal"


def test_attention_without_weights_is_read_with_eager_and_is_back_after(tokenizer):
    model = Model(implementation="sdpa")
    with pytest.warns(UserWarning, match="'sdpa' attention gives no weights"):
        _, tensors = opened(figure(model, tokenizer, TEXT))
    assert model.config._attn_implementation == "sdpa" and tensors["attention.0"].any()
    with pytest.warns(UserWarning), pytest.raises(HeadLightError, match="could not read the text"):
        model.forward = lambda **_: 1 / 0
        figure(model, tokenizer, TEXT)
    assert model.config._attn_implementation == "sdpa", "after an error, too"


@pytest.mark.parametrize("kind", KINDS)
def test_queries_and_keys_make_the_attention(tokenizer, kind):
    shown = show(Model(kind), kind, tokenizer, TEXT, layer=1, head=1, html_action="return")
    metadata, tensors = opened(shown)
    assert metadata["mask"] == ("causal" if kind == "gpt2" else "all")
    for layer in range(2):
        q, k, v = (tensors[f"{one}.{layer}"] for one in "qkv")
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        assert np.abs(scores - tensors[f"scores.{layer}"]).max() < 0.05
        masked = np.where(np.tri(q.shape[1]) > 0, scores, -np.inf) if kind == "gpt2" else scores
        weights = tensors[f"attention.{layer}"]
        assert np.abs(stand_in.softmax(masked) - weights).max() < 0.02
        context = (weights @ v).transpose(1, 0, 2).reshape(q.shape[1], -1)
        assert np.abs(context - tensors[f"context.{layer}"]).max() < 0.02
        assert np.abs(tensors[f"projected.{layer}"] - made_of(kind, layer, tensors[f"context.{layer}"])).max() < 0.1


def made_of(kind, layer, context):
    """What the module behind the context makes of it."""
    one = getattr(Model(kind), f"layer_{layer}")
    place = {"bert": lambda: one.output.dense, "distilbert": lambda: one.attention.out_lin, "gpt2": lambda: one.attention.c_proj}
    return place[kind]()(Tensor(context)).array


def test_scores_that_do_not_make_the_attention_are_refused(tokenizer):
    assert figure(Model(scale=1.0), tokenizer, TEXT, view="neuron")
    with pytest.raises(HeadLightError, match="makes its attention in layer 0 of more than queries and keys"):
        figure(Model(scale=0.25), tokenizer, TEXT, view="neuron")
    extra = Model()
    extra.cross = stand_in.Layer("bert", 8, 1)  # as the cross-attention of a decoder: no layer of its own
    extra._parts.append("cross")
    assert figure(extra, tokenizer, TEXT, view="neuron"), "it was not called"
    extra.layer_1.register_forward_hook(lambda *_: extra.cross(Tensor(np.ones((1, 5, 8), np.float32)), 2, 1.0))
    with pytest.raises(HeadLightError, match="neuron view is for"):
        figure(extra, tokenizer, TEXT, view="neuron")


# Texts that are longer than a model


def longer(tokenizer, count):
    """A text of so many tokens."""
    return " ".join(["cat"] * (count - tokenizer.begins - tokenizer.ends))


@pytest.mark.parametrize(
    "table, most",
    [({}, 16), ({"padding_idx": 1}, 14), ({"offset": 2}, 14), ({"padding_idx": 0}, 15)],
)
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_a_text_of_more_tokens_than_positions_is_refused_and_one_of_as_many_is_read(tokenizer, kind, table, most):
    model = Model(kind, **table)
    for view in ("heads", "neuron"):
        assert len(opened(figure(model, tokenizer, longer(tokenizer, most), view=view))[0]["tokens"]) == most
        sentence = f"the text has {most + 1} tokens, and Model has positions for {most}; shorten it"
        with pytest.raises(HeadLightError, match=sentence):
            figure(model, tokenizer, longer(tokenizer, most + 1), view=view)


def test_the_smallest_table_counts(tokenizer):
    model = Model()
    model._parts.append("other")
    for rows, most in ((12, 12), (30, 16)):
        model.other = Module(embed_positions=Embedding(rows, 8))
        with pytest.raises(HeadLightError, match=f"has positions for {most}"):
            figure(model, tokenizer, longer(tokenizer, most + 1))


def test_tables_that_grow_or_repeat_are_no_limit(tokenizer):
    for name in ("make_weight", "max_length"):
        model = Model()
        setattr(model.position_embeddings, name, 1)
        model.position_embeddings.forward = lambda ids: Tensor(np.zeros((ids.shape[-1], 8), np.float32))
        assert figure(model, tokenizer, longer(tokenizer, 30))


def test_a_limit_that_only_the_config_knows_is_told_when_the_model_fails(tokenizer):
    model = Model()
    model.other = model.position_embeddings
    model._parts[1] = "other"
    with pytest.raises(HeadLightError, match=r"could not read the text: .*The text has 20 tokens, and max_position_embeddings is 16"):
        figure(model, tokenizer, longer(tokenizer, 20))
    model.forward = lambda **_: [][1]
    with pytest.raises(HeadLightError, match="could not read the text: IndexError: list index out of range.$"):
        figure(model, tokenizer, longer(tokenizer, 16))


def test_source_and_target_have_limits_of_their_own(tokenizer):
    for source, target, what in ((9, 3, "the text has 9"), (3, 9, "the second text has 9")):
        words = [longer(tokenizer, source), " ".join(["cat"] * (target - 1))]
        with pytest.raises(HeadLightError, match=f"{what} tokens, and Pair has positions for 8"):
            figure(Pair(most=8), tokenizer, *words)
    assert figure(Pair(most=8), tokenizer, longer(tokenizer, 8), " ".join(["cat"] * 7))


def test_ids_that_the_model_has_no_vectors_for_are_of_another_tokenizer(tokenizer):
    for model in (Model(vocabulary=9), Pair(vocabulary=9)):
        with pytest.raises(HeadLightError, match="gives 'rug' the id 11, and .* has vectors for ids 0 to 8: they are of two models"):
            figure(model, tokenizer, "the cat", "rug")
        assert figure(model, tokenizer, "the cat", "sat")
    with pytest.raises(HeadLightError, match="ids 0 to 10"):
        figure(Model(vocabulary=11), tokenizer, "rug")
    assert figure(Model(vocabulary=12), tokenizer, "rug")


# Models inside of other modules


class Own(Module):
    """A reader's own module around a model."""

    def forward(self, input_ids, attention_mask=None):
        return None


class Quiet(Module):
    def forward(self, **_):
        return Tensor(np.zeros(3))


def sentence_transformer(**config):
    """As sentence-transformers builds it: a sequence, and in it one that calls the model auto_model."""
    for name in ("auto_model", "model"):
        first = Module(**{name: Model()})
        first.auto_model = getattr(first, name)
        made = Module(**{"0": first, "1": Module()})
        made.forward = lambda input, **_: None
        if config:
            made.config = first.auto_model.config
            made.config._attn_implementation = "sdpa"
        yield made


def in_one():
    """A model that holds another one, as one for a task does."""
    model = Model()
    model.inner = Model()
    model._parts.append("inner")
    return model


def wrapped():
    return [
        *((one, r"show\(model\[0\]\.auto_model, tokenizer, text\)") for one in sentence_transformer()),
        *((one, r"show\(model\[0\]\.auto_model, tokenizer, text\)") for one in sentence_transformer(config=True)),
        (Own(bert=Model(), head=Module()), r"output_attentions.*show\(model\.bert, tokenizer, text\)"),
        (Own(tower=Module(**{"a b": Model()})), r"show\(model\.tower\['a b'\], tokenizer"),
        (Quiet(bert=Model()), r"Quiet gave no attention.*show\(model\.bert"),
        (Quiet(query=Model(), passage=Model()), r"show\(model\.query, tokenizer, text\) or show\(model\.passage,"),
        (Quiet(whole=Pair()), r"show\(model\.whole, tokenizer, text\)$"),
        (Quiet(whole=in_one()), r"show\(model\.whole, tokenizer, text\)$"),
    ]


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("view", ["heads", "neuron"])
def test_the_model_inside_of_another_module_is_named(tokenizer, number, view):
    model, sentence = wrapped()[number]
    if view == "neuron":
        sentence = sentence.partition(".*")[2] or sentence
    with pytest.raises(HeadLightError, match=sentence):
        figure(model, tokenizer, TEXT, view=view)


def test_a_module_that_hands_everything_on_is_read(tokenizer):
    model = Own(bert=Model())
    model.forward = lambda **inputs: model.bert(**inputs)
    _, tensors = opened(figure(model, tokenizer, TEXT))
    assert np.array_equal(tensors["attention.1"], opened(figure(Model(), tokenizer, TEXT))[1]["attention.1"])


def test_a_model_that_holds_none_says_what_it_lacks(tokenizer):
    with pytest.raises(HeadLightError, match="Own could not read the text: TypeError: .*output_attentions") as caught:
        figure(Own(), tokenizer, TEXT)
    assert "It holds" not in str(caught.value) and isinstance(caught.value.__cause__, TypeError)


@pytest.mark.parametrize(
    "out, sentence",
    [
        (dict(attentions=()), "gave no attention; load it"),
        (dict(attentions=(None, None)), "gave no attention; load it"),
        (dict(attentions=(np.ones((1, 2, 5, 5)) / 5, None)), "gave no attention in layers 1; those that have none"),
        (dict(attentions=(np.ones((1, 2, 5, 3)) / 3,)), r"in layer 0 has shape \[1, 2, 5, 3\], and the text has 5 tokens"),
        (dict(attentions=(np.ones((1, 2, 5, 5)) / 5, np.ones((1, 2, 3, 5)) / 5)), r"in layer 1 has shape \[1, 2, 3, 5\]"),
        (dict(), "gave no attention; load it"),
    ],
)
def test_outputs_that_are_not_from_each_token_to_each(tokenizer, out, sentence):
    model = Model()
    tensors = {name: tuple(one if one is None else Tensor(one) for one in value) for name, value in out.items()}
    model.forward = lambda **_: stand_in.Output(**tensors)
    with pytest.raises(HeadLightError, match=sentence):
        figure(model, tokenizer, TEXT)


def test_what_is_no_model_no_tokenizer_and_no_text(tokenizer):
    model = Model()
    pipe = type("Pipeline", (), {"model": model, "tokenizer": tokenizer})()
    processor = type("Processor", (), {"tokenizer": tokenizer, "__call__": lambda self: None})()
    bare = type("Tokenizer", (), {"token_to_id": None})()
    for arguments, sentence in (
        ((Model, tokenizer, TEXT), "the model is the class Model; load one"),
        ((model, Tokenizer, TEXT), "the tokenizer is the class Tokenizer"),
        ((tokenizer, model, TEXT), "Tokenizer is a tokenizer, and the model comes first"),
        ((model, TEXT, tokenizer), "the tokenizer is str, which cannot be called"),
        ((pipe, TEXT), r"pass its parts: show\(pipe.model, pipe.tokenizer, text\)"),
        ((model, processor, TEXT), "pass its .tokenizer"),
        ((model, bare, TEXT), "PreTrainedTokenizerFast"),
        ((model, lambda text: text, TEXT), "no convert_ids_to_tokens"),
        ((object(), tokenizer, TEXT), "the model is object; a PyTorch model was expected"),
        ((model, tokenizer, ["a", "b"]), "text is list; one str"),
        ((model, tokenizer, TEXT, 5), "the second text is int; one str"),
        ((Pair(), tokenizer, TEXT, ["a"]), "the second text is list; one str"),
        ((Pair(), tokenizer, TEXT), "an encoder and a decoder"),
        ((model, tokenizer, "unknown"), "Tokenizer could not read the text: ValueError"),
        ((model, Tokenizer(WORDS, False, False), ""), "the text has no tokens"),
        ((stand_in.Output(attentions=()), tokenizer, TEXT), "the model is Output, a whole output; pass outputs.attentions"),
    ):
        with pytest.raises(HeadLightError, match=sentence):
            figure(*arguments)


# Targets of an encoder and a decoder


def shift_of_three(ids, pad_token_id, decoder_start_token_id):
    shifted = ids.clone()
    shifted[:, 1:], shifted[:, 0] = ids[:, :-1], decoder_start_token_id
    return shifted


def shift_of_two(ids, pad_token_id):
    """mBART's: what stands last, the language, comes first."""
    return Tensor(np.roll(ids.array, 1, axis=-1))


def shift_that_lacks(ids):
    raise AttributeError("'T5Config' object has no attribute 'decoder_start_token_id'")


def a_pair(monkeypatch, method=None, function=None, start=1, generation=None):
    """A pair whose class, or its module, has a shift as transformers has it."""
    kind = type("PairWithShift", (Pair,), {"__module__": "modeling_of_a_test"})
    module = type(sys)("modeling_of_a_test")
    if function:
        module.shift_tokens_right = function
    monkeypatch.setitem(sys.modules, "modeling_of_a_test", module)
    model = kind(start=start)
    if method:
        name, own = method
        setattr(model, name, own)
    if generation is not None:
        model.generation_config = type("Config", (), {"decoder_start_token_id": generation})
    return model


@pytest.mark.parametrize(
    "given, ids",
    [
        (dict(method=("prepare_decoder_input_ids_from_labels", lambda ids: shift_of_three(ids, 0, 8))), [8, 9, 10]),
        (dict(method=("_shift_right", lambda ids: shift_of_three(ids, 0, 7))), [7, 9, 10]),
        (dict(function=shift_of_three), [1, 9, 10]),
        (dict(function=shift_of_two), [2, 9, 10]),
        (dict(), [1, 9, 10]),
        (dict(start=None, generation=5), [5, 9, 10]),
        (dict(start=None, generation=5, function=shift_of_three), [5, 9, 10]),
        (dict(start=None, generation=5, method=("_shift_right", shift_that_lacks)), [5, 9, 10]),
    ],
)
def test_a_target_stands_behind_its_first_token(monkeypatch, tokenizer, given, ids):
    """Row t is attention while the model predicts token t + 1: the decoder's input is what transformers makes of labels."""
    model = a_pair(monkeypatch, **given)
    metadata, tensors = opened(figure(model, tokenizer, TEXT, SECOND))
    assert tokenizer(text_target=SECOND)["input_ids"].array.tolist() == [[9, 10, 2]]
    assert model.seen == ids
    assert metadata["decoder_tokens"] == tokenizer.convert_ids_to_tokens(Tensor(ids))
    assert tensors["decoder.0"].shape == (2, 3, 3) and tensors["cross.1"].shape == (2, 3, 5)


@pytest.mark.parametrize(
    "given, sentence",
    [
        (dict(start=None), "does not say what its decoder starts with; set model.config.decoder_start_token_id"),
        (dict(start=None, method=("_shift_right", shift_that_lacks)), "behind its first token: .*no attribute"),
        (dict(method=("_shift_right", lambda ids: int("pad"))), "behind its first token: invalid literal"),
    ],
)
def test_a_decoder_without_a_first_token_is_refused(monkeypatch, tokenizer, given, sentence):
    with pytest.raises(HeadLightError, match=sentence):
        figure(a_pair(monkeypatch, **given), tokenizer, TEXT, SECOND)


# BertViz's own classes


def of_bertviz(attentions):
    """A model of bertviz.transformers_neuron_view: the tuple of its outputs ends in what each layer gives."""
    kind = type("BertModel", (Model,), {"__module__": "bertviz.transformers_neuron_view.modeling_bert"})
    model = kind()

    def forward(input_ids, token_type_ids=None):
        model.seen = input_ids.array[0].tolist(), None if token_type_ids is None else token_type_ids.array[0].tolist()
        out = Model.forward(model, input_ids, output_attentions=True)
        return out.last_hidden_state, [{"attn": one} for one in out.attentions] if attentions == "dicts" else list(out.attentions)

    model.forward = forward
    return model


class Words(Tokenizer):
    cls_token, sep_token = "[CLS]", "[SEP]"

    def tokenize(self, text):
        return text.split()

    def convert_tokens_to_ids(self, tokens):
        return [self.words.index(one) for one in tokens]


@pytest.mark.parametrize("attentions", ["dicts", "tensors"])
def test_models_of_bertviz(attentions):
    words = Words(WORDS)
    model = of_bertviz(attentions)
    metadata, tensors = opened(show(model, "bert", words, TEXT, SECOND, html_action="return"))
    assert metadata["tokens"] == "[CLS] the cat sat [SEP] she sees [SEP]".split()
    assert model.seen == ([1, 3, 4, 5, 2, 9, 10, 2], [0] * 5 + [1] * 3)
    assert metadata["sentences"] == [None, 0, 0, 0, None, 1, 1, None]
    weights = stand_in.softmax(tensors["q.1"] @ tensors["k.1"].transpose(0, 2, 1) / np.sqrt(tensors["q.1"].shape[-1]))
    assert np.abs(weights - tensors["attention.1"]).max() < 0.01
    metadata, _ = opened(show(model, "roberta", words, TEXT, SECOND, html_action="return"))
    assert metadata["tokens"] == "[CLS] the cat sat [SEP] [SEP] she sees [SEP]".split() and model.seen[1] is None
    assert opened(show(model, "bert", words, TEXT, html_action="return"))[0].get("sentences") is None
    for head, first in ((None, [0]), (0, [0]), (1, [1])):
        shown = show(model, "bert", words, TEXT, head=head, html_action="return")
        assert shown.spec["state"]["heads"] == first, head
    with pytest.raises(HeadLightError, match="the text has 18 tokens, and BertModel has positions for 16"):
        show(model, "bert", words, "cat " * 16, html_action="return")
    model.forward = lambda **_: [][1]
    with pytest.raises(HeadLightError, match="BertModel could not read the text: IndexError"):
        show(model, "bert", words, TEXT, html_action="return")

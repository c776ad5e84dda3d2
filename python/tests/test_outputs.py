"""What is given instead of attention or of tokens: whole outputs, what generate() gives, one layer. Each is refused
by a sentence that names what to pass, and what it names is taken."""

from collections import OrderedDict, UserDict, namedtuple

import numpy as np
import pytest

from head_light import HeadLightError, figure, head_view, measure
from opened import opened
from stand_in import Output, Tensor, softmax

TOKENS = list("abcde")


def layers(queries=5, keys=5, count=2, batch=1, kind=Tensor):
    draw = np.random.default_rng(queries * 10 + keys)
    return tuple(kind(softmax(draw.normal(size=(batch, 3, queries, keys))).astype(np.float32)) for _ in range(count))


def steps(count=3, cached=True, first=2, **more):
    """The attention of generate(): a tuple of layers for each token that is written."""
    return tuple(
        layers(1 if cached and i else first + i, first + i, **more) for i in range(count)
    )


def cross_steps(count=3, **more):
    return tuple(layers(1, 5, **more) for _ in range(count))


HIDDEN = Tensor(np.random.default_rng(3).normal(size=(1, 5, 8)).astype(np.float32))
POOLED = Tensor(HIDDEN.array[:, 0])
Named = namedtuple("Named", "last_hidden_state attentions")
WHOLE = r"a whole output; pass outputs\.attentions$"
NONE = "a whole output that holds no attention: load the model with attn_implementation='eager'"
BEAMS = r"attention has the steps of 2 texts or beams, and one is shown: generate one text with num_beams=1"
OTHERS = dict(last_hidden_state=HIDDEN, pooler_output=POOLED)


class Cache:
    """Keys and values of earlier tokens."""

    def get_seq_length(self):
        return 5


class Bare:
    """An output that is no dict."""

    attentions = layers()


GIVEN = {
    # whole outputs, with names and without
    "output": (Output(**OTHERS, attentions=layers()), WHOLE),
    "output of a decoder with cross-attention": (Output(attentions=layers(), cross_attentions=layers()), WHOLE),
    "dict": (dict(Output(**OTHERS, attentions=layers())), WHOLE),
    "object": (Bare(), WHOLE),
    "named tuple": (Named(HIDDEN, layers()), WHOLE),
    "output of SDPA": (Output(**OTHERS), NONE),
    "output of SDPA, hidden": (Output(hidden_states=(HIDDEN,)), NONE),
    "output with None": (type("Out", (), {"logits": HIDDEN, "attentions": None})(), NONE),
    "two stacks": (
        Output(encoder_attentions=layers(), decoder_attentions=layers(), cross_attentions=layers()),
        "head_view.encoder_attention=outputs.encoder_attentions, decoder_attention=outputs.decoder_attentions, "
        "cross_attention=outputs.cross_attentions, encoder_tokens=",
    ),
    "tuple": ((HIDDEN, POOLED, layers()), r"outputs\[2\], or outputs\.attentions$"),
    "tuple with hidden": ((HIDDEN, POOLED, (HIDDEN,) * 3, layers()), r"outputs\[3\], or"),
    "tuple with a loss and a cache": ((Tensor(0.5), HIDDEN, Cache(), layers()), r"outputs\[3\], or"),
    "tuple of two stacks": ((HIDDEN, layers(), layers(), HIDDEN, layers()), "return_dict=True, and pass"),
    "tuple with cross-attention": ((HIDDEN, layers(), layers(5, 4)), r"outputs\[1\], or"),
    "tuple without attention": ((HIDDEN, POOLED), "a model's whole output without attention: load"),
    # generate
    "generate, without attention": (
        Output(sequences=1, attentions=None), r"without attention: .*return_dict_in_generate=True, output_attentions=True",
    ),
    "generate, whole, two stacks": (
        Output(sequences=1, encoder_attentions=layers(), decoder_attentions=steps(first=1), cross_attentions=cross_steps()),
        r"pass its parts: head_view\(encoder_attention=outputs.encoder_attentions, decoder_attention=outputs.decoder_attentions",
    ),
    "generate, without a cache": (steps(cached=False), r"3 steps of generate\(\) without a cache; pass .*: attention\[-1\]"),
    "generate, beams": (steps(batch=2), BEAMS),
    "generate, one step": (steps(1, first=5), r"pass attention\[0\], a list with one tensor for each layer"),
    "one step": (steps()[1], r"one query, and there are 5 tokens: one step of generate\(\)\?"),
    # more and less than layers
    "one list too many": ([layers()], r"pass attention\[0\], a list with one tensor"),
    "two texts": ([layers(), layers()], r"2 texts or models, and one is shown: pass attention\[0\]"),
    "two texts, other lengths": ([layers(5, 5), layers(4, 4)], r"2 texts or models"),
    "one layer, nested lists": (layers()[0].array[0].tolist(), r"put them into a list: \[attention\]"),
    "one head, nested lists": (layers()[0].array[0, 0].tolist(), r"two lists"),
    "one row": (np.full(5, 0.2), r"has shape \[5\]; .* Pass the attentions of a model's output"),
    "one number": (np.array(0.2), "a list with a tensor for each layer"),
    # others
    "hidden states": ((HIDDEN,) * 3, r"pass outputs\.attentions; \[1, 5, 8\] looks like hidden states"),
    "scores": (tuple(Tensor(layer.array[..., :4] - 1) for layer in layers()), "pass what the softmax gives, after model.eval"),
    "one key": (layers(5, 1), "has 1 keys, and there are 5 tokens: a b c d e"),
    "keys and values": (Cache(), r"Cache, keys and values; pass outputs\.attentions"),
    "inputs": (dict(input_ids=1, attention_mask=2), "which a tokenizer gives"),
    "another dict": ({0: layers()}, "dict with 0; a list with a tensor for each layer"),
    "an empty dict": (OrderedDict(), "with nothing; a list"),
    "a text": ("attention", "attention is str; a list"),
    "bytes": (b"attention", "attention is bytes; a list"),
    "texts": (["a", "b"], "no array of numbers: str"),
    "objects": ([object(), object()], "no array of numbers: object"),
    "a layer of another length": ([*layers(), None], r"attention\[2\] is None"),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_no_attention_is_refused_by_what_to_pass(name):
    given, sentence = GIVEN[name]
    for call in (lambda: head_view(given, TOKENS, html_action="return"), lambda: measure(given, TOKENS)):
        with pytest.raises(HeadLightError, match=sentence):
            call()
    if not isinstance(given, str):
        with pytest.raises(HeadLightError, match=sentence):
            figure(given, TOKENS)


def test_what_a_sentence_says_to_pass_is_taken():
    whole = [
        Output(**OTHERS, attentions=layers()).attentions,
        (HIDDEN, POOLED, layers())[2],
        [layers()][0],
        [layers()[0][0]],
        [[layers()[0][0][0]]],
        [layers()[0].array[0].tolist()],
        [[layers()[0].array[0, 0].tolist()]],
        steps(1, first=5)[0],
        # as before
        layers()[0],
        [layers()[0], layers()[1][0]],
        [[layers()[0].array[0]], [layers()[1].array[0]]],
        [layer.array.tolist() for layer in layers()],
        layers(1, 1),
    ]
    for given in whole:
        assert figure(given, TOKENS if np.asarray(sizes_of(given))[-1] == 5 else ["a"])


def sizes_of(given):
    from head_light.outputs import sizes

    return sizes(given)


def weights(figure, name="attention.1"):
    """A layer of a figure, [H, Q, K]."""
    return opened(figure)[1][name]


def by_hand(given, rows, keys):
    """The rows of each step of layer 1, one by one."""
    out = np.zeros((3, rows, keys))
    at = 0
    for step in given:
        array = step[1].array[0]
        out[:, at : at + array.shape[1], : array.shape[2]] = array
        at += array.shape[1]
    assert at == rows
    return out


KINDS = {
    "tensors": steps(),
    "lists": [list(one) for one in steps()],
    "arrays": steps(kind=np.asarray),
    "without the batch": tuple(tuple(layer[0] for layer in step) for step in steps()),
    "nested lists": [[layer.array.tolist() for layer in step] for step in steps()],
    "the whole output": Output(sequences=1, attentions=steps()),
    "the whole output, as a dict": {"sequences": 1, "attentions": steps()},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tokens", [TOKENS[:4], TOKENS])
def test_what_generate_gives_has_its_rows_under_each_other(kind, tokens, recwarn):
    shown = figure(KINDS[kind], tokens)
    np.testing.assert_allclose(weights(shown), by_hand(steps(), 4, 4), atol=2**-15)
    told = [str(one.message) for one in recwarn if "'e', was written and not read" in str(one.message)]
    assert len(told) == len(tokens) - 4
    assert measure(KINDS[kind], tokens)["entropy"].shape == (2, 3)


def test_generate_of_an_encoder_with_a_decoder():
    lists = {"encoder_tokens": TOKENS, "decoder_tokens": list("xyz")}
    for part, given in (("decoder", steps(first=1)), ("cross", cross_steps())):
        shown = head_view(**{f"{part}_attention": given}, **lists, html_action="return")
        expected = by_hand(given, 3, 3 if part == "decoder" else 5)
        np.testing.assert_allclose(weights(shown, f"{part}.1"), expected, atol=2**-15)
    with pytest.raises(HeadLightError, match="cross_attention has the steps of 2 texts or beams"):
        head_view(cross_attention=cross_steps(batch=2), **lists, html_action="return")


class Held:
    """As TransformerLens's ActivationCache: a dict in it, and keys by its own rules."""

    def __init__(self, held):
        self.cache_dict = held


def cache(*of):
    held = {"hook_embed": HIDDEN, "blocks.0.attn.hook_q": HIDDEN}
    for layer in reversed(of):  # the order of keys says nothing
        held[f"blocks.{layer}.attn.hook_pattern"] = layers()[layer % 2]
    return held


def test_caches_of_transformer_lens():
    for given in (cache(0, 1), Held(cache(0, 1))):
        np.testing.assert_allclose(weights(figure(given, TOKENS)), layers()[1].array[0], atol=2**-15)
    for held, said in ((cache(), "with no hook_pattern"), ({"hook_embed": HIDDEN}, "with no hook_pattern"), (cache(1), "with hook_pattern of the layers 1 alone")):
        with pytest.raises(HeadLightError, match=rf"attention is TransformerLens's cache {said}; .*names_filter"):
            figure(Held(held), TOKENS)


def test_one_layer_and_one_head_as_arrays():
    layer = layers()[0].array[0]
    for given in (layer, Tensor(layer)):
        np.testing.assert_allclose(weights(figure(given, TOKENS), "attention.0"), layer, atol=2**-15)
    for given in (layer[1], Tensor(layer[1])):
        np.testing.assert_allclose(weights(figure(given, TOKENS), "attention.0"), layer[1:2], atol=2**-15)


def test_a_model_instead_of_its_attention():
    from stand_in import Model

    with pytest.raises(HeadLightError, match=r"attention is Model, a model; pass model\(\*\*inputs, output_attentions=True\)"):
        head_view(Model(), TOKENS)


class Encoding:
    tokens = TOKENS


@pytest.mark.parametrize(
    "tokens, sentence",
    [
        (dict(input_ids=1, attention_mask=2), r"dict with input_ids, attention_mask; .*convert_ids_to_tokens\(inputs\['input_ids'\]\[0\]\)"),
        (UserDict(input_ids=1), r"UserDict with input_ids; .*convert_ids_to_tokens"),  # as a BatchEncoding is
        (Encoding(), "pass its tokens: encoding.tokens"),
        ([TOKENS], r"lists of tokens; those of one text were expected: tokens\[0\]"),
        (Tensor([1, 2, 3, 4, 5]), r"holds .*; texts were expected: tokenizer.convert_ids_to_tokens"),
        (b"abcde", "holds 97; texts"),
        (5, "'tokens' is int; a list of texts"),
        ("abcde", "is one text; a list of tokens"),
        (None, "'tokens' is required"),
    ],
)
def test_what_are_no_tokens(tokens, sentence):
    with pytest.raises(HeadLightError, match=sentence):
        figure(layers(), tokens)

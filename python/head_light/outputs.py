"""What was given instead of attention: a whole output, what generate() gives, one layer. Each ends in a sentence
that names what to pass."""

import os
from typing import Any, List, Mapping, Sequence, Tuple

from .errors import HeadLightError

EAGER = (
    "load the model with attn_implementation='eager' and call it with output_attentions=True; "
    "with SDPA or Flash attention transformers returns none"
)
#: members of an output -> the arguments of head_view that take them
NAMED = {
    "attentions": "attention",
    "encoder_attentions": "encoder_attention",
    "decoder_attentions": "decoder_attention",
    "cross_attentions": "cross_attention",
}
#: other members, by which an output without attention is known
OTHERS = ("last_hidden_state", "logits", "hidden_states", "encoder_last_hidden_state", "past_key_values")


def member(value: Any, name: str) -> Any:
    """A member of an output, which may be a dict; None where there is none."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def depth(value: Any) -> int:
    """How many dimensions an array or nested lists have."""
    if isinstance(value, (list, tuple)):
        return 1 + (depth(value[0]) if value else 0)
    return int(getattr(value, "ndim", 0))


def sizes(value: Any) -> Tuple[int, ...]:
    """The shape of an array or of nested lists."""
    if isinstance(value, (list, tuple)):
        return (len(value), *(sizes(value[0]) if value else ()))
    return tuple(int(one) for one in getattr(value, "shape", ()))


def _check_named(value: Any, name: str) -> None:
    """An output with members that have names, or another dict."""
    kind = type(value).__name__
    held = [one for one in NAMED if member(value, one) is not None]
    if member(value, "sequences") is not None and not held:
        raise HeadLightError(
            f"{name} is {kind}, the output of generate() without attention: load the model with "
            "attn_implementation='eager', and call generate(..., return_dict_in_generate=True, output_attentions=True)"
        )
    if "attentions" in held:
        raise HeadLightError(f"{name} is {kind}, a whole output; pass outputs.attentions")
    if held:
        given = ", ".join(f"{NAMED[one]}=outputs.{one}" for one in held)
        raise HeadLightError(
            f"{name} is {kind}, a whole output of an encoder and a decoder; pass its parts: "
            f"head_view({given}, encoder_tokens=..., decoder_tokens=...)"
        )
    if any(member(value, one) is not None for one in OTHERS):
        raise HeadLightError(f"{name} is {kind}, a whole output that holds no attention: {EAGER}")
    if hasattr(value, "get_seq_length"):
        raise HeadLightError(f"{name} is {kind}, keys and values; pass outputs.attentions")
    if member(value, "input_ids") is not None:
        raise HeadLightError(
            f"{name} is {kind}, which a tokenizer gives; pass model(**inputs, output_attentions=True).attentions"
        )
    if isinstance(value, Mapping):
        raise HeadLightError(
            f"{name} is {kind} with {', '.join(map(str, list(value)[:4])) or 'nothing'}; a list with a tensor for "
            "each layer was expected"
        )


def _grows(steps: List[Tuple[int, ...]]) -> bool:
    """Shapes [..., T, T] of one layer after the other as generate() writes on without a cache: one token more."""
    return all(b[-2:] == (a[-2] + 1, a[-1] + 1) for a, b in zip(steps, steps[1:]))


def _check_nested(layers: List[Any], name: str) -> None:
    """Lists in lists: steps of generate(), several texts, one list too many."""
    if not all(isinstance(one, (list, tuple)) and one and depth(one[0]) >= 3 for one in layers):
        return
    shapes = [sizes(one[0]) for one in layers]
    whole = len(shapes[0]) >= 4
    if not whole and len({shape[-2:] for shape in shapes}) == 1:
        return  # one layer as nested lists, of one text or of a batch
    said = f"{name}[0] is itself a list, of {len(layers[0])} tensors {list(shapes[0])}"
    if len(layers) == 1:
        raise HeadLightError(f"{said}; pass {name}[0], a list with one tensor for each layer")
    if _grows(shapes):
        raise HeadLightError(
            f"{said}: {len(layers)} steps of generate() without a cache; pass the last one, which has all rows: {name}[-1]"
        )
    raise HeadLightError(f"{said}: {len(layers)} texts or models, and one is shown: pass {name}[0]")


def _is_square(one: Any) -> bool:
    """Is it a tuple of [B, H, T, T]?"""
    return (
        isinstance(one, (list, tuple))
        and bool(one)
        and all(depth(part) == 4 and sizes(part)[2] == sizes(part)[3] for part in one)
    )


def _check_tuple(layers: List[Any], name: str) -> None:
    """The tuple that a model gives with return_dict=False: arrays and lists of arrays beside each other."""
    depths = [depth(one) for one in layers]
    if len(set(depths)) == 1 or set(depths) <= {3, 4} or any(one is None or isinstance(one, str) for one in layers):
        return
    said = f"{name} is a tuple whose members have {', '.join(map(str, depths))} dimensions, a model's whole output"
    found = [i for i, one in enumerate(layers) if _is_square(one)]
    if len(found) == 1:
        raise HeadLightError(f"{said}; pass what of it is the attention, outputs[{found[0]}], or outputs.attentions")
    if found:
        raise HeadLightError(f"{said}; call it with return_dict=True, and pass outputs.attentions or its parts by name")
    raise HeadLightError(f"{said} without attention: {EAGER}")


def _check_few(layers: List[Any], name: str) -> None:
    """One layer, one head, one query: less than a list of layers."""
    dimensions = {depth(one) for one in layers}
    numbers = all(isinstance(one, (int, float, list, tuple)) or hasattr(one, "ndim") for one in layers)
    if dimensions not in ({0}, {1}, {2}) or not numbers:
        return
    shape = [len(layers), *sizes(layers[0])]
    tip = {
        3: f"If these are the heads of one layer, put them into a list: [{name}]",
        2: f"If this is one head, put it into two lists: [[{name}]]",
        1: "Pass the attentions of a model's output, called with output_attentions=True",
    }[len(shape)]
    raise HeadLightError(f"{name} has shape {shape}; [1, heads, tokens, tokens] for each layer was expected. {tip}")


def check_given(value: Any, name: str) -> List[Any]:
    """The layers, not looked into; what is something else is refused by its name."""
    expected = "a list with a tensor for each layer was expected"
    if value is None:
        raise HeadLightError(f"{name} is None: {EAGER}")
    kind = type(value).__name__
    if isinstance(value, (str, bytes, os.PathLike)):
        raise HeadLightError(f"{name} is {kind}; {expected}")
    if hasattr(value, "named_modules"):
        raise HeadLightError(
            f"{name} is {kind}, a model; pass model(**inputs, output_attentions=True).attentions, or call "
            "show(model, tokenizer, text)"
        )
    _check_named(value, name)
    try:
        layers = value if isinstance(value, list) else list(value)
    except TypeError:
        raise HeadLightError(f"{name} is {kind}; {expected}") from None
    if not layers:
        raise HeadLightError(
            f"{name} has no layers. Pass outputs.attentions (since transformers 5 outputs[-1] may be the "
            f"cross-attention, which is empty); if that is empty, too: {EAGER}"
        )
    if isinstance(value, (list, tuple)):
        _check_tuple(layers, name)
    _check_nested(layers, name)
    _check_few(layers, name)
    return layers


def no_attention(source: Any, given: Sequence[Any]) -> str:
    """What to say of a call that has neither a PyTorch model with its tokenizer nor attention with its tokens."""
    kind = type(source).__name__
    if hasattr(source, "model") and hasattr(source, "tokenizer"):
        return f"{kind} cannot be read as a whole; pass its parts: show(pipe.model, pipe.tokenizer, text)"
    if hasattr(source, "convert_ids_to_tokens"):
        return f"{kind} is a tokenizer, and the model comes first: show(model, tokenizer, text)"
    if any(hasattr(one, "convert_ids_to_tokens") for one in given):
        _check_named(source, "the model")
        return f"the model is {kind}; a PyTorch model was expected: show(model, tokenizer, text)"
    return "attention and its tokens were expected: show(outputs.attentions, tokens)"

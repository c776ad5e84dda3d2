"""Attention as it comes from PyTorch, NumPy or lists, checked and as float arrays.

Shapes: L layers, H heads, Q queries, K keys (T tokens where both are the same).
"""

import operator
from typing import Any, List, Mapping, Optional, Sequence

import numpy as np

from .errors import HeadLightError
from .outputs import EAGER, check_given
from .taken import Written, taken

#: 1, and what rounding to half precision may add
HIGHEST = 1.001


def as_array(value: Any) -> np.ndarray:
    """A tensor of any float type on any device, an array or nested lists as float32."""
    try:
        if hasattr(value, "detach"):
            value = value.detach().float().cpu().numpy()
        return np.asarray(value, dtype=np.float32)
    except (TypeError, ValueError, RuntimeError):
        raise HeadLightError(
            f"this is no array of numbers: {type(value).__name__}; tensors, NumPy arrays and lists "
            "of equal lengths are read"
        ) from None


def layer_of(value: Any, name: str) -> np.ndarray:
    """One layer as [H, Q, K]; a batch of one text is taken off."""
    if value is None:
        raise HeadLightError(f"{name} is None: {EAGER}")
    array = as_array(value)
    if array.ndim == 4 and array.shape[0] == 1:
        array = array[0]
    if array.ndim == 4:
        raise HeadLightError(
            f"{name} has shape {list(array.shape)}, a batch of {array.shape[0]} texts; one is shown: "
            "take [a[:1] for a in attention]"
        )
    if array.ndim != 3 or 0 in array.shape:
        raise HeadLightError(
            f"{name} has shape {list(array.shape)}; [1, heads, tokens, tokens] was expected. Pass the "
            "attentions of a model's output, called with output_attentions=True"
        )
    if not np.isfinite(array).all():
        head, query, _ = np.argwhere(~np.isfinite(array))[0]
        raise HeadLightError(
            f"{name} holds NaN or infinity (head {head}, query {query}); compute it in float32, and "
            "leave out queries that see no key"
        )
    if array.min() < 0 or array.max() > HIGHEST:
        hidden = array.shape[0] == 1 and array.shape[1] != array.shape[2] and array.min() < 0
        raise HeadLightError(
            f"{name} holds {array.min() if array.min() < 0 else array.max():.5g}; weights lie between 0 and 1: pass "
            + (
                f"outputs.attentions; [1, {array.shape[1]}, {array.shape[2]}] looks like hidden states [1, tokens, width]"
                if hidden
                else "what the softmax gives, after model.eval()"
            )
        )
    return array


def layers_of(attention: Any, name: str = "attention") -> List[np.ndarray]:
    """The layers of a model's output: a sequence of L layers, an array [L, (1,) H, Q, K], or what taken.py knows."""
    layers = check_given(taken(attention, name), name)
    kind = Written if isinstance(layers, Written) else list
    return kind(layer_of(layer, f"{name}[{i}]") for i, layer in enumerate(layers))


def check_layers(
    layers: Sequence[np.ndarray],
    queries: Sequence[str],
    keys: Sequence[str],
    name: str = "attention",
) -> None:
    """Every layer must be [H, Q, K] of these tokens, with the heads of the first."""
    heads = layers[0].shape[0]
    for i, layer in enumerate(layers):
        if layer.shape[0] != heads:
            raise HeadLightError(
                f"{name}[{i}] has {layer.shape[0]} heads, and {name}[0] has {heads}; all layers must "
                "have as many"
            )
        for size, tokens, side in ((layer.shape[1], queries, "queries"), (layer.shape[2], keys, "keys")):
            if size == len(tokens):
                continue
            if side == "queries" and size == 1:
                raise HeadLightError(
                    f"{name}[{i}] has one query, and there are {len(tokens)} tokens: one step of generate()? "
                    "Pass the attention of a call on the whole text, model(ids, output_attentions=True)"
                )
            raise HeadLightError(
                f"{name}[{i}] has {size} {side}, and there are {len(tokens)} tokens: "
                f"{' '.join(tokens[:8])}{' …' if len(tokens) > 8 else ''}. Pass the tokens of this "
                "very text, special ones too: tokenizer.convert_ids_to_tokens(input_ids[0])"
            )


def token_list(tokens: Any, name: str) -> List[str]:
    """A list of texts; bytes and numbers are refused."""
    if tokens is None:
        raise HeadLightError(f"'{name}' is required: tokenizer.convert_ids_to_tokens(input_ids[0])")
    if isinstance(tokens, str):
        raise HeadLightError(f"'{name}' is one text; a list of tokens was expected: tokenizer.tokenize(text)")
    kind = type(tokens).__name__
    if isinstance(getattr(tokens, "tokens", None), list):  # of the library tokenizers
        raise HeadLightError(f"'{name}' is {kind}; pass its tokens: encoding.tokens")
    if isinstance(tokens, Mapping):
        raise HeadLightError(
            f"'{name}' is {kind} with {', '.join(map(str, list(tokens)[:3]))}; texts were expected: "
            "tokenizer.convert_ids_to_tokens(inputs['input_ids'][0])"
        )
    try:
        found = list(tokens)
    except TypeError:
        raise HeadLightError(f"'{name}' is {kind}; a list of texts was expected") from None
    wrong = next((one for one in found if not isinstance(one, str)), None)
    if isinstance(wrong, (list, tuple)) and all(isinstance(one, str) for one in wrong):
        raise HeadLightError(f"'{name}' holds lists of tokens; those of one text were expected: {name}[0]")
    if wrong is not None:
        raise HeadLightError(
            f"'{name}' holds {wrong!r}; texts were expected: tokenizer.convert_ids_to_tokens(...)"
        )
    return found


def whole(value: Any, name: str) -> int:
    """A whole number."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return int(value)
    try:
        if not isinstance(value, (bool, np.bool_)):
            return operator.index(value)
    except TypeError:
        pass
    raise HeadLightError(f"{name} is {value!r}; a whole number was expected")


def whole_list(values: Any, name: str) -> List[int]:
    """Whole numbers, of one or of several."""
    if isinstance(values, (str, bytes, Mapping)):
        raise HeadLightError(f"{name} is {values!r}; a list of whole numbers was expected")
    try:
        found = list(values)
    except TypeError:
        found = [values]
    return [whole(one, name) for one in found]


def chosen(indexes: Optional[Sequence[int]], count: int, name: str) -> List[int]:
    """Numbers from 0 to below count, all where none are given."""
    if indexes is None:
        return list(range(count))
    found = whole_list(indexes, name)
    for one in found:
        if not 0 <= one < count:
            raise HeadLightError(f"{name} names {one}; there are 0 to {count - 1}")
    if not found:
        raise HeadLightError(f"{name} is empty; leave it out for all")
    return sorted(set(found))

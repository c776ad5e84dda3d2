"""How far each head carries each token in a reader's own PyTorch model: ‖v W_O‖ (Kobayashi et al. 2020), v with its bias, b_O
left out, as src/measure/moved.c has it. Weight times this length is what a head moves."""

from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

from .arrays import as_array
from .errors import HeadLightError

#: how far what is made of values may be from what the model made, as a part of the largest number: half precision rounds
APART = 0.02
#: the module that gives the values, and the one behind it that mixes the heads
NAMES = {"value": (), "v_lin": ("out_lin",), "v_proj": ("o_proj", "out_proj"), "c_attn": ("c_proj",)}


def places(module: Any, around: Dict[str, Any], name: str) -> Optional[Dict[str, Tuple[Any, str]]]:
    """Of an attention layer, by BERT's names, DistilBERT's, Llama's and OPT's, GPT-2's (inside.listening): 'v'; 'context' and
    'projected', before and after W_O; 'out', which is W_O."""
    for value, outs in NAMES.items():
        if hasattr(module, value):
            own = next((getattr(module, one) for one in outs if hasattr(module, one)), None)
            parent = getattr(around.get(name.rpartition(".")[0]), "output", None)
            out = own if outs else getattr(parent, "dense", None)
            if out is not None and getattr(out, "weight", None) is not None:
                sides = {"context": (out, "in"), "projected": (out, "out"), "out": (out, "itself")}
                return {"v": (getattr(module, value), "out"), **sides}
    return None


def _near(found: np.ndarray, expected: np.ndarray) -> bool:
    return bool(np.abs(found - expected).max() <= APART * np.abs(expected).max())


def _lengths(layer: Dict[str, Any], attention: np.ndarray) -> Optional[np.ndarray]:
    """[H, T] of a layer; None where attention times these values is not what the model computed."""
    if len(layer) < 4 or any(getattr(layer[name], "ndim", 0) != 3 for name in ("v", "context", "projected")):
        return None
    v, context, projected = (as_array(layer[name][0]) for name in ("v", "context", "projected"))
    try:
        weight = as_array(layer["out"].weight)
    except HeadLightError:  # it was loaded for the forward pass alone
        return None
    weight = weight if hasattr(layer["out"], "nf") else weight.T  # GPT-2's Conv1D has it the other way round
    heads, tokens = attention.shape[:2]
    if weight.shape != (context.shape[1], projected.shape[1]) or context.shape[1] % heads:
        return None
    width = context.shape[1] // heads
    if v.shape[1] == 3 * context.shape[1]:  # q, k and v by one module
        v = v[:, 2 * context.shape[1] :]
    groups = v.shape[1] // width
    if v.shape[1] % width or not groups or heads % groups:
        return None
    values = np.repeat(v.reshape(tokens, groups, width).transpose(1, 0, 2), heads // groups, axis=0)
    rest = projected - context @ weight  # the bias, the same for all tokens
    made = (attention @ values).transpose(1, 0, 2).reshape(tokens, -1)
    if not _near(made, context) or not _near(rest - rest[0] + projected, projected):
        return None
    parts = weight.reshape(heads, width, -1)
    return np.stack([np.linalg.norm(values[h] @ parts[h], axis=-1) for h in range(heads)]).astype(np.float32)


def lengths(taken: Sequence[Dict[str, Any]], layers: Sequence[np.ndarray]) -> Dict[str, np.ndarray]:
    """``lengths.0`` [H, T] and so on, of every layer; nothing where one cannot be told."""
    if len(taken) != len(layers):
        return {}
    found = [_lengths(layer, attention) for layer, attention in zip(taken, layers)]
    return {} if any(one is None for one in found) else {f"lengths.{i}": one for i, one in enumerate(found) if one is not None}

"""Attention as other programs hold it, as layers: what generate() gives step by step, TransformerLens's cache, an array
of one layer or one head, as CircuitsVis takes it."""

import re
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np

from . import arrays
from .errors import HeadLightError
from .outputs import depth, member, sizes

PATTERN = re.compile(r"blocks\.(\d+)\.attn\.hook_pattern")


class Written(List[np.ndarray]):
    """The layers of a text that generate() has written: its last token was not read, and has no row."""


def _of_cache(value: Any, name: str) -> Any:
    """The patterns of TransformerLens's ActivationCache, or of its dict, layer by layer; else the value."""
    held = getattr(value, "cache_dict", value)
    if not isinstance(held, Mapping) or not any(isinstance(key, str) and "hook_" in key for key in held):
        return value
    found: Dict[int, Any] = {}
    for key in held:
        matched = PATTERN.fullmatch(key)
        if matched:
            found[int(matched.group(1))] = held[key]
    if sorted(found) != list(range(len(found))) or not found:
        said = f"hook_pattern of the layers {', '.join(map(str, sorted(found)))} alone" if found else "no hook_pattern"
        raise HeadLightError(
            f"{name} is TransformerLens's cache with {said}; all layers are shown: "
            "run_with_cache(tokens, names_filter=lambda name: name.endswith('hook_pattern'))"
        )
    return [found[layer] for layer in sorted(found)]


def _steps(value: Any) -> Optional[List[Sequence[Any]]]:
    """The steps of generate() with a cache, one query each after the first; None where the value is something else."""
    if not isinstance(value, (list, tuple)) or len(value) < 2:
        return None
    if not all(isinstance(one, (list, tuple)) and one and len(one) == len(value[0]) and depth(one[0]) >= 3 for one in value):
        return None
    shapes = [sizes(one[0])[-2:] for one in value]
    grows = shapes[0][0] == shapes[0][1]
    if any(later != (1, shapes[0][1] + (i if grows else 0)) for i, later in enumerate(shapes[1:], 1)):
        return None
    one_layer = len(sizes(value[0][0])) == 3 and len(set(shapes)) == 1
    return None if one_layer else list(value)


def _stitched(steps: List[Sequence[Any]], name: str) -> Written:
    """Rows of all steps under each other, [H, T, T], or of cross-attention [H, T, K]; what a row did not see is 0."""
    layers = Written()
    for parts in zip(*steps):
        rows = [arrays.as_array(part) for part in parts]
        if rows[0].ndim == 4:
            if rows[0].shape[0] != 1:
                raise HeadLightError(
                    f"{name} has the steps of {rows[0].shape[0]} texts or beams, and one is shown: generate one text "
                    "with num_beams=1"
                )
            rows = [row[0] for row in rows]
        keys = rows[-1].shape[-1]
        layers.append(np.concatenate([np.pad(row, ((0, 0), (0, 0), (0, keys - row.shape[-1]))) for row in rows], axis=1))
    return layers


def taken(value: Any, name: str) -> Any:
    """Layers where the value is one of these, else the value as it is."""
    value = _of_cache(value, name)
    if member(value, "sequences") is not None and member(value, "attentions"):
        value = member(value, "attentions")
        if len(value) == 1 or sizes(value[-1][0])[-2] > 1:  # one step, or steps without a cache: the last has all rows
            return Written(value[-1])
    steps = _steps(value)
    if steps:
        return _stitched(steps, name)
    missing = 4 - depth(value) if hasattr(value, "ndim") else 0
    return [value] if missing == 1 else [value[None]] if missing == 2 else value


def read_tokens(layers: Sequence[np.ndarray], tokens: List[str]) -> List[str]:
    """Of a text that was written those tokens that were read: all but the last, where it is among them."""
    if not isinstance(layers, Written) or len(tokens) != layers[0].shape[1] + 1:
        return tokens
    warnings.warn(
        f"the last token, {tokens[-1]!r}, was written and not read: it has no attention, and is left out", stacklevel=4
    )
    return tokens[:-1]

"""What a reader's PyTorch module holds, and what stands in the way of reading a text with it: a model inside of
another module, more tokens than positions, a tokenizer of another model."""

from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .errors import HeadLightError

#: tables with a row for each position, as models of transformers name them
POSITIONS = ("position_embeddings", "position_embedding", "embed_positions", "positions_embed", "wpe")
#: of a config, where a table is not found
MOST = ("max_position_embeddings", "n_positions", "max_encoder_position_embeddings", "max_seq_len", "n_ctx")


def is_model(module: Any) -> bool:
    """Is it a model of transformers, or built like one?"""
    return hasattr(module, "config") and hasattr(module, "base_model_prefix")


def _written(path: str) -> str:
    """A path of named_modules as Python has it: ``[0].auto_model``."""
    parts = [f"[{one}]" if one.isdigit() else f".{one}" if one.isidentifier() else f"[{one!r}]" for one in path.split(".")]
    return "".join(parts)


def models_inside(module: Any) -> List[str]:
    """Where the outermost models of transformers in another module are, as ``model.bert``."""
    found: List[str] = []
    if is_model(module):
        return found
    modules = dict(module.named_modules()) if hasattr(module, "named_modules") else {}
    outer: List[str] = []
    for path, one in modules.items():
        if not path or not is_model(one) or any(path.startswith(f"{above}.") for above in outer):
            continue
        outer.append(path)
        around, _, name = path.rpartition(".")
        # sentence-transformers documents this name
        named = "auto_model" if getattr(modules.get(around), "auto_model", None) is one else name
        found.append("model" + _written(f"{around}.{named}" if around else named))
    return found


def refused(model: Any, why: str) -> HeadLightError:
    """That a model cannot be read, and what of it can."""
    inside = models_inside(model)
    kind = type(model).__name__
    if not inside:
        return HeadLightError(f"{kind} {why}")
    calls = " or ".join(f"show({one}, tokenizer, text)" for one in inside)
    return HeadLightError(f"{kind} {why.rstrip('.')}. It holds a model of transformers, which can be read: {calls}")


def _rows(stack: Any) -> Optional[int]:
    """How many tokens the tables of positions are enough for; None where none is found."""
    found = []
    for name, module in stack.named_modules():
        weight = getattr(module, "weight", None)
        endless = hasattr(module, "make_weight") or hasattr(module, "max_length")  # it grows, or its last row is repeated
        if name.rpartition(".")[2] not in POSITIONS or getattr(weight, "ndim", 0) != 2 or endless:
            continue
        padding = getattr(module, "padding_idx", None)  # RoBERTa counts from behind it
        before = getattr(module, "offset", 0 if padding is None else padding + 1)
        found.append(int(weight.shape[0]) - int(before))
    return min(found, default=None)


def check_length(stack: Any, model: Any, count: int, what: str = "the text") -> None:
    """Refuses a text of more tokens than a table has rows, before an index error of the device."""
    most = _rows(stack) if hasattr(stack, "named_modules") else None
    if most is not None and count > most:
        raise HeadLightError(
            f"{what} has {count} tokens, and {type(model).__name__} has positions for {most}; shorten it"
        )


def length_told(model: Any, count: int) -> str:
    """What its config says of the length, where that may be why a text was not read."""
    config = getattr(model, "config", None)
    limits = [(name, getattr(config, name, None)) for name in MOST]
    passed = [(name, limit) for name, limit in limits if isinstance(limit, int) and 0 < limit < count]
    return f" The text has {count} tokens, and {passed[0][0]} is {passed[0][1]}: shorten it." if passed else ""


def check_ids(stack: Any, model: Any, tokenizer: Any, ids: Any) -> None:
    """Refuses ids for which the model has no vector: the tokenizer is another one's."""
    try:
        count = getattr(stack.get_input_embeddings(), "num_embeddings", None)
    except (AttributeError, NotImplementedError):
        return
    largest = int(ids.max())
    if isinstance(count, int) and largest >= count:
        raise HeadLightError(
            f"the tokenizer gives {tokenizer.convert_ids_to_tokens(largest)!r} the id {largest}, and "
            f"{type(model).__name__} has vectors for ids 0 to {count - 1}: they are of two models. Load both by one name"
        )


#: of a module: tensor -> the module where it passes by, and which side of it, or the module 'itself'; None: no layer
Places = Callable[[Any, Dict[str, Any], str], Optional[Dict[str, Tuple[Any, str]]]]


@contextmanager
def listening(model: Any, places: Places) -> Iterator[List[Dict[str, Any]]]:
    """A dict for each layer that `places` knows, filled by the forward pass; {} of one that did not run."""
    taken: List[Dict[str, Any]] = []
    handles = []
    around = dict(model.named_modules())
    for name, module in around.items():
        found = places(module, around, name)
        if not found:
            continue
        layer: Dict[str, Any] = {}
        taken.append(layer)
        for tensor, (place, side) in found.items():
            def keep(own: Any, given: Any, out: Any, layer: Any = layer, tensor: str = tensor, side: str = side) -> None:
                if side != "in":
                    layer[tensor] = own if side == "itself" else out
                elif given:  # by its place, not by a name
                    layer[tensor] = given[0]

            handles.append(place.register_forward_hook(keep))
    try:
        yield taken
    finally:
        for handle in handles:
            handle.remove()

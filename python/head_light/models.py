"""What a reader's own PyTorch model computes of a text: attention, and the vectors of the neuron view."""

import warnings
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

from .arrays import as_array, layer_of
from .errors import HeadLightError


class Read(NamedTuple):
    """parts and tokens as :func:`head_light.figures.attention_figure` takes them; sentences: 0, 1 or None
    for each token; more: the tensors of the neuron view; mask: 'all' or 'causal'."""

    parts: Dict[str, Any]
    tokens: Dict[str, List[str]]
    sentences: Optional[List[Optional[int]]] = None
    more: Optional[Dict[str, np.ndarray]] = None
    mask: str = "all"


@contextmanager
def _reading(model: Any) -> Iterator[None]:
    """Without dropout and gradients, and with attention that gives its weights; all as before after."""
    import torch

    config = getattr(model, "config", None)
    before = getattr(config, "_attn_implementation", None)
    other = before not in (None, "eager")
    if other:
        if not hasattr(model, "set_attn_implementation"):
            raise HeadLightError(
                f"the model runs with attn_implementation={before!r}, which gives no attention weights; "
                "load it with from_pretrained(..., attn_implementation='eager')"
            )
        model.set_attn_implementation("eager")
        warnings.warn(
            f"{before!r} attention gives no weights: this text was read with 'eager', and the model is "
            f"back at {before!r}. Load it with attn_implementation='eager' to have one way only.",
            stacklevel=5,
        )
    training = model.training
    try:
        model.eval()
        with torch.no_grad():
            yield
    finally:
        model.train(training)
        if other:
            model.set_attn_implementation(before)


def _is_pair_of_stacks(model: Any) -> bool:
    return bool(getattr(getattr(model, "config", None), "is_encoder_decoder", False))


def _encoded(model: Any, tokenizer: Any, text: str, text_b: Optional[str]) -> Tuple[Dict[str, Any], Any]:
    """The inputs of a model, and the tokenizer's answer."""
    if not callable(tokenizer):
        raise HeadLightError(f"the tokenizer is {type(tokenizer).__name__}, which cannot be called on a text")
    for name, value in (("text", text), ("the second text", text_b)):
        if value is not None and not isinstance(value, str):
            raise HeadLightError(f"{name} is {type(value).__name__}; one str was expected, one text at a time")
    encoding = tokenizer(text, text_b, return_tensors="pt") if text_b else tokenizer(text, return_tensors="pt")
    if encoding["input_ids"].shape[-1] == 0:
        raise HeadLightError("the text has no tokens; write one that is not empty")
    device = next(model.parameters()).device
    return {name: value.to(device) for name, value in encoding.items()}, encoding


def _sentences(encoding: Any, two: bool) -> Optional[List[Optional[int]]]:
    """Which text each token is of, where the tokenizer tells."""
    try:
        return list(encoding.sequence_ids(0)) if two else None
    except (ValueError, AttributeError):  # a slow tokenizer
        types = encoding.get("token_type_ids")
        return [int(one) for one in types[0]] if types is not None and two else None


def _call(model: Any, inputs: Dict[str, Any]) -> Any:
    try:
        return model(**inputs, output_attentions=True)
    except TypeError:  # neither every model takes all that its tokenizer makes
        inputs = {name: value for name, value in inputs.items() if name != "token_type_ids"}
        return model(**inputs, output_attentions=True)


def _pair_of_stacks(model: Any, tokenizer: Any, text: str, target: Optional[str]) -> Read:
    if not target:
        raise HeadLightError(
            f"{type(model).__name__} has an encoder and a decoder: give the decoder's text as the second "
            "one, show(model, tokenizer, 'source', 'target')"
        )
    inputs, _ = _encoded(model, tokenizer, text, None)
    ids = tokenizer(text_target=target, return_tensors="pt")["input_ids"].to(inputs["input_ids"].device)
    with _reading(model):
        out = _call(model, {**inputs, "decoder_input_ids": ids})
    parts = {"encoder": out.encoder_attentions, "decoder": out.decoder_attentions, "cross": out.cross_attentions}
    words = tokenizer.convert_ids_to_tokens
    return Read(parts, {"encoder_tokens": words(inputs["input_ids"][0]), "decoder_tokens": words(ids[0])})


def read(model: Any, tokenizer: Any, text: str, text_b: Optional[str] = None, neurons: bool = False) -> Read:
    """Runs the model on one text or a pair."""
    if not hasattr(model, "parameters") or not hasattr(model, "eval"):
        raise HeadLightError(f"the model is {type(model).__name__}; a PyTorch model was expected")
    if _is_pair_of_stacks(model):
        return _pair_of_stacks(model, tokenizer, text, text_b)
    inputs, encoding = _encoded(model, tokenizer, text, text_b)
    with _reading(model), _hooks(model, neurons) as taken:
        out = _call(model, inputs)
    attention = getattr(out, "attentions", None)
    if attention is None or any(one is None for one in attention):
        raise HeadLightError(
            f"{type(model).__name__} gave no attention; load it with attn_implementation='eager', and "
            "take a model that takes output_attentions=True"
        )
    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    return Read(
        {"encoder": attention},
        {"tokens": tokens},
        _sentences(encoding, bool(text_b)),
        _neurons(taken, _heads(model)) if neurons else None,
        "causal" if _is_causal([layer_of(one, "attention") for one in attention]) else "all",
    )


def _is_causal(layers: List[np.ndarray]) -> bool:
    """No query of any head attends to a later key."""
    return layers[0].shape[1] > 1 and all(not np.triu(layer, 1).any() for layer in layers)


def _heads(model: Any) -> int:
    for name in ("num_attention_heads", "n_heads", "n_head"):
        found = getattr(model.config, name, None)
        if found:
            return int(found)
    raise HeadLightError(f"the config of {type(model).__name__} does not say how many heads it has")


def _places(module: Any, around: Dict[str, Any], name: str) -> Optional[Dict[str, Tuple[Any, str]]]:
    """Where a layer's vectors pass by: tensor -> module and side. Three families of names; of GPT-2 q, k
    and v come from one module."""
    if all(hasattr(module, one) for one in ("query", "key", "value")):  # BERT, RoBERTa, ELECTRA
        out = getattr(around.get(name.rpartition(".")[0]), "output", None)
        if out is not None and hasattr(out, "dense"):
            return {
                "q": (module.query, "out"), "k": (module.key, "out"), "v": (module.value, "out"),
                "context": (out.dense, "in"), "projected": (out.dense, "out"), "attn_out": (out, "out"),
            }
    if all(hasattr(module, one) for one in ("q_lin", "k_lin", "v_lin", "out_lin")):  # DistilBERT
        block = around[name.rpartition(".")[0]]
        return {
            "q": (module.q_lin, "out"), "k": (module.k_lin, "out"), "v": (module.v_lin, "out"),
            "context": (module.out_lin, "in"), "projected": (module.out_lin, "out"),
            "attn_out": (block.sa_layer_norm, "out"),
        }
    if hasattr(module, "c_attn") and hasattr(module, "c_proj"):  # GPT-2
        block = around[name.rpartition(".")[0]]
        return {
            "qkv": (module.c_attn, "out"), "context": (module.c_proj, "in"),
            "projected": (module.c_proj, "out"), "attn_out": (block.ln_2, "in"),
        }
    return None


@contextmanager
def _hooks(model: Any, wanted: bool) -> Iterator[List[Dict[str, Any]]]:
    """A dict a layer, filled by the forward pass."""
    taken: List[Dict[str, Any]] = []
    handles = []
    around = dict(model.named_modules()) if wanted else {}
    for name, module in around.items():
        places = _places(module, around, name)
        if not places:
            continue
        layer: Dict[str, Any] = {}
        taken.append(layer)
        for tensor, (place, side) in places.items():
            def keep(_: Any, given: Any, out: Any, layer: Any = layer, tensor: str = tensor, side: str = side) -> None:
                layer[tensor] = given[0] if side == "in" else out

            handles.append(place.register_forward_hook(keep))
    if wanted and not taken:
        raise HeadLightError(
            f"the queries and keys of {type(model).__name__} cannot be read; the neuron view is for models "
            "built like BERT, DistilBERT and GPT-2. show(model, tokenizer, text) draws its attention"
        )
    try:
        yield taken
    finally:
        for handle in handles:
            handle.remove()


def _split(array: np.ndarray, heads: int) -> np.ndarray:
    """[T, H·d] as [H, T, d]."""
    tokens, width = array.shape
    return np.ascontiguousarray(array.reshape(tokens, heads, width // heads).transpose(1, 0, 2))


def _neurons(taken: List[Dict[str, Any]], heads: int) -> Dict[str, np.ndarray]:
    """``q``, ``k``, ``v`` [H, T, d], ``scores`` [H, T, T], ``context``, ``projected``, ``attn_out`` [T, D] of
    every layer."""
    more: Dict[str, np.ndarray] = {}
    for i, layer in enumerate(taken):
        rows = {name: as_array(value[0] if value.ndim == 3 else value) for name, value in layer.items()}
        if "qkv" in rows:
            rows.update(zip("qkv", np.split(rows.pop("qkv"), 3, axis=-1)))
        for name in "qkv":
            rows[name] = _split(rows[name], heads)
        rows["scores"] = rows["q"] @ rows["k"].transpose(0, 2, 1) / np.sqrt(rows["q"].shape[-1])
        for name, array in rows.items():
            more[f"{name}.{i}"] = array.astype(np.float32)
    return more


def read_bertviz(model: Any, model_type: str, tokenizer: Any, text: str, text_b: Optional[str]) -> Read:
    """The same of the model classes and tokenizers that BertViz brings for its neuron view."""
    import torch

    cut, cls, sep = tokenizer.tokenize, tokenizer.cls_token, tokenizer.sep_token
    if model_type == "gpt2":
        tokens, start = cut(text), 0
    else:
        first = [cls, *cut(text), sep]
        between = [sep] if model_type == "roberta" else []
        tokens, start = first + ([*between, *cut(text_b), sep] if text_b else []), len(first)
    if not tokens:
        raise HeadLightError("the text has no tokens; write one that is not empty")
    given: Dict[str, Any] = {"input_ids": torch.tensor([tokenizer.convert_tokens_to_ids(tokens)])}
    if text_b and model_type == "bert":
        given["token_type_ids"] = torch.tensor([[int(i >= start) for i in range(len(tokens))]])
    with _reading(model), _hooks(model, True) as taken:
        layers = model(**given)[-1]
    attention = [one["attn"] if isinstance(one, dict) else one for one in layers]
    special = {cls, sep}
    sentences = [None if one in special else int(i >= start) for i, one in enumerate(tokens)] if text_b else None
    mask = "causal" if model_type == "gpt2" else "all"
    return Read({"encoder": attention}, {"tokens": tokens}, sentences, _neurons(taken, _heads(model)), mask)

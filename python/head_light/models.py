"""What a reader's own PyTorch model computes of a text: attention, and the vectors of the neuron view."""

import inspect
import sys
import warnings
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

from . import moved
from .arrays import as_array, layer_of
from .errors import HeadLightError
from .inside import check_ids, check_length, length_told, listening, models_inside, refused

NO_VECTORS = (
    "has queries and keys that cannot be read; the neuron view is for models of one stack, built like BERT, DistilBERT "
    "and GPT-2. show(model, tokenizer, text) draws its attention"
)
#: how far apart attention and what its scores give may be: models in half precision round both
APART = 0.1
#: how configs call the number of layers and of heads
LAYERS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers")
HEADS = ("num_attention_heads", "n_heads", "n_head", "num_heads")


class Read(NamedTuple):
    """parts and tokens as :func:`head_light.figures.attention_figure` takes them; sentences: 0, 1 or None
    for each token; more: the tensors of the neuron view, and the lengths of what is moved; mask: 'all' or 'causal'."""

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
            if models_inside(model):
                raise refused(model, "gives no attention itself")
            raise HeadLightError(
                f"the model runs with attn_implementation={before!r}, which gives no attention weights; "
                "load it with from_pretrained(..., attn_implementation='eager')"
            )
        try:
            model.set_attn_implementation("eager")
        except Exception as error:
            raise HeadLightError(f"{type(model).__name__} cannot run with 'eager' attention: {error}") from error
        warnings.warn(
            f"{before!r} attention gives no weights: this text was read with 'eager', and the model is "
            f"back at {before!r}. Load it with attn_implementation='eager' to have one way only.",
            stacklevel=5,
        )
    training = [(module, module.training) for module in model.modules()]
    try:
        model.eval()
        with torch.no_grad():
            yield
    finally:
        for module, before_reading in training:  # parts may have stood otherwise than the whole
            module.training = before_reading
        if other:
            model.set_attn_implementation(before)


def _is_pair_of_stacks(model: Any) -> bool:
    return bool(getattr(getattr(model, "config", None), "is_encoder_decoder", False))


def _check_model(model: Any, tokenizer: Any) -> None:
    for what, one in (("model", model), ("tokenizer", tokenizer)):
        if isinstance(one, type):
            raise HeadLightError(f"the {what} is the class {one.__name__}; load one: {one.__name__}.from_pretrained(...)")
    if not hasattr(model, "parameters") or not hasattr(model, "eval"):
        raise HeadLightError(f"the model is {type(model).__name__}; a PyTorch model was expected")
    kind = type(tokenizer).__name__
    if hasattr(tokenizer, "tokenizer") and not hasattr(tokenizer, "convert_ids_to_tokens"):
        raise HeadLightError(f"the tokenizer is {kind}, which holds one: pass its .tokenizer")
    if not callable(tokenizer):
        how = "; wrap it: PreTrainedTokenizerFast(tokenizer_object=...)" if hasattr(tokenizer, "token_to_id") else ""
        raise HeadLightError(f"the tokenizer is {kind}, which cannot be called on a text{how}")
    if not hasattr(tokenizer, "convert_ids_to_tokens"):
        raise HeadLightError(f"the tokenizer is {kind}, which has no convert_ids_to_tokens; one of transformers was expected")


def _encoded(model: Any, tokenizer: Any, text: str, text_b: Optional[str]) -> Tuple[Dict[str, Any], Any]:
    """The inputs of a model, and the tokenizer's answer."""
    for name, value in (("text", text), ("the second text", text_b)):
        if value is not None and not isinstance(value, str):
            raise HeadLightError(f"{name} is {type(value).__name__}; one str was expected, one text at a time")
    encoding = _told(tokenizer, *((text, text_b) if text_b else (text,)))
    device = getattr(next(iter(model.parameters()), None), "device", None)
    return {name: value if device is None else value.to(device) for name, value in encoding.items()}, encoding


def _told(tokenizer: Any, *texts: str, **named: str) -> Any:
    """What the tokenizer says of texts."""
    try:
        encoding = tokenizer(*texts, **named, return_tensors="pt")
        count = encoding["input_ids"].shape[-1]
    except Exception as error:
        raise HeadLightError(
            f"{type(tokenizer).__name__} could not read the text: {type(error).__name__}: {str(error).rstrip('.')}. One of transformers "
            "was expected, which gives input_ids as tensors of PyTorch"
        ) from error
    if count == 0:
        raise HeadLightError("the text has no tokens; write one that is not empty")
    return encoding


def _sentences(encoding: Any, two: bool) -> Optional[List[Optional[int]]]:
    """Which text each token is of, where the tokenizer tells."""
    try:
        return list(encoding.sequence_ids(0)) if two else None
    except (ValueError, AttributeError):  # a slow tokenizer
        types = encoding.get("token_type_ids")
        return [int(one) for one in types[0]] if types is not None and two else None


def _call(model: Any, inputs: Dict[str, Any]) -> Any:
    """The model's output; an error of its own ends in a sentence."""
    try:
        try:
            return model(**inputs, output_attentions=True)
        except TypeError:  # neither every model takes all that its tokenizer makes
            inputs = {name: value for name, value in inputs.items() if name != "token_type_ids"}
            return model(**inputs, output_attentions=True)
    except Exception as error:
        said = f"could not read the text: {type(error).__name__}: {str(error).rstrip('.')}."
        raise refused(model, said + length_told(model, inputs["input_ids"].shape[-1])) from error


def _shifted(model: Any, ids: Any) -> Any:
    """A target as the decoder reads it: one place to the right, behind the token that it starts with, by the
    function by which transformers makes the decoder's input of labels."""
    starts = [getattr(one, "decoder_start_token_id", None) for one in (model.config, getattr(model, "generation_config", None))]
    start = next((one for one in starts if one is not None), None)
    try:
        for name in ("prepare_decoder_input_ids_from_labels", "_shift_right"):
            if hasattr(model, name):
                return getattr(model, name)(ids)
        for module in (sys.modules.get(one.__module__) for one in type(model).__mro__):
            shift = getattr(module, "shift_tokens_right", None)
            if shift is not None:  # mBART's starts with the language that stands last
                more = (start,) if len(inspect.signature(shift).parameters) > 2 else ()
                return shift(ids, getattr(model.config, "pad_token_id", None), *more)
    except (AttributeError, TypeError, ValueError, RuntimeError) as error:
        if start is None or starts[0] is not None:
            raise HeadLightError(
                f"{type(model).__name__} could not put the second text behind its first token: {error}. Set "
                "model.config.decoder_start_token_id and pad_token_id"
            ) from error
    if start is None:
        raise HeadLightError(
            f"{type(model).__name__} does not say what its decoder starts with; set model.config.decoder_start_token_id"
        )
    shifted = ids.clone()
    shifted[:, 1:], shifted[:, 0] = ids[:, :-1], start
    return shifted


def _pair_of_stacks(model: Any, tokenizer: Any, text: str, target: Optional[str]) -> Read:
    if not target:
        raise HeadLightError(
            f"{type(model).__name__} has an encoder and a decoder: give the decoder's text as the second "
            "one, show(model, tokenizer, 'source', 'target')"
        )
    inputs, _ = _encoded(model, tokenizer, text, None)
    if not isinstance(target, str):
        raise HeadLightError(f"the second text is {type(target).__name__}; one str was expected, one text at a time")
    source = inputs["input_ids"]
    ids = _shifted(model, _told(tokenizer, text_target=target)["input_ids"].to(source.device))
    for stack, given, what in (("get_encoder", source, "the text"), ("get_decoder", ids, "the second text")):
        own = getattr(model, stack)() if hasattr(model, stack) else model
        check_length(own, model, given.shape[-1], what)
        check_ids(own, model, tokenizer, given)
    with _reading(model):
        out = _call(model, {**inputs, "decoder_input_ids": ids})
    parts = {part: getattr(out, f"{name}_attentions", None) for part, name in
             (("encoder", "encoder"), ("decoder", "decoder"), ("cross", "cross"))}
    _check_sizes(model, {part: _given(model, layers) for part, layers in parts.items()},
                 {"encoder": (source, source), "decoder": (ids, ids), "cross": (ids, source)})
    words = tokenizer.convert_ids_to_tokens
    return Read(parts, {"encoder_tokens": words(source[0]), "decoder_tokens": words(ids[0])})


def _given(model: Any, attention: Any) -> Any:
    """Attention of every layer, or why there is none."""
    if attention is not None and len(attention) and all(one is not None for one in attention):
        return attention
    lacking = [i for i, one in enumerate(attention or ()) if one is None]
    if lacking and len(lacking) < len(attention):
        raise refused(model, f"gave no attention in layers {', '.join(map(str, lacking))}; those that have none are not drawn")
    raise refused(
        model,
        "gave no attention; load it with attn_implementation='eager', and take a model that takes output_attentions=True",
    )


def _check_sizes(model: Any, parts: Dict[str, Any], ids: Dict[str, Tuple[Any, Any]]) -> None:
    """Refuses attention that is not from each token to each: windows, pools."""
    for part, layers in parts.items():
        sizes = [given.shape[-1] for given in ids[part]]
        for i, one in enumerate(layers):
            if list(one.shape[-2:]) != sizes:
                raise HeadLightError(
                    f"the attention of {type(model).__name__} in layer {i} has shape {list(one.shape)}, and the text has "
                    f"{sizes[-1]} tokens: what is not from each token to each cannot be drawn"
                )


def read(model: Any, tokenizer: Any, text: str, text_b: Optional[str] = None, neurons: bool = False) -> Read:
    """Runs the model on one text or a pair. Of a model with an encoder and a decoder the second text is the
    target: its row t is attention while the model predicts token t + 1."""
    _check_model(model, tokenizer)
    if _is_pair_of_stacks(model):
        if neurons:
            raise refused(model, NO_VECTORS)
        return _pair_of_stacks(model, tokenizer, text, text_b)
    inputs, encoding = _encoded(model, tokenizer, text, text_b)
    ids = inputs["input_ids"]
    check_length(model, model, ids.shape[-1])
    check_ids(model, model, tokenizer, ids)
    with _reading(model), listening(model, _places) as taken, listening(model, moved.places) as values:
        if neurons and not taken:
            raise refused(model, NO_VECTORS)
        out = _call(model, inputs)
    attention = _given(model, getattr(out, "attentions", None))
    _check_sizes(model, {"encoder": attention}, {"encoder": (ids, ids)})
    layers = [layer_of(one, f"attention[{i}]") for i, one in enumerate(attention)]
    causal = _is_causal(layers)
    return Read(
        {"encoder": attention},
        {"tokens": tokenizer.convert_ids_to_tokens(ids[0])},
        _sentences(encoding, bool(text_b)),
        {
            **(_vectors(model, [one for one in taken if one], layers, causal) if neurons else {}),
            **moved.lengths([one for one in values if one], layers),
        },
        "causal" if causal else "all",
    )


def _is_causal(layers: List[np.ndarray]) -> bool:
    """No query of any head attends to a later key."""
    return layers[0].shape[1] > 1 and all(not np.triu(layer, 1).any() for layer in layers)


def _heads(model: Any) -> int:
    for name in HEADS:
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


def _vectors(model: Any, taken: List[Dict[str, Any]], layers: List[np.ndarray], causal: bool) -> Dict[str, np.ndarray]:
    """The tensors of the neuron view, where their scores give the attention that the model gave."""
    if len(taken) != len(layers):
        raise refused(model, NO_VECTORS)
    more = _neurons(taken, _heads(model))
    for i, attention in enumerate(layers):
        scores = more[f"scores.{i}"]
        if causal:
            scores = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
        raised = np.exp(scores - scores.max(-1, keepdims=True))
        if np.abs(raised / raised.sum(-1, keepdims=True) - attention).max() > APART:
            raise refused(model, f"makes its attention in layer {i} of more than queries and keys; {NO_VECTORS.partition('; ')[2]}")
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
    check_length(model, model, len(tokens))
    given: Dict[str, Any] = {"input_ids": torch.tensor([tokenizer.convert_tokens_to_ids(tokens)])}
    if text_b and model_type == "bert":
        given["token_type_ids"] = torch.tensor([[int(i >= start) for i in range(len(tokens))]])
    with _reading(model), listening(model, _places) as taken:
        try:
            layers = model(**given)[-1]
        except Exception as error:
            raise refused(model, f"could not read the text: {type(error).__name__}: {str(error).rstrip('.')}.") from error
    attention = [one["attn"] if isinstance(one, dict) else one for one in layers]
    special = {cls, sep}
    sentences = [None if one in special else int(i >= start) for i, one in enumerate(tokens)] if text_b else None
    mask = "causal" if model_type == "gpt2" else "all"
    return Read({"encoder": attention}, {"tokens": tokens}, sentences, _neurons(taken, _heads(model)), mask)

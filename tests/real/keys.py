#!/usr/bin/env python3
"""Every key of config.json that transformers reads, changed one at a time: Headlight follows it, refuses it by name, or it changes nothing.

    python keys.py [--only FAMILY[.KEY]] [--list] [--headlight PROGRAM]

Which keys there are is read from transformers itself: the fields of a family's configuration class and of the base class, its second names
(attribute_map), properties that can be set, old spellings (what is taken from kwargs), and each config.KEY, getattr(config, "KEY") and
hasattr(config, "KEY") in the family's modeling file, in what files of layers, masks and rotations have, and in from_pretrained. For each key
and class of model, a tiny checkpoint is written with that one key changed, opened by transformers in float64, and run by `headlight`:

    followed   transformers computes something else than before, and Headlight computes the same
    refused    with a sentence that names the key (or what is in it) and its value
    nothing    transformers computes what it computed before; why is said in NOTHING below
    unexplained: all else. There are to be none, and no key without a value to try.

Then each key that means something gets what is of another type (WRONG): where transformers does not open such a model, Headlight refuses it too.
`make test-real` runs this; make test does not.
"""
import argparse
import ast
import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.dont_write_bytecode = True
os.environ["HF_HUB_OFFLINE"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))
import torch
import transformers as hf
from safetensors.torch import load_file, save_file
from transformers.generation.configuration_utils import GenerationConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

import record
import variants
import weights

HEADLIGHT = Path(__file__).resolve().parents[2] / "build/out/native/headlight"
LIBRARY = Path(hf.__file__).parent
CAUSAL = ("gpt2", "gpt_neox", "llama", "mistral", "qwen2", "qwen3")
ROTARY = ("llama", "mistral", "qwen2", "qwen3", "gpt_neox", "modernbert")
IDS = [5, 9, 3, 17, 0, 22, 1, 8, 2, 11, 14, 6, 0]

# ---------------------------------------------------------------- families

SIZES = dict(hidden_size=24, num_attention_heads=2, num_hidden_layers=3, intermediate_size=20, vocab_size=30, max_position_embeddings=40)
BERT = {**SIZES, "type_vocab_size": 2, "layer_norm_eps": 1e-3, "hidden_act": "gelu", "pad_token_id": 0}
ROBERTA = {**BERT, "pad_token_id": 1, "type_vocab_size": 1}
LLAMA = {**SIZES, "num_attention_heads": 4, "num_key_value_heads": 2, "rms_norm_eps": 1e-3, "hidden_act": "silu", "pad_token_id": 0,
         "rope_parameters": {"rope_type": "default", "rope_theta": 100.0}}
BASES = {
    "bert": BERT, "roberta": ROBERTA, "camembert": ROBERTA, "xlm-roberta": ROBERTA,
    "electra": {**BERT, "embedding_size": 16}, "albert": {**BERT, "embedding_size": 16, "num_hidden_layers": 4, "num_hidden_groups": 2},
    "distilbert": dict(dim=24, n_heads=2, n_layers=3, hidden_dim=20, vocab_size=30, max_position_embeddings=40, activation="gelu", pad_token_id=0),
    "mpnet": {k: v for k, v in ROBERTA.items() if k != "type_vocab_size"},
    "gpt2": dict(n_embd=24, n_head=2, n_layer=3, n_inner=20, n_positions=40, vocab_size=30, layer_norm_epsilon=1e-3, pad_token_id=0,
                 activation_function="gelu_new"),
    "llama": LLAMA, "mistral": {**LLAMA, "sliding_window": 4}, "qwen2": LLAMA, "qwen3": {**LLAMA, "head_dim": 8},
    "gpt_neox": {**BERT, "num_attention_heads": 3, "rope_parameters": {"rope_type": "default", "rope_theta": 100.0, "partial_rotary_factor": 0.5}},
    "modernbert": {**SIZES, "norm_eps": 1e-3, "hidden_activation": "gelu", "pad_token_id": 0, "local_attention": 6,
                   "cls_token_id": 1, "sep_token_id": 2, "bos_token_id": 1, "eos_token_id": 2},
}
SECOND_HEADS = ("ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering")


def classes_of(family):
    _, prefix, first = variants.FAMILIES[family]
    ends = [*dict.fromkeys(first), *SECOND_HEADS]
    return [getattr(hf, prefix + end) for end in ends if hasattr(hf, prefix + end)]


# ---------------------------------------------------------------- which keys there are

CONFIGS = {"config", "effective_config", "text_config", "layer_config", "model_config"}


def is_config(node):
    return (isinstance(node, ast.Name) and node.id in CONFIGS) or (isinstance(node, ast.Attribute) and node.attr in CONFIGS)


def read_in(path, own=()):
    """Keys that a file reads from a configuration: config.KEY, getattr(config, "KEY"), hasattr; and in a class of configurations (own)
    also getattr(self, "KEY") and, where it is made, kwargs.get("KEY") and kwargs.pop("KEY")."""
    found, tree = set(), ast.parse(path.read_text(encoding="utf-8"))
    making = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name in ("__init__", "__post_init__", "convert_rope_params_to_dict")]
    calls = [(n, False) for n in ast.walk(tree)] + [(n, True) for function in making if own for n in ast.walk(function)]
    for node, made in calls:
        if isinstance(node, ast.Attribute) and is_config(node.value):
            found.add(node.attr)
        if not isinstance(node, ast.Call) or not node.args:
            continue
        text = next((a.value for a in node.args[:2] if isinstance(a, ast.Constant) and isinstance(a.value, str)), None)
        function = ast.unparse(node.func)
        if text and function in ("getattr", "hasattr") and (is_config(node.args[0]) or (own and ast.unparse(node.args[0]) == "self")):
            found.add(text)
        if text and made and function in ("kwargs.get", "kwargs.pop"):
            found.add(text)
    return found


def rotation_keys():
    """What modeling_rope_utils takes from the object rope_parameters."""
    found = set()
    for node in ast.walk(ast.parse((LIBRARY / "modeling_rope_utils.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Subscript) and "rope_parameters" in ast.unparse(node.value) and isinstance(node.slice, ast.Constant):
            found.add(node.slice.value)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("rope_parameters.get", "rope_parameters_dict.get")):
            found.add(node.args[0].value)
    return sorted(found)


def keys_of(family):
    cls, module = classes_of(family)[0].config_class, family.replace("-", "_")
    folder = LIBRARY / "models" / module
    keys = {f.name for f in dataclasses.fields(cls)} | set(cls.attribute_map)
    for file in (folder / f"configuration_{module}.py", LIBRARY / "configuration_utils.py", LIBRARY / "modeling_rope_utils.py"):
        keys |= read_in(file, own=True)
    for file in (folder / f"modeling_{module}.py", *(LIBRARY / name for name in READING)):
        keys |= read_in(file)
    settable = {n for c in cls.__mro__ for n, p in vars(c).items() if isinstance(p, property) and p.fset}
    keys |= settable | set(GenerationConfig._get_default_generation_params()) | set(OLD)
    return sorted(k for k in keys if not k.startswith("_") and not callable(getattr(cls, k, None)) and k not in NO_KEYS)


# files that all families share
READING = ("masking_utils.py", "modeling_layers.py", "modeling_utils.py", "cache_utils.py", "integrations/sdpa_attention.py",
           "integrations/heterogeneity/configuration_utils.py")
# methods, class attributes and what is no key of config.json
NO_KEYS = {"to_dict", "attribute_map", "sub_configs", "sub_configs_defaults", "base_config_key", "default_theta", "default_rope_type",
           "architectures",  # each class is walked by itself
           "ignore_keys_at_rope_validation", "is_heterogeneous", "base_model_tp_plan", "base_model_pp_plan", "base_model_fsdp_plan",
           "base_model_ep_plan", "per_layer_attributes", "keys_to_ignore_at_inference", "has_no_defaults_at_init", "model_type"}
# of older versions; what they mean nowadays is Headlight's own affair
OLD = ("position_embedding_type", "pruned_heads", "gradient_checkpointing", "n_ctx", "reference_compile", "repad_logits_with_grad",
       "tie_encoder_decoder", "tie_weights_", "torchscript", "use_bfloat16", "cross_attention_hidden_size", "finetuning_task",
       "tokenizer_class", "prefix", "task_specific_params", "directionality", "net_structure_type", "down_scale_factor", "gap_size",
       "num_memory_blocks", "output_past", "vocab_file", "is_llama_config", "rope_interleaved")

# ---------------------------------------------------------------- other values

ROTATIONS = {"linear": {"factor": 2.0}, "dynamic": {"factor": 2.0, "original_max_position_embeddings": 8},
             "yarn": {"factor": 2.0, "original_max_position_embeddings": 8},
             "longrope": {"factor": 2.0, "original_max_position_embeddings": 8, "short_factor": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
                          "long_factor": [2.0] * 6},
             "llama3": {"factor": 2.0, "original_max_position_embeddings": 8, "low_freq_factor": 1.0, "high_freq_factor": 4.0}}


def rotations():
    """Objects for rope_parameters and rope_scaling: each kind in both spellings, each member beside the plain kind."""
    kinds = [{spelling: kind, **ROTATIONS.get(kind, {"factor": 2.0}), **theta} for kind in sorted({*ROPE_INIT_FUNCTIONS, "default"})
             for spelling in ("rope_type", "type") for theta in ({}, {"rope_theta": 7.0})]
    plain = [{"rope_type": "default", "rope_theta": 7.0, key: 0.5} for key in rotation_keys() if key not in ("rope_type", "rope_theta")]
    return [None, {}, {"rope_theta": 7.0}, {"rope_type": "default", "type": "linear", "factor": 2.0}, *kinds, *plain]


def rotation_values(family, key):
    if family != "modernbert":
        return [*rotations(), {"full_attention": {"rope_theta": 7.0}}, {"full_attention": {"rope_type": "linear", "factor": 2.0}}]
    if key == "rope_scaling":
        return rotations()
    both = [{"full_attention": r, "sliding_attention": {"rope_theta": 3.0}} for r in rotations()]
    return [None, *both, *({"sliding_attention": r, "full_attention": {"rope_theta": 3.0}} for r in rotations()),
            {"sliding_attention": {"rope_theta": 3.0}}, {"rope_theta": 3.0}]


def layer_lists(count):
    names = ("full_attention", "attention", "sliding_attention", "chunked_attention", "linear_attention", "dense", "word")
    return [None, *([name] * count for name in names), *([name] + ["full_attention"] * (count - 1) for name in names[1:]), ["full_attention"]]


VALUES = {
    "is_causal": [False, True], "local_attention": [8, 7, 4], "sliding_window": [2, 5], "global_attn_every_n_layers": [1, 2],
    "num_key_value_heads": [1, 4, None], "head_dim": [6, 10, None], "num_hidden_groups": [1, 4], "inner_group_num": [2],
    "id2label": [{"0": "a", "1": "b", "2": "c", "3": "d"}], "label2id": [{"a": 0, "b": 1}], "num_labels": [1, 5],
    "problem_type": ["regression", "multi_label_classification", "single_label_classification"],
    "classifier_pooling": ["mean", "cls"], "summary_type": ["last", "mean"], "summary_activation": ["relu", "tanh"],
    "relative_attention_num_buckets": [16], "pad_token_id": [2, 0, None], "n_inner": [12, None], "max_window_layers": [0, 1],
    "use_sliding_window": [True], "per_layer_config": [{"1": {"num_attention_heads": 1}}, {"0": {"intermediate_size": 8}}, {"1": {"skip": ["attention"]}}],
    "quantization_config": [{"quant_method": "gptq", "bits": 4}], "dtype": ["float16", "bfloat16"], "torch_dtype": ["float16"],
    "rope_theta": [7.0], "global_rope_theta": [7.0], "local_rope_theta": [7.0], "partial_rotary_factor": [0.5],
    "pruned_heads": [{"0": [1]}], "position_embedding_type": ["relative_key", "absolute"], "tie_word_embeddings": [False, True],
    "classifier_dropout": [0.5], "hidden_dropout": [0.5], "bos_token_id": [3], "eos_token_id": [3], "return_dict": [True], "attention_chunk_size": [3], "chunk_size_feed_forward": [1], "pretraining_tp": [2],
    "original_max_position_embeddings": [8], "embedding_size": [24, 8], "type_vocab_size": [1, 3],
    "attn_implementation": ["eager", "sdpa"], "_attn_implementation": ["eager"], "experts_implementation": ["eager"],
    "output_attentions": [False], "token_classification_bias": [False], "text_config": [{"hidden_size": 7}], "use_cache": [False],
}
ACTIVATION_KEYS = ("hidden_act", "activation", "activation_function", "hidden_activation", "classifier_activation")
EPS_KEYS = ("layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps", "norm_eps")
SMALLER = {"num_attention_heads": (1, 3), "n_heads": (1, 3), "n_head": (1, 3), "num_hidden_layers": (2, 4), "n_layers": (2, 4), "n_layer": (2, 4),
           "hidden_size": (48,), "dim": (48,), "n_embd": (48,), "intermediate_size": (12,), "hidden_dim": (12,), "vocab_size": (33,),
           "max_position_embeddings": (50, 30), "n_positions": (50, 30)}


def values_of(family, key):
    base, cls = BASES[family], classes_of(family)[0].config_class
    if key in ("rope_parameters", "rope_scaling"):
        return rotation_values(family, key)
    if key in ("layer_types", "mtp_layer_types", "mlp_layer_types"):
        return layer_lists(base.get("num_hidden_layers", 3))
    if key in ACTIVATION_KEYS:
        return [a for a in (*variants.ACTIVATIONS, *variants.OTHER_ACTIVATIONS) if a != base.get(key)]
    if key in EPS_KEYS:
        return [0.1, 1e-12]
    if key == "num_attention_heads" and family in ("llama", "mistral", "qwen2", "qwen3"):
        return [2, 12]
    if key in VALUES or key in SMALLER:
        return [v for v in VALUES.get(key, SMALLER.get(key)) if key not in base or v != base[key]]
    usual = base.get(key, getattr(cls, key, None))
    if isinstance(usual, bool):
        return [not usual]
    if isinstance(usual, int):
        return [usual + 1]
    if isinstance(usual, float):
        return [usual / 2 + 0.25]
    return [True, 3, "word"]


# ---------------------------------------------------------------- what changes nothing, and why

TRAINING, RUNNING, GENERATING, FORMAT, TOKENIZING, ELSEWHERE, PRECISION, UNREAD = (
    "of training: dropout is off in evaluation, first weights and losses are not computed", "how transformers runs or answers, not what it computes",
    "of generating text", "about the file", "of the tokenizer, which has files of its own", "of other kinds of models",
    "in what precision transformers computes; the reference is float64", "no longer read: what transformers computes does not depend on it")
NO_PARTS = "of parts that these models lack"
# keys of some families, which others do not look at
OWN = {"is_causal": CAUSAL, "layer_types": (*CAUSAL, "modernbert"), "rope_parameters": ROTARY, "rope_scaling": ROTARY, "rope_theta": ROTARY[:4],
       "head_dim": ROTARY, "num_key_value_heads": ROTARY[:4], "embedding_size": ("electra", "albert"), "rms_norm_eps": ROTARY[:4],
       "token_classification_bias": ROTARY[:4], "sliding_window": ("mistral", "modernbert")}
BY_FAMILY = {"pad_token_id": ("a row of the embeddings that training leaves alone", ("bert", "electra", "albert", "distilbert", "mpnet", "modernbert")),
             "max_position_embeddings": ("how long texts may be: there is no table of positions", ROTARY),
             "sinusoidal_pos_embds": ("first weights of positions, which are in the file", ("distilbert",)),
             "is_decoder": ("it looks back either way", ("gpt_neox",)),
             "max_window_layers": ("of windows, and use_sliding_window is refused", ("qwen2", "qwen3"))}
NOTHING = {}
for reason, names in {
    TRAINING: "hidden_dropout_prob attention_probs_dropout_prob attention_dropout dropout qa_dropout seq_classif_dropout classifier_dropout "
              "classifier_dropout_prob hidden_dropout resid_pdrop embd_pdrop attn_pdrop summary_first_dropout summary_last_dropout embedding_dropout mlp_dropout "
              "initializer_range initializer_cutoff_factor init_std initializer_factor gradient_checkpointing sparse_pred_ignore_index "
              "sparse_prediction label2id problem_type",
    RUNNING: "use_cache return_dict use_return_dict output_hidden_states output_attentions attn_implementation _attn_implementation "
             "_attn_implementation_internal experts_implementation _experts_implementation _experts_implementation_internal chunk_size_feed_forward "
             "deterministic_flash_attn is_encoder_decoder distributed_config tie_last_hidden_states allow_global_per_layer_attribute_access "
             "serialize_explicit_per_layer_config torchscript reference_compile repad_logits_with_grad",
    FORMAT: "transformers_version name_or_path _name_or_path _commit_hash _output_attentions model_type transformers_weights",
    TOKENIZING: "bos_token_id eos_token_id cls_token_id sep_token_id tokenizer_class vocab_file",
    NO_PARTS: "attention_chunk_size chain_hidden_post_norm embed_dim num_heads first_k_dense_replace kv_sharing_modes logits_mup_width_multiplier "
              "mtp_hidden_states_first mtp_mlp_layer_types mtp_per_layer_config num_mtp_layers number_of_conv_states original_max_position_embeddings "
              "unpadded_vocab_size partial_rotary_factor text_config",
    ELSEWHERE: "summary_type summary_use_proj summary_activation summary_proj_to_labels fusion_config mtp_layer_types mlp_layer_types",
    PRECISION: "dtype torch_dtype use_bfloat16",
    UNREAD: " ".join(OLD),
}.items():
    NOTHING.update({name: NOTHING.get(name, reason) for name in names.split()})
NOTHING.update({name: GENERATING for name in GenerationConfig._get_default_generation_params() if name not in NOTHING})



def reason_of(family, key):
    """Why a key changes nothing in a family; "" where it does."""
    if key in OWN and family not in OWN[key]:
        return "of other families"
    reason, families = BY_FAMILY.get(key, ("", ()))
    return reason if family in families else NOTHING.get(key, "")


# ---------------------------------------------------------------- one changed key


class Model:
    """A folder with config.json as given, and the weights that such a model has."""

    def __init__(self, family, cls, config, folder):
        self.family, self.cls, self.folder, self.config = family, cls, folder, config
        self.text = json.dumps({"model_type": family, "architectures": [cls.__name__], **config})
        (folder / "config.json").write_text(self.text)
        self.how = {} if family == "mpnet" else {"attn_implementation": record.NAME}
        counts = family in ("bert", "electra", "albert") and config.get("type_vocab_size") != 1
        self.types = [int(i > 6) for i in range(len(IDS))] if counts else None

    def made(self):
        config = self.cls.config_class.from_dict(json.loads(self.text))
        model = self.cls._from_config(config, dtype=torch.float64, **self.how)
        weights.fill(model, self.family)
        return model

    def reference(self):
        """What transformers computes; raises where it does not open such a model. Its weights go into the folder."""
        model = self.made()
        self.shapes = {n: x.shape for n, x in model.named_parameters()}
        state = {n: x.to(torch.float32).contiguous() for n, x in model.state_dict().items()}
        tied = getattr(model, "all_tied_weights_keys", None) or {}
        save_file({n: x for n, x in state.items() if n not in tied}, self.folder / "model.safetensors", {"format": "pt"})
        return record.Recorder(model).run(IDS, self.types)

    def ours(self):
        dump = self.folder / "dump"
        types = ["--types", " ".join(map(str, self.types))] if self.types else []
        ran = subprocess.run([HEADLIGHT, "run", self.folder, "--ids", " ".join(map(str, IDS)), *types, "--store", "f32", "--precision", "fine",
                              "--dump", dump], capture_output=True, text=True)
        return (None, ran.stderr.strip()) if ran.returncode else (load_file(dump), "")

    def rough(self):
        return [record.Recorder(variants.nudged(self.made(), seed)).run(IDS, self.types) for seed in range(3)]


def same(a, b):
    """Two passes of transformers are the same, but for the order of sums."""
    return a.keys() == b.keys() and all(x.shape == b[n].shape and (x.double() - b[n].double()).abs().max() < 1e-9 for n, x in a.items())


def names_it(sentence, key, value):
    """Whether a refusal names the key, or a member of its value."""
    # of ALBERT num_labels is also the width of the tensor that says the order, which the sentence names
    key = {"quantization_config": "quant_method", "hidden_size": "hidden_size|hidden width", "num_labels": "num_labels|sop_classifier"}.get(key, key)
    inner = [v for v in (value.values() if isinstance(value, dict) else ()) if isinstance(v, dict)]
    return any(re.search(rf"\b({name})\b", sentence) for name in (key, *(value if isinstance(value, dict) else ()), *(k for v in inner for k in v)))


class Walk:
    """The keys of one family."""

    def __init__(self, family):
        self.family, self.classes = family, classes_of(family)
        self.map = self.classes[0].config_class.attribute_map
        self.folders = {cls: Path(tempfile.mkdtemp()) for cls in self.classes}
        self.bases, self.shapes = {}, {}
        for cls in self.classes:
            base = Model(family, cls, BASES[family], self.folders[cls])
            self.bases[cls], self.shapes[cls] = base.reference(), base.shapes

    def tried(self, cls, change, without=()):
        """(kind, detail) of a change of config.json in one class."""
        folder, (key, value) = self.folders[cls], next(iter(change.items()))
        weights_of_base = (folder / "model.safetensors").read_bytes()
        model = Model(self.family, cls, {**{k: v for k, v in BASES[self.family].items() if k not in without}, **change}, folder)
        try:
            found, sentence = model.ours()
            if found is None and sentence.startswith("config:"):
                return ("refused", sentence) if names_it(sentence, key, value) else ("unexplained", f"is refused without its name: {sentence}")
            try:
                expected = model.reference()
            except Exception as fault:  # whatever transformers says of it
                said = f"{type(fault).__name__}: {str(fault).strip()}".splitlines()[0][:120]
                if found is None:
                    return "refused", sentence
                plain = variants.difference(found, self.bases[cls], lambda: [self.bases[cls]])[0] <= 1
                return ("absent" if value is None and plain else "illegal"), f"Headlight computes, transformers says {said}"
            found, sentence = model.ours()
            if found is None:
                return ("refused", sentence) if names_it(sentence, key, value) else ("unexplained", f"is refused without its name: {sentence}")
            off, where = variants.difference(found, expected, model.rough)
            if off > 1:
                return "unexplained", f"differs by {off:.3g} tolerances at {where}"
            changed = model.shapes != self.shapes[cls] or not same(expected, self.bases[cls])
            return ("followed" if changed else "same"), ""
        finally:
            (folder / "model.safetensors").write_bytes(weights_of_base)

    def nothing(self, keys):
        """Keys that are said to change nothing, all at once; one by one only if that is not so. {key: fault}"""
        change = {k: values_of(self.family, k)[0] for k in keys}
        if all(self.tried(cls, change)[0] == "same" for cls in self.classes):
            return {}
        faults = {}
        for key in keys:
            for cls in self.classes:
                kind, detail = self.tried(cls, {key: change[key]})
                if kind not in ("same", "refused"):
                    faults[key] = f"is said to change nothing; {json.dumps(change[key])} in {cls.__name__}: {kind} {detail}"
        return faults

    def key(self, key):
        """(kind, faults) of a key that means something."""
        kinds, faults, where = set(), [], self.classes[0]
        for i, value in enumerate(values_of(self.family, key)):
            for cls in self.classes if i == 0 else self.classes[:1]:
                for without in [(), *([(BESIDE.get(key) or self.map[key],)] if key in {**self.map, **BESIDE} else [])]:
                    kind, detail = self.tried(cls, {key: value}, without)
                    where = cls if kind == "followed" and "followed" not in kinds else where
                    kinds.add(kind)
                    if kind == "unexplained":
                        faults.append(f"{json.dumps(value)} in {cls.__name__}: {detail}")
        for value in () if key in LENIENT else WRONG:
            kind, detail = self.tried(where, {key: value})
            if kind in ("illegal", "unexplained"):
                faults.append(f"{json.dumps(value)}: {detail}")
        if not faults and not kinds & {"followed", "refused"}:
            faults.append("changes nothing, and no reason is given")
        return "followed" if "followed" in kinds else "refused", list(dict.fromkeys(faults))

    def rows(self, only):
        """[(key, kind, detail)], kind: followed, refused, nothing or unexplained."""
        keys = [k for k in keys_of(self.family) if only in ("", k)]
        idle = [k for k in keys if reason_of(self.family, k)]
        wrong = self.nothing(idle) if idle else {}
        rows = [(k, "unexplained" if k in wrong else "nothing", wrong.get(k, reason_of(self.family, k))) for k in idle]
        for key in keys:
            if key not in idle:
                kind, faults = self.key(key)
                rows.append((key, "unexplained" if faults else kind, "\n        ".join(faults)))
        return rows


WRONG = (None, True, -1, 4, 2.5, "", "word", [], {}, {"word": 1})
BESIDE = {"rope_theta": "rope_parameters"}  # what comes first; the key is tried without it, too
LENIENT = {"id2label": "labels are only shown, and the weights say how many there are"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--headlight", type=Path)
    options = parser.parse_args()
    global HEADLIGHT
    HEADLIGHT = options.headlight or HEADLIGHT
    hf.utils.logging.set_verbosity(50)
    hf.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    family, _, key = options.only.partition(".")
    unexplained = 0
    print("| family | keys | followed | refused by name | nothing, with a reason | unexplained |\n|---|---|---|---|---|---|")
    with record.replaced(*record.FLOAT64_PARTS):
        for name in [family] if family else BASES:
            rows = Walk(name).rows(key)
            count = {kind: sum(k == kind for _, k, _ in rows) for kind in ("followed", "refused", "nothing", "unexplained")}
            print(f"| {name} | {len(rows)} | " + " | ".join(map(str, count.values())) + " |", flush=True)
            unexplained += count["unexplained"]
            for key_, kind, detail in rows:
                if kind == "unexplained" or options.list or key:
                    print(f"    {kind}: {key_}: {detail}", flush=True)
    print(f"\n{unexplained} unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())

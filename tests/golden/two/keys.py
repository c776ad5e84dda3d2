#!/usr/bin/env python3
"""../../real/keys.py for models of two stacks: every key of config.json that transformers reads, changed one at a time.

    python keys.py [--only FAMILY[.KEY]] [--list] [--headlight PROGRAM]
"""
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import stacks
import record
import torch
import transformers as hf
from safetensors.torch import load_file, save_file

HERE = Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("keys_of_one", HERE.parents[1] / "real/keys.py")
sys.path.append(str(HERE.parent))
keys = importlib.util.module_from_spec(spec)
# real/keys.py and ../variants.py are of one stack; here is a module of the same name as the latter
sys.modules["variants"] = importlib.util.module_from_spec(one := importlib.util.spec_from_file_location("variants", HERE.parent / "variants.py"))
one.loader.exec_module(sys.modules["variants"])
spec.loader.exec_module(keys)

SOURCE, TARGET = keys.IDS, [7, 3, 22, 9, 1]
T5 = dict(vocab_size=30, d_model=12, d_kv=5, num_heads=2, d_ff=10, num_layers=2, num_decoder_layers=3, relative_attention_num_buckets=8,
          relative_attention_max_distance=20, layer_norm_epsilon=1e-3, feed_forward_proj="relu", decoder_start_token_id=0, pad_token_id=0)
BART = dict(vocab_size=30, d_model=12, encoder_layers=2, decoder_layers=3, encoder_attention_heads=2, decoder_attention_heads=3, encoder_ffn_dim=10,
            decoder_ffn_dim=7, max_position_embeddings=40, activation_function="gelu", pad_token_id=1, bos_token_id=0, eos_token_id=2,
            decoder_start_token_id=2)
BASES = {"t5": T5, "mt5": {**T5, "feed_forward_proj": "gated-gelu"}, "bart": BART,
         "marian": {**BART, "pad_token_id": 29, "eos_token_id": 0, "decoder_start_token_id": 29}}
PREFIX = {"t5": "T5", "mt5": "MT5", "bart": "Bart", "marian": "Marian"}
ENDS = ("ForConditionalGeneration", "MTModel", "Model", "EncoderModel")
VALUES = {
    "num_layers": [1, 3], "num_decoder_layers": [1, None], "num_heads": [1, 3], "d_kv": [4, 7], "d_ff": [3], "d_model": [18], "vocab_size": [33],
    "num_hidden_layers": [1], "num_attention_heads": [3], "hidden_size": [18], "head_dim": [7],
    "relative_attention_num_buckets": [4, 9, 32], "relative_attention_max_distance": [5, 77], "layer_norm_epsilon": [0.1, 1e-12],
    "feed_forward_proj": ["gated-gelu", "gated-silu", "gelu", "gelu_new", "gated-relu", "gated-mish", "silu-gated", "tanh"],
    "dense_act_fn": ["gelu", "gelu_new", "silu", "tanh"], "is_gated_act": [True, False], "scale_decoder_outputs": [False, True],
    "encoder_layers": [1, 3], "decoder_layers": [1, 2], "encoder_attention_heads": [1, 4], "decoder_attention_heads": [1, 2],
    "encoder_ffn_dim": [3], "decoder_ffn_dim": [11], "max_position_embeddings": [50, 30], "scale_embedding": [True],
    "share_encoder_decoder_embeddings": [False], "decoder_vocab_size": [33, 30], "tie_word_embeddings": [False, True], "decoder_start_token_id": [3, 0], "is_decoder": [True], "is_causal": [False, True],
}
NOTHING = {"dropout_rate": keys.TRAINING, "dropout": keys.TRAINING, "classifier_dropout": keys.TRAINING, "initializer_factor": keys.TRAINING,
           "pad_token_id": "before a target decoder_start_token_id stands; labels that are left out are not given",
           "encoder_layerdrop": keys.TRAINING, "decoder_layerdrop": keys.TRAINING, "activation_dropout": keys.TRAINING,
           "attention_dropout": keys.TRAINING, "normalize_before": keys.UNREAD, "normalize_embedding": keys.UNREAD,
           "add_final_layer_norm": keys.UNREAD, "add_bias_logits": keys.UNREAD, "static_position_embeddings": keys.UNREAD, "num_labels": "of classes that are refused",
           "id2label": "of classes that are refused"}


class Model(keys.Model):
    def __init__(self, family, cls, config, folder):
        super().__init__(family, cls, config, folder)
        self.how = {"attn_implementation": stacks.NAME}
        self.target = TARGET if not cls.__name__.endswith("EncoderModel") else []

    def made(self):
        config = self.cls.config_class.from_dict(json.loads(self.text))
        model = self.cls._from_config(config, dtype=torch.float64, **self.how)
        stacks.fill(model, self.family)
        return model

    def reference(self):
        model = self.made()
        self.shapes = {n: x.shape for n, x in model.named_parameters()}
        state = {n: x.to(torch.float32).contiguous() for n, x in model.state_dict().items()}
        tied = getattr(model, "all_tied_weights_keys", None) or {}
        save_file({n: x for n, x in state.items() if n not in tied}, self.folder / "model.safetensors", {"format": "pt"})
        return stacks.Recorder(model).run(SOURCE, self.target)

    def ours(self):
        dump = self.folder / "dump"
        target = ["--target-ids", " ".join(map(str, self.target))] if self.target else []
        ran = subprocess.run([keys.HEADLIGHT, "run", self.folder, "--ids", " ".join(map(str, SOURCE)), *target, "--store", "f32", "--precision",
                              "fine", "--dump", dump], capture_output=True, text=True)
        return (None, ran.stderr.strip()) if ran.returncode else (load_file(dump), "")

    def rough(self):
        return [stacks.Recorder(keys.variants.nudged(self.made(), seed)).run(SOURCE, self.target) for seed in range(3)]


def difference(found, expected, rough):
    off = stacks.difference(found, expected)
    return off if off[0] <= 1 else (off[0] / max(1, 4 * max(stacks.difference(r, expected)[0] for r in rough())), off[1])


OWN = {("t5", "max_position_embeddings"): "positions are relative", ("mt5", "max_position_embeddings"): "positions are relative",
       ("mt5", "tie_word_embeddings"): "a decoder is its own where the file has one"}
OWN.update({(family, key): "of other families" for family in ("bart", "marian") for key in ("head_dim", "num_heads")})
SAYS = {"d_model": "hidden width", "vocab_size": "decoder_start_token_id"}  # what a refusal names for these
usual_names = keys.names_it
keys.names_it = lambda sentence, key, value: usual_names(sentence, key, value) or (key in SAYS and SAYS[key] in sentence)
usual_values, usual_reason = keys.values_of, keys.reason_of
keys.Model, keys.BASES = Model, BASES
keys.variants.difference = difference
keys.classes_of = lambda family: [getattr(hf, PREFIX[family] + end) for end in ENDS if hasattr(hf, PREFIX[family] + end)]
keys.values_of = lambda family, key: [v for v in VALUES[key] if key not in BASES[family] or v != BASES[family][key]] if key in VALUES else usual_values(family, key)
keys.reason_of = lambda family, key: OWN.get((family, key)) or NOTHING.get(key) or ("" if key in VALUES else usual_reason(family, key))

if __name__ == "__main__":
    with record.replaced(*stacks.FLOAT64_PARTS):
        sys.exit(keys.main())

"""The checkpoints that make.py makes: for each a configuration, a class of transformers and what it is there for."""
from dataclasses import dataclass, field

import transformers as hf


@dataclass(frozen=True)
class Recipe:
    name: str
    cls: type
    config: dict
    dtype: str = "float32"
    length: int = 32                # of the input `long`
    inputs: tuple = ("single", "pair", "long", "types", "pad-inside")
    lean: bool = False              # only what a task head adds: the logits, the last hidden state
    published: dict = field(default_factory=dict)  # what published files say instead of version 5's fields (None: left out)
    drop_from_published: tuple = ()

    @property
    def family(self):
        return self.cls.config_class.model_type


def sizes(hidden, heads, layers, inner, **more):
    return dict(hidden_size=hidden, num_attention_heads=heads, num_hidden_layers=layers, intermediate_size=inner,
                max_position_embeddings=40, **more)


LABELS = {"num_labels": 3, "id2label": {0: "sad", 1: "plain", 2: "happy"}, "label2id": {"sad": 0, "plain": 1, "happy": 2}}
TAGS = {"num_labels": 4, "id2label": {0: "O", 1: "NOUN", 2: "VERB", 3: "DET"}, "label2id": {"O": 0, "NOUN": 1, "VERB": 2, "DET": 3}}
SMALL = sizes(32, 4, 2, 64)
TINY = sizes(16, 2, 1, 24)  # for task heads of which nothing but the head is new
ROBERTA = {**SMALL, "max_position_embeddings": 42, "type_vocab_size": 1, "layer_norm_eps": 1e-5,
           "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
ELECTRA = {**SMALL, "embedding_size": 24, "type_vocab_size": 2}
MODERN = {**sizes(32, 4, 4, 48), "local_attention": 8, "global_attn_every_n_layers": 3,
          "pad_token_id": 3, "cls_token_id": 1, "sep_token_id": 2, "bos_token_id": 1, "eos_token_id": 2,
          "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 160000.0},
                              "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}}
MODERN_PUBLISHED = {"global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0}


FULL_STOP_OF_GPT2 = 13  # as its pad: the label is read before the last token of a sentence


def rope(theta):
    return {"rope_parameters": {"rope_type": "default", "rope_theta": theta}}


def published_rope(theta):
    return {"rope_theta": theta, "rope_scaling": None}


RECIPES = (
    # BERT: shapes, activations, how weights are stored
    Recipe("bert-width-24", hf.BertForPreTraining, {**sizes(48, 2, 2, 80), "hidden_act": "gelu"}),
    Recipe("bert-width-8", hf.BertForMaskedLM, {**sizes(32, 4, 2, 64), "hidden_act": "gelu_new"}, dtype="float16"),
    Recipe("bert-one-head", hf.BertModel, {**sizes(32, 1, 1, 64), "hidden_act": "relu", "type_vocab_size": 1}, dtype="bfloat16"),
    Recipe("bert-sixteen-heads", hf.BertForPreTraining,
           {**sizes(48, 16, 2, 64), "hidden_act": "silu", "type_vocab_size": 3, "layer_norm_eps": 1e-5},
           inputs=("single", "types")),
    Recipe("bert-float64", hf.BertForMaskedLM, {**sizes(24, 3, 1, 40)}, dtype="float64", inputs=("single", "pair")),
    Recipe("bert-512", hf.BertModel, {**SMALL, "max_position_embeddings": 512}, length=512, inputs=("long",)),
    Recipe("bert-labels", hf.BertForSequenceClassification, {**SMALL, **LABELS}, inputs=("single", "pair"), lean=True),
    Recipe("bert-token-labels", hf.BertForTokenClassification, {**SMALL, **TAGS}, dtype="bfloat16", inputs=("single",), lean=True),
    Recipe("bert-answers", hf.BertForQuestionAnswering, SMALL, dtype="float16", inputs=("pair",), lean=True),
    # The families of BERT's block
    Recipe("distilbert-masked", hf.DistilBertForMaskedLM,
           dict(dim=32, n_heads=4, n_layers=2, hidden_dim=64, max_position_embeddings=40, activation="gelu")),
    Recipe("distilbert-labels", hf.DistilBertForSequenceClassification,
           dict(dim=48, n_heads=6, n_layers=3, hidden_dim=80, max_position_embeddings=40, activation="relu", **LABELS),
           dtype="float16", inputs=("single",)),
    Recipe("roberta-masked", hf.RobertaForMaskedLM, {**ROBERTA, "hidden_act": "relu"}),
    Recipe("roberta-labels", hf.RobertaForSequenceClassification, {**ROBERTA, **LABELS}, dtype="bfloat16",
           inputs=("single",), lean=True),
    Recipe("xlm-roberta-masked", hf.XLMRobertaForMaskedLM, ROBERTA, dtype="float16", inputs=("single",)),
    Recipe("camembert-masked", hf.CamembertForMaskedLM, ROBERTA, dtype="bfloat16", inputs=("single",), lean=True),
    Recipe("electra-generator", hf.ElectraForMaskedLM, {**ELECTRA, "embedding_size": 16, "hidden_act": "relu"}),
    Recipe("electra-discriminator", hf.ElectraForPreTraining, {**ELECTRA, **sizes(40, 4, 2, 64)}),
    Recipe("electra-labels", hf.ElectraForSequenceClassification, {**ELECTRA, "embedding_size": 32, **LABELS},
           dtype="float16", inputs=("pair",), lean=True),
    Recipe("albert-groups", hf.AlbertForPreTraining,
           {**sizes(32, 4, 4, 48), "embedding_size": 16, "num_hidden_groups": 2, "hidden_act": "gelu_new", "pad_token_id": 0}),
    Recipe("albert-token-labels", hf.AlbertForTokenClassification,
           {**sizes(32, 2, 3, 64), "embedding_size": 16, "num_hidden_groups": 1, "hidden_act": "gelu", "pad_token_id": 0, **TAGS},
           inputs=("single",), lean=True),
    Recipe("mpnet-masked", hf.MPNetForMaskedLM,
           {**sizes(32, 2, 2, 64), "max_position_embeddings": 82, "pad_token_id": 1}, length=80),
    # Causal
    Recipe("gpt2-next", hf.GPT2LMHeadModel, dict(n_embd=32, n_head=4, n_layer=2, n_positions=40, activation_function="gelu_new")),
    Recipe("llama-next", hf.LlamaForCausalLM,
           {**sizes(32, 4, 2, 48), "num_key_value_heads": 2, "rms_norm_eps": 1e-6, **rope(10000.0), "tie_word_embeddings": False},
           published=published_rope(10000.0), drop_from_published=("rope_parameters", "head_dim", "dtype")),
    Recipe("qwen2-next", hf.Qwen2ForCausalLM,
           {**sizes(48, 4, 2, 64), "num_key_value_heads": 1, "rms_norm_eps": 1e-6, **rope(1000000.0), "tie_word_embeddings": True},
           dtype="bfloat16", published=published_rope(1000000.0), drop_from_published=("rope_parameters", "layer_types", "dtype")),
    Recipe("qwen3-next", hf.Qwen3ForCausalLM,
           {**sizes(40, 4, 2, 64), "num_key_value_heads": 2, "head_dim": 12, "rms_norm_eps": 1e-6, **rope(1000000.0),
            "tie_word_embeddings": True},
           published=published_rope(1000000.0), drop_from_published=("rope_parameters", "layer_types", "dtype")),
    Recipe("mistral-next", hf.MistralForCausalLM,
           {**sizes(24, 4, 2, 40), "num_key_value_heads": 2, "head_dim": 8, "rms_norm_eps": 1e-6, **rope(10000.0), "sliding_window": 5},
           dtype="bfloat16", published=published_rope(10000.0), drop_from_published=("rope_parameters", "dtype")),
    Recipe("gpt-neox-next", hf.GPTNeoXForCausalLM,
           {**sizes(24, 3, 2, 48), "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}},
           dtype="float16", published={"rotary_pct": 0.5, "rotary_emb_base": 10000}, drop_from_published=("rope_parameters", "dtype")),
    Recipe("gpt-neox-in-turn", hf.GPTNeoXForCausalLM,
           {**sizes(24, 3, 2, 40), "use_parallel_residual": False, "attention_bias": False, "hidden_act": "gelu_new",
            "tie_word_embeddings": True}, dtype="bfloat16", inputs=("single", "long")),
    # Scaled rotations
    *(Recipe(name, cls, {**sizes(24, 2, 2, 32), "num_key_value_heads": 1, "rms_norm_eps": 1e-6, "tie_word_embeddings": True,
                         "rope_parameters": {**scaling, "rope_theta": 100.0}, **more},
             dtype="bfloat16", length=40, inputs=("single", "long"), published={"rope_theta": 100.0, "rope_scaling": scaling},
             drop_from_published=("rope_parameters", "layer_types", "dtype"))
      for name, cls, scaling, more in (
          ("llama-linear", hf.LlamaForCausalLM, {"rope_type": "linear", "factor": 2.5}, {}),
          ("llama-llama3", hf.LlamaForCausalLM, {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                                 "original_max_position_embeddings": 24}, {}),
          ("mistral-dynamic", hf.MistralForCausalLM, {"rope_type": "dynamic", "factor": 4.0},
           {"max_position_embeddings": 10, "sliding_window": None}),
          ("qwen2-yarn", hf.Qwen2ForCausalLM, {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 400,
                                               "beta_fast": 4.0}, {}))),
    # ModernBERT
    Recipe("modernbert-masked", hf.ModernBertForMaskedLM, MODERN, published=MODERN_PUBLISHED,
           drop_from_published=("rope_parameters", "layer_types", "dtype")),
    Recipe("modernbert-labels", hf.ModernBertForSequenceClassification,
           {**MODERN, **sizes(24, 2, 3, 32), "classifier_pooling": "mean", **LABELS}, inputs=("pair",), lean=True),
    # Task heads of the other kinds: what a family has of its own is its names, its pooling, its dense map
    Recipe("albert-labels", hf.AlbertForSequenceClassification,
           {**TINY, "embedding_size": 8, "hidden_act": "gelu_new", "pad_token_id": 0, **LABELS}, inputs=("pair",), lean=True),
    Recipe("distilbert-answers", hf.DistilBertForQuestionAnswering,
           dict(dim=16, n_heads=2, n_layers=1, hidden_dim=24, max_position_embeddings=40), inputs=("pair",), lean=True),
    Recipe("roberta-token-labels", hf.RobertaForTokenClassification, {**ROBERTA, **sizes(16, 2, 1, 24), "max_position_embeddings": 42, **TAGS},
           inputs=("single",), lean=True),
    Recipe("mpnet-labels", hf.MPNetForSequenceClassification, {**TINY, "max_position_embeddings": 42, "pad_token_id": 1, **LABELS},
           inputs=("single",), lean=True),
    Recipe("gpt2-labels", hf.GPT2ForSequenceClassification,
           dict(n_embd=16, n_head=2, n_layer=1, n_positions=40, pad_token_id=FULL_STOP_OF_GPT2, **LABELS), inputs=("single",), lean=True),
    Recipe("llama-labels", hf.LlamaForSequenceClassification,
           {**TINY, "num_key_value_heads": 1, "rms_norm_eps": 1e-6, **rope(10000.0), **LABELS}, inputs=("single",), lean=True),
    Recipe("qwen2-token-labels", hf.Qwen2ForTokenClassification,
           {**TINY, "num_key_value_heads": 1, "rms_norm_eps": 1e-6, **rope(1000000.0), **TAGS}, inputs=("single",), lean=True),
    Recipe("qwen3-answers", hf.Qwen3ForQuestionAnswering,
           {**TINY, "num_key_value_heads": 1, "head_dim": 12, "rms_norm_eps": 1e-6, **rope(1000000.0)}, inputs=("pair",), lean=True),
    Recipe("mistral-answers", hf.MistralForQuestionAnswering,
           {**TINY, "num_key_value_heads": 1, "rms_norm_eps": 1e-6, **rope(10000.0), "sliding_window": 4}, inputs=("pair",), lean=True),
    Recipe("gpt-neox-labels", hf.GPTNeoXForSequenceClassification,
           {**TINY, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25}, **LABELS},
           inputs=("single",), lean=True),
    Recipe("gpt-neox-token-labels", hf.GPTNeoXForTokenClassification,
           {**TINY, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1.0}, **TAGS},
           inputs=("single",), lean=True),
    Recipe("modernbert-answers", hf.ModernBertForQuestionAnswering, {**MODERN, **sizes(16, 2, 2, 24)}, inputs=("pair",), lean=True),
)
BY_NAME = {recipe.name: recipe for recipe in RECIPES}
CAUSAL = ("gpt2", "gpt_neox", "llama", "mistral", "qwen2", "qwen3")

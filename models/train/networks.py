"""networks - creates and loads the models that a recipe trains, with Hugging Face transformers; and the targets of distillation."""

import json
import shutil
from pathlib import Path

import torch
from torch import nn
from transformers import (
    AutoConfig,
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
)

from text import VOCABULARY_FILES, tokenizer_of

TOKENIZER = {
    'tokenizer_class': 'BertTokenizer', 'do_lower_case': True, 'unk_token': '[UNK]', 'sep_token': '[SEP]', 'pad_token': '[PAD]',
    'cls_token': '[CLS]', 'mask_token': '[MASK]',
}


def open_masked(folder):
    """A masked language model of a folder, float32."""
    config = AutoConfig.from_pretrained(folder)
    kind = BertForPreTraining if 'BertForPreTraining' in (config.architectures or []) else BertForMaskedLM
    return kind.from_pretrained(folder, dtype=torch.float32)


def make(shape, vocab, objective, begin=None):
    """A new model, or one that begins as `begin` (a folder). The head of one that never had any is new: its transform is the
    identity, so that it starts with the encoder's own output."""
    if objective == 'causal':
        if begin:
            return GPT2LMHeadModel.from_pretrained(begin, dtype=torch.float32)
        config = GPT2Config(vocab_size=vocab, bos_token_id=0, eos_token_id=0, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, **shape)
        return GPT2LMHeadModel(config)
    kind = BertForPreTraining if objective == 'masked+next' else BertForMaskedLM
    if not begin:
        return kind(BertConfig(vocab_size=vocab, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, **shape))
    config = AutoConfig.from_pretrained(begin)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    model = kind.from_pretrained(begin, config=config, dtype=torch.float32)
    if not (config.architectures or [''])[0].startswith(('BertForMaskedLM', 'BertForPreTraining')):
        head = model.cls.predictions
        nn.init.eye_(head.transform.dense.weight)
        nn.init.zeros_(head.transform.dense.bias)
        head.transform.LayerNorm.reset_parameters()
        nn.init.zeros_(head.bias)  # the decoder itself is tied to the word embeddings
    return model


def freeze(model, learn):
    """Trains only parameters whose names begin with one of `learn`. The decoder that is tied to the word embeddings is one
    parameter with them, under their name."""
    for start in learn:
        if not any(name.startswith(start) for name, _ in model.named_parameters()):
            raise ValueError(f'learn: no parameter begins with {start}')
    for name, p in model.named_parameters():
        p.requires_grad_(name.startswith(tuple(learn)))


def renew(model, row, like):
    """The word embedding `row` begins as that of `like` and learns, also where the others do not. For a model that
    has never been trained with [MASK]: its vector is next to nothing there, and gathers little of the text around it. Comes
    after freeze; returns the parameter, which must have no weight decay, or the other rows would move."""
    words = base_of(model).embeddings.word_embeddings.weight
    words.data[row] = words.data[like]
    only = torch.zeros(len(words), 1)
    only[row] = 1
    words.requires_grad_(True).register_hook(lambda gradient: gradient * only.to(gradient.device))
    return words


def base_of(model):
    """The encoder or decoder without its heads."""
    return model.transformer if isinstance(model, GPT2LMHeadModel) else model.bert if hasattr(model, 'bert') else model


class Watch:
    """Records q, k and v of some layers, [B, heads, T, d], in each forward pass."""

    def __init__(self, model, layers):
        self.rows = {}
        for number in layers:
            inside = base_of(model).encoder.layer[number].attention.self
            for name in ('query', 'key', 'value'):
                getattr(inside, name).register_forward_hook(self.taker(number, name))

    def taker(self, number, name):
        def take(_module, _inputs, output):
            self.rows[number, name] = output

        return take

    def relations(self, layer, name, heads):
        """log softmax of row against row among queries, keys or values, [B, heads, T, T] (MiniLMv2, Wang et al. 2021)."""
        rows = self.rows[layer, name]
        count, length, width = rows.shape
        rows = rows.view(count, length, heads, width // heads).transpose(1, 2).float()
        return rows @ rows.transpose(-1, -2) / (width // heads) ** 0.5


def divergence(student, teacher, used):
    """Mean KL(teacher || student) of rows of scores [B, heads, T, T], over the tokens that are there."""
    shut = ~used[:, None, None, :]
    student = student.masked_fill(shut, -1e4).log_softmax(-1)
    teacher = teacher.masked_fill(shut, -1e4).log_softmax(-1)
    each = (teacher.exp() * (teacher - student)).sum(-1)  # [B, heads, T]
    return (each * used[:, None, :]).sum() / (used.sum() * each.shape[1])


def encoder(folder):
    """A teacher's encoder, which does not learn."""
    model = BertModel.from_pretrained(folder, add_pooling_layer=False, dtype=torch.float32)
    return model.eval().requires_grad_(False)


def size_of(model):
    return sum(p.numel() for p in model.parameters())


def save(model, folder, data):
    """As a Hugging Face folder with the vocabulary that its tokens were made with."""
    folder = Path(folder)
    model.save_pretrained(folder)
    if (Path(data) / 'merges.txt').exists():  # as one tokenizer.json, which also says what a text begins with
        tokenizer = tokenizer_of(data)
        tokenizer.backend_tokenizer.save(str(folder / 'tokenizer.json'), pretty=False)
        end = tokenizer.eos_token
        config = {'tokenizer_class': 'PreTrainedTokenizerFast', 'bos_token': end, 'eos_token': end, 'model_max_length': model.config.n_positions}
        (folder / 'tokenizer_config.json').write_text(json.dumps(config, indent=1))
        return
    for name in VOCABULARY_FILES:
        if (Path(data) / name).exists():
            shutil.copyfile(Path(data) / name, folder / name)
    if (folder / 'vocab.txt').exists():
        (folder / 'tokenizer_config.json').write_text(json.dumps(TOKENIZER, indent=1))

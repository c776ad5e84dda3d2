"""Small stand-ins for what is large: torch and models of transformers, anywidget and traitlets. Enough of each for
this package's own code to run on: tensors that hold NumPy arrays, modules with hooks, models that attend.

The same tests run on the real ones where they are installed (test_models.py)."""

import csv
import json
import re
import sys
import types
from collections import OrderedDict
from contextlib import contextmanager

import numpy as np


class Tensor:
    """An array with the calls of torch.Tensor that are used."""

    def __init__(self, array):
        self.array = np.asarray(array)

    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)
    device = property(lambda self: "cpu")

    def __getitem__(self, key):
        return Tensor(self.array[key])

    def __setitem__(self, key, value):
        self.array[key] = value.array if isinstance(value, Tensor) else value

    def __iter__(self):
        return (Tensor(one) for one in self.array)

    def __len__(self):
        return len(self.array)

    def __int__(self):
        return int(self.array)

    __index__ = __int__

    def clone(self):
        return Tensor(self.array.copy())

    def to(self, device):
        return self

    def max(self):
        return Tensor(self.array.max())

    detach = float = cpu = lambda self: self

    def numpy(self):
        return self.array.astype(np.float32)


class Module:
    """torch.nn.Module: parts by name, hooks, train and eval."""

    def __init__(self, **parts):
        self.training, self._hooks = True, []
        self._parts = list(parts)
        for name, part in parts.items():
            setattr(self, name, part)

    def named_modules(self, before=""):
        yield before, self
        for name in self._parts:
            yield from getattr(self, name).named_modules(f"{before}.{name}" if before else name)

    def modules(self):
        return (module for _, module in self.named_modules())

    def parameters(self):
        return (module.weight for module in self.modules() if hasattr(module, "weight"))

    def train(self, mode=True):
        for module in self.modules():
            module.training = mode
        return self

    def eval(self):
        return self.train(False)

    def register_forward_hook(self, hook):
        self._hooks.append(hook)
        return types.SimpleNamespace(remove=lambda: self._hooks.remove(hook))

    def __call__(self, *given, **named):
        out = self.forward(*given, **named)
        for hook in self._hooks:
            hook(self, given, out)
        return out


class Embedding(Module):
    def __init__(self, rows, width, padding_idx=None, offset=None, seed=0):
        super().__init__()
        self.weight = Tensor(np.random.default_rng(seed).normal(size=(rows, width)).astype(np.float32))
        self.num_embeddings, self.padding_idx = rows, padding_idx
        if offset is not None:
            self.offset = offset

    def forward(self, ids):
        return Tensor(self.weight.array[ids.array])


class Linear(Module):
    """[out, in], as torch's, and a bias."""

    def __init__(self, width, out=None, seed=0):
        super().__init__()
        draw = np.random.default_rng(seed)
        self.weight = Tensor(draw.normal(size=(width, out or width)).astype(np.float32).T)
        self.bias = Tensor(draw.normal(size=out or width).astype(np.float32))

    def forward(self, rows):
        return Tensor(rows.array @ self.weight.array.T + self.bias.array)


class Conv1D(Linear):
    """[in, out], as GPT-2's."""

    def __init__(self, width, out=None, seed=0):
        super().__init__(width, out, seed)
        self.weight, self.nf = Tensor(self.weight.array.T), out or width

    def forward(self, rows):
        return Tensor(rows.array @ self.weight.array + self.bias.array)


class Same(Module):
    """A layer norm that changes nothing."""

    def forward(self, rows):
        return rows


def softmax(scores):
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


class Output(OrderedDict):
    """transformers' ModelOutput: members by name, those that are None left out."""

    def __init__(self, **members):
        super().__init__((name, value) for name, value in members.items() if value is not None)
        self.__dict__.update(self)


def attend(q, k, v, heads, causal, scale):
    """[1, T, D] each -> context [1, T, D], weights [1, H, T, T]."""
    tokens, width = q.shape[1:]
    apart = [one.array[0].reshape(tokens, heads, width // heads).transpose(1, 0, 2) for one in (q, k, v)]
    scores = apart[0] @ apart[1].transpose(0, 2, 1) * scale / np.sqrt(width // heads)
    weights = softmax(np.where(np.tri(tokens) > 0, scores, -np.inf) if causal else scores)
    context = (weights @ apart[2]).transpose(1, 0, 2).reshape(1, tokens, width)
    return Tensor(context.astype(np.float32)), Tensor(weights[None].astype(np.float32))


class BertOutput(Module):
    def __init__(self, width, seed):
        super().__init__(dense=Linear(width, seed=seed))

    def forward(self, context, rows):
        return Tensor(self.dense(context).array + rows.array)


class Layer(Module):
    """The attention of one layer, with BERT's, DistilBERT's or GPT-2's names."""

    def __init__(self, kind, width, seed):
        names = {"bert": ("query", "key", "value"), "distilbert": ("q_lin", "k_lin", "v_lin")}.get(kind, ())
        own = {name: Linear(width, seed=seed + i) for i, name in enumerate(names)}
        if kind == "distilbert":
            own["out_lin"] = Linear(width, seed=seed + 3)
        if kind == "gpt2":
            own = {"c_attn": Conv1D(width, 3 * width, seed=seed), "c_proj": Conv1D(width, seed=seed + 3)}
        around = {"bert": {"output": BertOutput(width, seed + 3)} if kind == "bert" else {}, "distilbert": {"sa_layer_norm": Same()},
                  "gpt2": {"ln_2": Same()}}[kind]
        super().__init__(attention=Module(**own), **around)
        self.kind = kind

    def forward(self, rows, heads, scale):
        own = self.attention
        if self.kind == "gpt2":
            q, k, v = (Tensor(one) for one in np.split(own.c_attn(rows).array, 3, axis=-1))
        else:
            parts = (own.query, own.key, own.value) if self.kind == "bert" else (own.q_lin, own.k_lin, own.v_lin)
            q, k, v = (part(rows) for part in parts)
        context, weights = attend(q, k, v, heads, self.kind == "gpt2", scale)
        if self.kind == "bert":
            return self.output(context, rows), weights
        added = Tensor((own.out_lin if self.kind == "distilbert" else own.c_proj)(context).array + rows.array)
        return (self.sa_layer_norm if self.kind == "distilbert" else self.ln_2)(added), weights


class Model(Module):
    """A model of one stack. implementation: with 'sdpa' it gives no weights; scale: of the scores, beyond 1/sqrt(d)."""

    base_model_prefix = "model"

    def __init__(self, kind="bert", layers=2, heads=2, width=8, vocabulary=40, most=16, implementation="eager", scale=1.0, **table):
        tables = {"word_embeddings": Embedding(vocabulary, width, seed=1),
                  "wpe" if kind == "gpt2" else "position_embeddings": Embedding(most, width, seed=2, **table)}
        super().__init__(**tables, **{f"layer_{i}": Layer(kind, width, 10 * (i + 1)) for i in range(layers)})
        self.scale = scale
        self.config = types.SimpleNamespace(
            num_attention_heads=heads, num_hidden_layers=layers, is_encoder_decoder=False, _attn_implementation=implementation,
            max_position_embeddings=most,
        )

    def get_input_embeddings(self):
        return self.word_embeddings

    def set_attn_implementation(self, name):
        self.config._attn_implementation = name

    def forward(self, input_ids, attention_mask=None, output_attentions=False):
        assert not self.training and not sys.modules["torch"].gradients, "read without dropout and gradients"
        table = next(part for name, part in self.named_modules() if name in ("wpe", "position_embeddings"))
        begin = table.padding_idx + 1 if table.padding_idx is not None else getattr(table, "offset", 0)
        places = Tensor(begin + np.arange(input_ids.shape[1]))
        rows = Tensor(self.word_embeddings(input_ids).array + table(places).array)
        weights = []
        for i in range(self.config.num_hidden_layers):
            rows, one = getattr(self, f"layer_{i}")(rows, self.config.num_attention_heads, self.scale)
            weights.append(one if self.config._attn_implementation == "eager" else None)
        return Output(last_hidden_state=rows, attentions=tuple(weights) if output_attentions else None)


class Stack(Module):
    """Of an encoder and a decoder: only what is asked of it."""

    def __init__(self, vocabulary, most):
        tables = {"embed_positions": Embedding(most + 2, 8, offset=2)} if most else {}
        super().__init__(words=Embedding(vocabulary, 8, seed=3), **tables)

    def get_input_embeddings(self):
        return self.words


class Pair(Module):
    """An encoder and a decoder, whose attention tells the ids: weights of each row are by the id of its token."""

    base_model_prefix = "model"

    def __init__(self, vocabulary=40, most=0, pad=0, start=0, layers=2):
        super().__init__(encoder=Stack(vocabulary, most), decoder=Stack(vocabulary, most))
        self.config = types.SimpleNamespace(is_encoder_decoder=True, pad_token_id=pad, decoder_start_token_id=start)
        self.layers, self.seen = layers, None

    def get_encoder(self):
        return self.encoder

    def get_decoder(self):
        return self.decoder

    def forward(self, input_ids, attention_mask=None, decoder_input_ids=None, output_attentions=False):
        self.seen = decoder_input_ids.array[0].tolist()

        def of(queries, keys, causal):
            scores = np.add.outer(queries.array[0] * 0.01, np.sin(keys.array[0]))
            weights = softmax(np.where(np.tri(*scores.shape) > 0, scores, -np.inf) if causal else scores)
            return tuple(Tensor(np.stack([weights] * 2)[None].astype(np.float32)) for _ in range(self.layers))

        return Output(
            encoder_attentions=of(input_ids, input_ids, False),
            decoder_attentions=of(decoder_input_ids, decoder_input_ids, True),
            cross_attentions=of(decoder_input_ids, input_ids, False),
        )


class Tokenizer:
    """Words; id 1 begins and 2 ends a text where begins and ends say so."""

    def __init__(self, words, begins=True, ends=True):
        self.words = ["<pad>", "[CLS]", "[SEP]", *words]
        self.begins, self.ends = begins, ends

    def __call__(self, text=None, text_b=None, text_target=None, return_tensors=None):
        one = [self.words.index(word) for word in (text if text_target is None else text_target).split()]
        begin = [1] if self.begins and text_target is None else []
        two = [self.words.index(word) for word in text_b.split()] + [2] if text_b else []
        first = [*begin, *one, *([2] if self.ends else [])]
        encoding = {"input_ids": Tensor([first + two]), "attention_mask": Tensor([[1] * (len(first) + len(two))])}
        if text_b:
            encoding["token_type_ids"] = Tensor([[0] * len(first) + [1] * len(two)])
        return encoding

    def convert_ids_to_tokens(self, ids):
        if isinstance(ids, int):
            return self.words[ids] if ids < len(self.words) else str(ids)
        return [self.words[int(one)] for one in ids]


def torch():
    """A module that stands for torch."""
    made = types.ModuleType("torch")
    made.gradients = True

    @contextmanager
    def no_grad():
        made.gradients = False
        try:
            yield
        finally:
            made.gradients = True

    made.no_grad, made.tensor = no_grad, Tensor
    return made


class Table(dict):
    """A table of pandas as the columns it is made of."""

    def __len__(self):
        return len(next(iter(self.values())))

    columns = property(lambda self: list(self))

    @classmethod
    def read_csv(cls, file, keep_default_na, na_values, dtype):
        assert keep_default_na is False and na_values == [""]
        names, *rows = csv.reader(file)

        def value(name, cell):
            return None if cell == "" else cell if name in dtype else json.loads(cell) if re.match(r"-?\d", cell) else cell

        return cls((name, [value(name, row[i]) for row in rows]) for i, name in enumerate(names))


def pandas():
    """A module that stands for pandas."""
    made = types.ModuleType("pandas")
    made.DataFrame, made.read_csv = Table, Table.read_csv
    return made


def widgets():
    """Modules that stand for traitlets and anywidget: traits with a type, validated by their owner."""
    traitlets, anywidget = types.ModuleType("traitlets"), types.ModuleType("anywidget")

    class Trait:
        def __init__(self, *default):
            self.default = default[-1] if default else None

        def tag(self, **_):
            return self

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, one, owner):
            return one.__dict__.get(self.name, self.default)

        def __set__(self, one, value):
            value = self.validate(one, value)
            check = getattr(one, "_check", None)
            if check and self.name in check.names:
                value = check(types.SimpleNamespace(trait=self, value=value))
            one.__dict__[self.name] = value

    def validate(*names):
        def named(function):
            function.names = names
            return function

        return named

    class AnyWidget:
        def __init__(self, **values):
            for name, value in values.items():
                setattr(self, name, value)

    def of(kind):
        def validate(self, one, value):
            if not isinstance(value, kind):
                raise TypeError(f"{self.name} expected {kind.__name__}, not {value!r}")
            return value

        return validate

    for name, kind in (("Bytes", bytes), ("Unicode", str), ("Int", int), ("List", list)):
        setattr(traitlets, name, type(name, (Trait,), {"validate": of(kind)}))
    traitlets.validate, anywidget.AnyWidget = validate, AnyWidget
    return traitlets, anywidget

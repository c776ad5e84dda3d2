"""causal - what a model that reads from left to right can do, and which of the known heads it has.

    python causal.py HEADLIGHT FOLDER CONLLU [--texts 600] [--again 30]

FOLDER: a Hugging Face folder (GPT-2 layout), float32. It is converted to q8, and both are measured:
    next       the share of tokens that it predicts (top-1), and the perplexity, over the texts that evaluate.py takes of CONLLU, a
               token <|endoftext|> before each, as in training (text.py, Stream)
    copies     loss (nats a token) on random tokens, and on the same tokens said again: what is looked up is what the second one is lower
and of the float32 model, the mean weight of the best head of each kind, beside what even attention would give there:
    sink       on the first token, from all others                                (Xiao et al. 2024)
    previous   on the token before                                                (Olsson et al. 2022, "previous token head")
    induction  on the token after the one that was the same last time             (Olsson et al. 2022, "prefix matching")
sink and previous over the same texts, from the third token on; induction over 50 sequences of --again random tokens said twice, from the
second time. Strength: 0 is even attention, 1 the pure pattern, as in bars.py.
"""

import argparse
import math
import tempfile
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from transformers import GPT2LMHeadModel

from bars import by_headlight
from evaluate import texts_of
from text import tokenizer_of

SEQUENCES = 50


def open_causal(folder):
    return GPT2LMHeadModel.from_pretrained(folder, dtype=torch.float32, attn_implementation='eager').eval()


def sequences(tokenizer, conllu, count, most):
    """ids [1, T] of each text."""
    texts = [tokenizer.encode(text, add_special_tokens=False)[: most - 1] for text in texts_of(conllu, count)]
    return [torch.tensor([[tokenizer.eos_token_id, *ids]]) for ids in texts]


def said_twice(tokenizer, length):
    """ids [SEQUENCES, 1 + 2 * length]: random tokens, and the same again."""
    random = np.random.default_rng(0)
    ids = np.stack([random.choice(np.arange(1, len(tokenizer)), length, replace=False) for _ in range(SEQUENCES)])
    begin = np.full((SEQUENCES, 1), tokenizer.eos_token_id)
    return torch.from_numpy(np.concatenate([begin, ids, ids], 1))


@torch.no_grad()
def predicted(model, texts):
    """(share of tokens that come first, perplexity)"""
    right = asked = loss = 0
    for ids in texts:
        logits = model(input_ids=ids).logits[0, :-1]
        right += int((logits.argmax(-1) == ids[0, 1:]).sum())
        loss += float(F.cross_entropy(logits, ids[0, 1:], reduction='sum'))
        asked += ids.shape[1] - 1
    return right / asked, math.exp(loss / asked)


@torch.no_grad()
def copied(model, ids, length):
    """Loss a token the first time, and the second time from its second token on: nothing says what its first is."""
    loss = F.cross_entropy(model(input_ids=ids).logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), reduction='none')
    loss = loss.view(len(ids), -1)
    return float(loss[:, :length].mean()), float(loss[:, length + 1 :].mean())


@torch.no_grad()
def weights(model, batches, from_query, back):
    """Mean weight [L, H] of queries i >= from_query on key i - back (back None: key 0), and what even attention gives."""
    total, even, count = 0, 0, 0
    for ids in batches:
        attention = torch.stack(model(input_ids=ids, output_attentions=True).attentions)  # [L, B, H, T, T]
        for i in range(from_query, ids.shape[1]):
            total = total + attention[:, :, :, i, 0 if back is None else i - back].sum(1)
            even += len(ids) / (i + 1)
            count += len(ids)
    return total / count, even / count


def say_best(name, found, even):
    layer, head = divmod(int(found.argmax()), found.shape[1])
    value = float(found.max())
    strength = (value - even) / (1 - even)
    others = sum(bool(one >= value / 2) for one in found.flatten()) - 1
    print(f'{name}: ({layer},{head}) {value:.3f}, even attention {even:.3f}, strength {strength:.2f}; '
          f'{others} other heads have half of it or more', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('headlight')
    parser.add_argument('folder', type=Path)
    parser.add_argument('conllu', type=Path)
    parser.add_argument('--texts', type=int, default=600)
    parser.add_argument('--again', type=int, default=30, help='random tokens that are said twice')
    given = parser.parse_args()
    tokenizer, model = tokenizer_of(given.folder), open_causal(given.folder)
    texts = sequences(tokenizer, given.conllu, given.texts, model.config.n_positions)
    twice = said_twice(tokenizer, given.again)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        by_headlight(given.headlight, 'convert', given.folder, work / 'q8', '--store', 'q8')
        by_headlight(given.headlight, 'convert', work / 'q8', work / 'float', '--store', 'f32')
        for kind, one in (('float32', model), ('q8', open_causal(work / 'float'))):
            share, perplexity = predicted(one, texts)
            first, second = copied(one, twice, given.again)
            print(f'next ({kind}): {100 * share:.2f} % of tokens, perplexity {perplexity:.1f}; '
                  f'copies: loss {first:.2f}, said again {second:.2f}', flush=True)
    say_best('sink', *weights(model, texts, 2, None))
    say_best('previous', *weights(model, texts, 2, 1))
    say_best('induction', *weights(model, [twice], given.again + 1, given.again - 1))


if __name__ == '__main__':
    main()

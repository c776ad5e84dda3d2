"""finetune - a trained model on a task: the sentiment of sentences (SST-2), or the part of speech of each word (CoNLL-U).

    python finetune.py sentiment MODEL OUT --train SST-2/train.tsv --dev SST-2/dev.tsv
    python finetune.py speech MODEL OUT --train en_ewt-train.conllu --dev en_ewt-dev.conllu
    python finetune.py speech OUT --dev en_ewt-test.conllu                      # without --train: measures a model that has learned it

OUT is a Hugging Face folder whose config.json names the labels. A word of several pieces is labelled at its first one. Measured is the
share of sentences, or of words, whose most probable label is right.
"""

import argparse
import csv
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from transformers import BertForSequenceClassification, BertForTokenClassification

from networks import save
from text import tokenizer_of


def sentiment_rows(path):
    """(list with one text, list with one label)"""
    with open(path, encoding='utf8') as file:
        return [([row['sentence'].strip()], [('negative', 'positive')[int(row['label'])]])
                for row in csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE)]


def speech_rows(path):
    """(words, universal parts of speech)"""
    rows, words, tags = [], [], []
    for line in Path(path).read_text(encoding='utf8').split('\n'):
        fields = line.split('\t')
        if len(fields) == 10 and fields[0].isdigit():
            words.append(fields[1])
            tags.append(fields[3])
        elif not line and words:
            rows.append((words, tags))
            words, tags = [], []
    return rows


def encode(rows, tokenizer, labels, per_word, length):
    """(ids, targets) of each row; a target of -100 is none."""
    number = {label: i for i, label in enumerate(labels)}
    found = []
    for words, tags in rows:
        encoded = tokenizer(words, is_split_into_words=True, truncation=True, max_length=length)
        if per_word:
            targets, before = [], None
            for word in encoded.word_ids():
                targets.append(-100 if word is None or word == before else number[tags[word]])
                before = word
        else:
            targets = number[tags[0]]
        found.append((encoded['input_ids'], targets))
    return found


def batches(rows, size, pad, per_word, generator=None):
    """Rows of like length together."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]) + (generator.random() if generator else 0))
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    if generator:
        generator.shuffle(groups)
    for group in groups:
        length = max(len(rows[i][0]) for i in group)
        ids = torch.tensor([rows[i][0] + [pad] * (length - len(rows[i][0])) for i in group])
        targets = [rows[i][1] + [-100] * (length - len(rows[i][1])) if per_word else rows[i][1] for i in group]
        used = torch.arange(length)[None] < torch.tensor([len(rows[i][0]) for i in group])[:, None]
        yield ids, used, torch.tensor(targets)


@torch.no_grad()
def accuracy(model, rows, pad, per_word):
    model.eval()
    device = next(model.parameters()).device
    right = asked = 0
    for ids, used, targets in batches(rows, 64, pad, per_word):
        found = model(input_ids=ids.to(device), attention_mask=used.to(device)).logits.argmax(-1).cpu()
        right += int((found == targets)[targets >= 0].sum())
        asked += int((targets >= 0).sum())
    return right / asked


def learn(model, rows, given, pad, per_word, after_epoch):
    """AdamW, the rate rises over a tenth of the steps and falls to nothing."""
    device = next(model.parameters()).device
    steps = given.epochs * ((len(rows) + given.batch - 1) // given.batch)
    optimiser = torch.optim.AdamW(model.parameters(), lr=given.rate, weight_decay=0.01)
    falling = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda i: min(1.0, (i + 1) / (0.1 * steps + 1)) * max(0.0, 1 - i / steps))
    generator = np.random.default_rng(0)
    for epoch in range(given.epochs):
        model.train()
        for ids, used, targets in batches(rows, given.batch, pad, per_word, generator):
            with torch.autocast(device.type, torch.bfloat16):
                logits = model(input_ids=ids.to(device), attention_mask=used.to(device)).logits.float()
            F.cross_entropy(logits.flatten(0, -2), targets.flatten().to(device), ignore_index=-100).backward()
            optimiser.step()
            falling.step()
            optimiser.zero_grad(set_to_none=True)
        after_epoch(epoch + 1)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('task', choices=['sentiment', 'speech'])
    parser.add_argument('model', type=Path)
    parser.add_argument('out', type=Path, nargs='?')
    parser.add_argument('--train', type=Path)
    parser.add_argument('--dev', type=Path, required=True)
    parser.add_argument('--most', type=int, help='learn from no more rows of --train than these, chosen at random')
    parser.add_argument('--epochs', type=int, default=2)
    parser.add_argument('--rate', type=float, default=1e-4)
    parser.add_argument('--batch', type=int, default=32)
    given = parser.parse_args()
    if bool(given.train) != bool(given.out):
        parser.error('--train and OUT go together: what it learns from, and where the model is written')
    return given


def main():
    given = arguments()
    per_word = given.task == 'speech'
    read = speech_rows if per_word else sentiment_rows
    kind = BertForTokenClassification if per_word else BertForSequenceClassification
    tokenizer = tokenizer_of(given.model)
    pad = tokenizer.pad_token_id
    if given.train:
        train = read(given.train)
        labels = sorted({tag for _, tags in train for tag in tags})
        train = [train[i] for i in np.random.default_rng(1).permutation(len(train))[: given.most]]
        names = {'id2label': dict(enumerate(labels)), 'label2id': {label: i for i, label in enumerate(labels)}}
        torch.manual_seed(0)  # the new classifier is random
        model = kind.from_pretrained(given.model, dtype=torch.float32, num_labels=len(labels), **names)
    else:
        model = kind.from_pretrained(given.model, dtype=torch.float32)
        labels = [model.config.id2label[i] for i in range(model.config.num_labels)]
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    model.to(device)
    if device.type == 'cpu':
        model.set_attn_implementation('eager')  # as in train.py
    length = min(128, model.config.max_position_embeddings)
    held = encode(read(given.dev), tokenizer, labels, per_word, length)

    def say(epoch):
        line = {'epoch': epoch, 'accuracy': round(accuracy(model, held, pad, per_word), 4)}
        print(json.dumps(line), flush=True)

    if not given.train:
        say(0)
        return
    learn(model, encode(train, tokenizer, labels, per_word, length), given, pad, per_word, say)
    save(model, given.out, given.model)


if __name__ == '__main__':
    main()

"""agrees - the attention of a folder by headlight against that by transformers, and that of its q8 copy; and what a fine-tuned model says.

    python agrees.py HEADLIGHT MODEL [Q8] [--sentences CONLLU]

On the first 50 sentences of CONLLU, else on a dozen random sequences of ids: the largest difference must be below 1e-4 with the folder
itself, and with Q8 below 0.5, the mean one below 0.002. Of labels (of texts, of tokens): the most probable one's probability must differ
by less than 1e-5 with the folder itself (headlight prints six digits), by less than 0.1 in the mean with Q8, and the label be the
same with the folder always, with Q8 in 95 of 100.
"""

import argparse
import json
import subprocess
import sys
import tempfile

import numpy as np
import torch
from safetensors.numpy import load_file
from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification, AutoModelForTokenClassification

from evaluate import texts_of
from text import tokenizer_of


def by_headlight(headlight, folder, store, ids):
    """Attention [L, H, T, T]."""
    with tempfile.NamedTemporaryFile(suffix='.safetensors') as out:
        subprocess.run([headlight, 'run', folder, '--ids', ' '.join(map(str, ids)), '--store', store, '--dump', out.name], check=True, capture_output=True)
        tensors = load_file(out.name)
    return np.stack([tensors[f'layer.{layer}.probs'] for layer in range(len(tensors)) if f'layer.{layer}.probs' in tensors])


def labels_by_headlight(headlight, folder, store, ids):
    """[(label, probability)]: of the text the most probable one, or of each token."""
    command = [headlight, 'run', folder, '--ids', ' '.join(map(str, ids)), '--store', store, '--json']
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    rows = said['token_labels'] if 'token_labels' in said else said['labels'][:1]
    return [(row['label'], row['probability']) for row in rows]


@torch.no_grad()
def labels_by_transformers(model, ids):
    logits = model(input_ids=torch.tensor([ids])).logits[0]
    probabilities, best = logits.reshape(-1, logits.shape[-1]).softmax(-1).max(-1)
    return [(model.config.id2label[int(label)], float(p)) for label, p in zip(best, probabilities)]


def compare_labels(headlight, folder, copies, kind, all_ids):
    model = kind.from_pretrained(folder, dtype=torch.float32).eval()
    expected = [pair for ids in all_ids for pair in labels_by_transformers(model, ids)]
    for name in [folder, *copies]:
        store = 'f32' if name == folder else 'q8'
        found = [pair for ids in all_ids for pair in labels_by_headlight(headlight, name, store, ids)]
        same = sum(a == b for (a, _), (b, _) in zip(expected, found, strict=True)) / len(found)
        differences = np.array([abs(p - q) for (a, p), (b, q) in zip(expected, found) if a == b])
        print(f'{name}: {len(found)} labels, {100 * same:.1f} % the same, difference of probability, mean {differences.mean():.2g}, '
              f'largest {differences.max():.2g}')
        if (same < 1 or differences.max() > 1e-5) if name == folder else (same < 0.95 or differences.mean() > 0.1):
            sys.exit(f'{name} says other labels than transformers')


def sequences(config, folder, conllu):
    if conllu:
        tokenizer = tokenizer_of(folder)
        form = '<|endoftext|>{}' if config.model_type == 'gpt2' else '[CLS]{}[SEP]'
        return [tokenizer.encode(form.format(text), add_special_tokens=False) for text in texts_of(conllu, 50)]
    rng = np.random.default_rng(0)
    return [rng.integers(5, config.vocab_size, int(rng.integers(4, 60))).tolist() for _ in range(12)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('headlight')
    parser.add_argument('folder')
    parser.add_argument('copies', nargs='*', metavar='q8')
    parser.add_argument('--sentences')
    given = parser.parse_args()
    headlight, folder, copies = given.headlight, given.folder, given.copies
    config = AutoConfig.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32, attn_implementation='eager').eval()
    found = {name: [] for name in [folder, *copies]}
    all_ids = sequences(config, folder, given.sentences)
    for ids in all_ids:
        with torch.no_grad():
            expected = torch.cat(model(input_ids=torch.tensor([ids]), output_attentions=True).attentions).numpy()
        for name in found:
            attention = by_headlight(headlight, name, 'f32' if name == folder else 'q8', ids)
            found[name].append(np.abs(attention - expected).ravel())
    for name, parts in found.items():
        differences = np.concatenate(parts)
        print(f'{name}: difference of attention, mean {differences.mean():.2g}, largest {differences.max():.2g}')
        # int8: where two keys are nearly tied, a small change of scores moves much of the weight; on the mean it may not
        if differences.max() > (1e-4 if name == folder else 0.5) or differences.mean() > 2e-3:
            sys.exit(f'{name} is not what transformers computes')
    tasks = {'ForSequenceClassification': AutoModelForSequenceClassification, 'ForTokenClassification': AutoModelForTokenClassification}
    for ending, kind in tasks.items():
        if (config.architectures or [''])[0].endswith(ending):
            compare_labels(headlight, folder, copies, kind, all_ids)


if __name__ == '__main__':
    main()

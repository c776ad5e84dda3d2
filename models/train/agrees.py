"""agrees - the attention of a folder by headlight against that by transformers, and that of its q8 copy.

    python agrees.py HEADLIGHT MODEL [Q8] [--sentences CONLLU]

On the first 50 sentences of CONLLU, else on a dozen random sequences of ids: the largest difference must be below 1e-4 with the folder
itself, and with Q8 below 0.3, the mean one below 0.002.
"""

import argparse
import subprocess
import sys
import tempfile

import numpy as np
import torch
from safetensors.numpy import load_file
from transformers import AutoConfig, AutoModel

from evaluate import texts_of
from text import tokenizer_of


def by_headlight(headlight, folder, store, ids):
    """Attention [L, H, T, T]."""
    with tempfile.NamedTemporaryFile(suffix='.safetensors') as out:
        subprocess.run([headlight, 'run', folder, '--ids', ' '.join(map(str, ids)), '--store', store, '--dump', out.name], check=True, capture_output=True)
        tensors = load_file(out.name)
    return np.stack([tensors[f'layer.{layer}.probs'] for layer in range(len(tensors)) if f'layer.{layer}.probs' in tensors])


def sequences(config, folder, conllu):
    if conllu:
        tokenizer = tokenizer_of(folder)
        return [tokenizer.encode(f'[CLS]{text}[SEP]', add_special_tokens=False) for text in texts_of(conllu, 50)]
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
    for ids in sequences(config, folder, given.sentences):
        with torch.no_grad():
            expected = torch.cat(model(input_ids=torch.tensor([ids]), output_attentions=True).attentions).numpy()
        for name in found:
            attention = by_headlight(headlight, name, 'f32' if name == folder else 'q8', ids)
            found[name].append(np.abs(attention - expected).ravel())
    for name, parts in found.items():
        differences = np.concatenate(parts)
        print(f'{name}: difference of attention, mean {differences.mean():.2g}, largest {differences.max():.2g}')
        if differences.max() > (1e-4 if name == folder else 0.3) or differences.mean() > 2e-3:
            sys.exit(f'{name} is not what transformers computes')


if __name__ == '__main__':
    main()

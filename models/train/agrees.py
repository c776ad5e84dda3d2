"""agrees - the attention of a folder by headlight against that by transformers, and that of its q8 copy.

    python agrees.py HEADLIGHT MODEL [Q8]

On a dozen random sequences of ids: the largest difference must be below 1e-4 with the folder itself and below 0.1 with Q8.
"""

import subprocess
import sys
import tempfile

import numpy as np
import torch
from safetensors.numpy import load_file
from transformers import AutoConfig, AutoModel


def by_headlight(headlight, folder, store, ids):
    """Attention [L, H, T, T]."""
    with tempfile.NamedTemporaryFile(suffix='.safetensors') as out:
        subprocess.run([headlight, 'run', folder, '--ids', ' '.join(map(str, ids)), '--store', store, '--dump', out.name], check=True, capture_output=True)
        tensors = load_file(out.name)
    return np.stack([tensors[f'layer.{layer}.probs'] for layer in range(len(tensors)) if f'layer.{layer}.probs' in tensors])


def main():
    headlight, folder, *copies = sys.argv[1:]
    config = AutoConfig.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32, attn_implementation='eager').eval()
    rng = np.random.default_rng(0)
    worst = {name: 0.0 for name in [folder, *copies]}
    for _ in range(12):
        ids = rng.integers(5, config.vocab_size, int(rng.integers(4, 60))).tolist()
        with torch.no_grad():
            expected = torch.cat(model(input_ids=torch.tensor([ids]), output_attentions=True).attentions).numpy()
        for name in worst:
            given = by_headlight(headlight, name, 'f32' if name == folder else 'q8', ids)
            worst[name] = max(worst[name], float(np.abs(given - expected).max()))
    for name, difference in worst.items():
        print(f'{name}: largest difference of attention {difference:.2g}')
        if difference > (1e-4 if name == folder else 0.1):
            sys.exit(f'{name} is not what transformers computes')


if __name__ == '__main__':
    main()

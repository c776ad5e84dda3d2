"""mix - a model between two of the same shape and vocabulary, for example one that was trained on and what it began as: each tensor is
ONE + share × (OTHER − ONE).

    python mix.py ONE OTHER OUT --share 0.8 [--of bert.embeddings=0.5 bert.encoder.layer.0.=0.45 ...]

Folders as Hugging Face's, float32. --of: the share of the tensors whose names begin so; the first that fits counts.
"""

import argparse
import shutil
from pathlib import Path

from safetensors.torch import load_file, save_file


def mixed(one, other, share, parts):
    """{name: tensor}; parts: [(beginning of names, share)]"""
    if one.keys() != other.keys() or any(one[name].shape != other[name].shape for name in one):
        raise SystemExit('the two models have not the same tensors')
    for start, _ in parts:
        if not any(name.startswith(start) for name in one):
            raise SystemExit(f'--of: no tensor begins with {start}')
    shares = {name: next((of for start, of in parts if name.startswith(start)), share) for name in one}
    return {name: one[name] + shares[name] * (other[name] - one[name]) for name in one}


def part(text):
    start, _, share = text.rpartition('=')
    return start, float(share)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('one', type=Path)
    parser.add_argument('other', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--share', type=float, required=True)
    parser.add_argument('--of', nargs='*', type=part, default=[], metavar='BEGINNING=SHARE')
    given = parser.parse_args()
    one, other = (load_file(folder / 'model.safetensors') for folder in (given.one, given.other))
    shutil.copytree(given.other, given.out, dirs_exist_ok=True)
    save_file(mixed(one, other, given.share, given.of), given.out / 'model.safetensors', {'format': 'pt'})


if __name__ == '__main__':
    main()

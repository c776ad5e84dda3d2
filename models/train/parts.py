"""parts - splits the weights of a folder into two files: what a recipe left unchanged, and what it trained.

    python parts.py FOLDER RECIPE.json

FOLDER: one that `headlight convert` wrote, with one model.safetensors. RECIPE: its "learn" says which tensors were trained. Another
training of the same recipe then replaces the second file only, which is a tenth of the first.
"""

import argparse
import json
from pathlib import Path

from safetensors.numpy import load_file, save_file


def split(tensors, learn):
    """(what stayed, what was trained), each {name: tensor}; a quantised tensor's scale goes with it."""
    trained = {name: value for name, value in tensors.items() if name.startswith(tuple(learn))}
    return {name: value for name, value in tensors.items() if name not in trained}, trained


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=Path)
    parser.add_argument('recipe', type=Path)
    given = parser.parse_args()
    learn = json.loads(given.recipe.read_text()).get('learn')
    if not learn:
        parser.error(f'{given.recipe} has no "learn": all of its model was trained')
    whole = given.folder / 'model.safetensors'
    parts = split(load_file(whole), learn)
    where = {}
    for number, tensors in enumerate(parts, 1):
        name = f'model-{number:05}-of-{len(parts):05}.safetensors'
        save_file(tensors, given.folder / name, metadata={'format': 'pt'})
        (given.folder / name).chmod(0o644)
        where |= dict.fromkeys(tensors, name)
        print(f'{name}: {len(tensors)} tensors, {sum(t.nbytes for t in tensors.values()) / 1e6:.1f} MB')
    total = sum(t.nbytes for tensors in parts for t in tensors.values())
    index = {'metadata': {'total_size': total}, 'weight_map': dict(sorted(where.items()))}
    (given.folder / 'model.safetensors.index.json').write_text(json.dumps(index, indent=1) + '\n')
    whole.unlink()


if __name__ == '__main__':
    main()

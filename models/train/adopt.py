"""adopt - a trained BERT with another vocabulary, to be trained on: its layers, heads and positions stay, and so do the embeddings of the pieces
that it knows. A head that looks at the next token does so in any language, so a model of a new language begins with it.

    python adopt.py MODEL PREPARED OUT

PREPARED: a folder of text.py prepare. A full-width sign begins as the ASCII one (。 as a full stop); any other piece that MODEL lacks begins at random, with the mean
and the spread of its embeddings, and a bias of 0.
"""

import argparse
import unicodedata
from pathlib import Path

import torch

from networks import open_masked, save

SIGNS = {'。': '.', '、': ',', '「': '"', '」': '"', '『': '"', '』': '"', '“': '"', '”': '"', '‘': "'", '’': "'"}


def pieces_of(folder):
    return (Path(folder) / 'vocab.txt').read_text(encoding='utf8').rstrip('\n').split('\n')


@torch.no_grad()
def adopt(model, known, pieces):
    """Puts the embeddings and biases of `pieces` in the place of those of `known`; how many there were before."""
    ids = {piece: i for i, piece in enumerate(known)}
    words, bias = model.get_input_embeddings().weight, model.cls.predictions.bias
    generator = torch.Generator().manual_seed(0)
    new = words.mean(0) + words.std(0) * torch.randn(len(pieces), words.shape[1], generator=generator)
    biases = torch.zeros(len(pieces))
    taken = 0
    for i, piece in enumerate(pieces):
        old = ids.get(piece, ids.get(SIGNS.get(piece, unicodedata.normalize('NFKC', piece))))
        if old is not None:
            new[i], biases[i] = words[old], bias[old]
            taken += 1
    model.resize_token_embeddings(len(pieces), mean_resizing=False)
    model.get_input_embeddings().weight.copy_(new)
    model.cls.predictions.bias.copy_(biases)
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('model', type=Path)
    parser.add_argument('prepared', type=Path)
    parser.add_argument('out', type=Path)
    given = parser.parse_args()
    model, pieces = open_masked(given.model), pieces_of(given.prepared)
    taken = adopt(model, pieces_of(given.model), pieces)
    save(model, given.out, given.prepared)
    print(f'{given.out}: {len(pieces)} pieces, {taken} of them with the embeddings that {given.model} has')


if __name__ == '__main__':
    main()

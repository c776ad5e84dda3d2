"""cut - cuts a smaller BERT from a trained one: a subset of its tokens, feed-forward neurons and positions. Width, heads and
layers stay. What remains keeps its weights, so that it has less to learn again than a new model.

    python cut.py MODEL PREPARED OUT [--kept PREPARED/kept.json] [--feed_forward 1024] [--positions 256]

PREPARED: a folder of text.py prepare with the pieces of a vocabulary that text.py cut wrote, with its kept.json. Per layer those
feed-forward neurons stay whose output varies most on 400 of its sequences; the mean output of the others goes into the bias.
[MASK] begins as [UNK]: sentence encoders have never been trained with it.
"""

import argparse
import json
from pathlib import Path

import torch
from transformers import BertConfig, BertModel

from networks import save
from text import Pairs, tokenizer_of


@torch.no_grad()
def neurons(model, prepared, length=64, count=400):
    """Per layer (mean, variance) [F] of the feed-forward neurons' outputs after the activation."""
    sums = [torch.zeros(2, layer.intermediate.dense.out_features, dtype=torch.float64) for layer in model.encoder.layer]
    source = Pairs(prepared, length, {'one': 0.5, 'next': 0.5}, 0)
    ids, types, used, *_ = (torch.from_numpy(a) for a in source.batch(count))
    using = used

    def adder(total):
        def add(_module, _inputs, out):
            rows = out[using].double()
            total[0] += rows.sum(0)
            total[1] += rows.square().sum(0)

        return add

    for layer, total in zip(model.encoder.layer, sums):
        layer.intermediate.register_forward_hook(adder(total))
    for part in torch.arange(count).split(40):
        using = used[part]
        model(input_ids=ids[part], token_type_ids=types[part], attention_mask=using)
    means = [total / used.sum() for total in sums]
    return [(first.float(), (second - first**2).float()) for first, second in means]


@torch.no_grad()
def narrow(layer, mean, variance, size):
    """The layer's feed-forward part with the `size` neurons that matter most."""
    up, down = layer.intermediate.dense, layer.output.dense
    worth = variance * down.weight.square().sum(0)
    order = worth.argsort(descending=True)
    kept, gone = order[:size].sort().values, order[size:]
    down.bias += down.weight[:, gone] @ mean[gone]
    up.weight, up.bias = torch.nn.Parameter(up.weight[kept].clone()), torch.nn.Parameter(up.bias[kept].clone())
    down.weight = torch.nn.Parameter(down.weight[:, kept].clone())
    return float(worth[kept].sum() / worth.sum())


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('model', type=Path)
    parser.add_argument('prepared', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--kept', type=Path)
    parser.add_argument('--feed_forward', type=int, default=1024)
    parser.add_argument('--positions', type=int, default=256)
    given = parser.parse_args()
    model = BertModel.from_pretrained(given.model, add_pooling_layer=False, dtype=torch.float32).eval()
    tokenizer = tokenizer_of(given.prepared)
    kept = json.loads((given.kept or given.prepared / 'kept.json').read_text())
    if len(kept) != len(tokenizer) or max(kept) >= model.config.vocab_size:
        parser.error(f'kept.json has {len(kept)} pieces, the vocabulary {len(tokenizer)}: they are not of one text.py cut')
    words = model.embeddings.word_embeddings
    words.weight = torch.nn.Parameter(words.weight[kept].clone())
    words.weight[tokenizer.mask_token_id] = words.weight[tokenizer.unk_token_id]
    words.num_embeddings, words.padding_idx = len(kept), None
    for number, found in enumerate(neurons(model, given.prepared)):
        share = narrow(model.encoder.layer[number], *found, given.feed_forward)
        print(f'layer {number}: {given.feed_forward} neurons with {share:.1%} of the variance')
    config = model.config.to_dict() | {
        'vocab_size': len(kept), 'intermediate_size': given.feed_forward, 'max_position_embeddings': given.positions,
        'hidden_dropout_prob': 0.0, 'attention_probs_dropout_prob': 0.0,
    }
    small = BertModel(BertConfig.from_dict(config), add_pooling_layer=False)
    weights = model.state_dict()
    places = 'embeddings.position_embeddings.weight'
    weights[places] = weights[places][: given.positions]
    missing, other = small.load_state_dict(weights, strict=False)
    assert not other and not [name for name in missing if 'position_ids' not in name], (missing, other)
    save(small, given.out, given.prepared)
    print(f'{sum(p.numel() for p in small.parameters()) / 1e6:.1f} M parameters in {given.out}')


if __name__ == '__main__':
    main()

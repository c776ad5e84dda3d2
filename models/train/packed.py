"""packed - the encoder of a BERT without padding; after its last attention it computes only the tokens that are asked for. The numbers are
those of transformers' own BertModel (check.sh compares them), with much less work on a CPU. For training; it keeps no attention maps."""

import torch
import torch.nn.functional as F


def rows_of(linear, inputs):
    return F.linear(inputs, linear.weight, linear.bias)


def normed(norm, inputs):
    return F.layer_norm(inputs, norm.normalized_shape, norm.weight, norm.bias, norm.eps)


def embedded(embeddings, ids, places, types):
    """[N, D] of N tokens, whose places in their sequences are given."""
    words = F.embedding(ids, embeddings.word_embeddings.weight)
    others = F.embedding(places, embeddings.position_embeddings.weight) + F.embedding(types, embeddings.token_type_embeddings.weight)
    return normed(embeddings.LayerNorm, words + others)


def attended(attention, x, at, shape, shut):
    """[N, D] of the N tokens x, which stand at `at` of the sequences [B, T] flattened; and their scores [B, heads, T, T]."""
    count, length = shape
    heads = attention.num_attention_heads
    padded = [
        torch.zeros(count * length, x.shape[1], dtype=rows.dtype, device=x.device)
        .index_copy(0, at, rows).view(count, length, heads, -1).transpose(1, 2)
        for rows in (rows_of(linear, x) for linear in (attention.query, attention.key, attention.value))
    ]
    query, key, value = padded
    scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2) + shut.to(query.dtype)
    mixed = scores.softmax(-1).to(query.dtype) @ value  # PyTorch 2.13's fused attention is ten times as slow on its way back on a CPU
    return mixed.transpose(1, 2).reshape(count * length, -1)[at], scores


def encode(bert, ids, types, used, wanted, scores=None):
    """Last hidden states [M, D] of the M tokens where `wanted` [B, T] is true, in order; `used` [B, T] says where a token is.
    scores: a list, which gets the attention scores of each layer."""
    at = used.flatten().nonzero()[:, 0]
    last = wanted.flatten()[at].nonzero()[:, 0]
    shut = torch.zeros(len(ids), 1, 1, ids.shape[1], device=ids.device).masked_fill_(~used[:, None, None, :], -1e4)
    x = embedded(bert.embeddings, ids.flatten()[at], at % ids.shape[1], types.flatten()[at])
    for number, layer in enumerate(bert.encoder.layer):
        mixed, shown = attended(layer.attention.self, x, at, ids.shape, shut)
        if scores is not None:
            scores.append(shown)
        if number == len(bert.encoder.layer) - 1:
            mixed, x = mixed[last], x[last]
        x = normed(layer.attention.output.LayerNorm, x + rows_of(layer.attention.output.dense, mixed))
        inner = F.gelu(rows_of(layer.intermediate.dense, x))
        x = normed(layer.output.LayerNorm, x + rows_of(layer.output.dense, inner))
    return x

# study_roles - the sieve bias scores once more, plainly: what tests/js/study_roles_numbers.test.mjs
# compares `headlight study roles` with. Reads a list of {dump, tokens, words} on stdin, writes {role: {n, mean, sd, max}}.
import json, math, struct, sys

def attention(path):
    with open(path, 'rb') as f:
        head = json.loads(f.read(struct.unpack('<Q', f.read(8))[0]))
        data, maps = f.read(), []
    for layer in range(sum(key.endswith('.probs') for key in head)):
        entry = head[f'layer.{layer}.probs']
        n, kind = entry['shape'][-1], {'F32': 'f', 'F64': 'd'}[entry['dtype']]
        flat = [x for x, in struct.iter_unpack('<' + kind, data[slice(*entry['data_offsets'])])]
        maps += [[flat[at + i * n:at + (i + 1) * n] for i in range(n)] for at in range(0, len(flat), n * n)]
    return maps

def mean(values): return sum(values) / len(values)

def scores(a, tokens, words):
    n = len(a)
    cls = [0]
    sep = [i for i in range(n) if tokens[i]['token'] == '[SEP]']
    inside = lambda sentence: [i for i in range(n) if tokens[i]['sentence'] == sentence]
    pieces = lambda w: [i for i in inside(w['sentence']) if tokens[i]['from'] < w['to'] and tokens[i]['to'] > w['from']]
    entropy = lambda row: -sum(x * math.log(x) for x in row if x > 0)
    token = lambda t, keys: mean([a[t][s] for s in keys]) / (sum(a[t]) / n)
    pair = lambda w1, w2: mean([mean([a[i][j] for j in w2]) for i in w1]) / mean([sum(a[i]) / n for i in w1])
    out = {'local': mean([token(t, range(max(t - 2, 0), min(t + 3, n))) for t in range(n)]),
           'delimiter': mean([token(t, cls + sep) for t in range(n)]),
           'cls': mean([token(t, cls) for t in range(n)]), 'sep': mean([token(t, sep) for t in range(n)])}
    if inside(1):
        out['published'] = mean([token(t, inside(t >= sep[0])) * entropy(a[t]) for t in range(n)])
        out['block'] = out['published'] / math.log(n)
    found = {r: [pair(pieces(w), pieces(words[w['governor']])) for w in words if w.get('relation') in [r, 'dobj' if r == 'obj' else r]]
             for r in ['nsubj', 'obj', 'amod', 'advmod']}
    found['syntactic'] = sum(found.values(), [])
    return out | {r: mean(values) for r, values in found.items() if values}

items = [[scores(a, i['tokens'], i['words']) for a in attention(i['dump'])] for i in json.load(sys.stdin)]
values = {role: [[head[role] for head in heads] for heads in items if role in heads[0]] for role in set().union(*(i[0] for i in items))}
print(json.dumps({role: {'n': len(v), 'mean': [mean(x) for x in zip(*v)], 'max': [max(x) for x in zip(*v)],
                         'sd': [math.sqrt(mean([(y - mean(x)) ** 2 for y in x])) for x in zip(*v)]} for role, v in values.items()}))

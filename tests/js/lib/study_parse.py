# study_parse - heads as parsers (Clark et al. 2019) and as resolvers of pronouns once more, plainly: what
# tests/js/study_parse_numbers.test.mjs compares `headlight study parse` and `study coref` with. Reads a list of {dump, tokens, words,
# mentions} on stdin, writes {relations: {name: {n, right: [dependent to governor, back], offsets}}, pronouns, resolved}.
import json, struct, sys

OFFSETS = [-3, -2, -1, 1, 2]

def attention(path):
    with open(path, 'rb') as f:
        head = json.loads(f.read(struct.unpack('<Q', f.read(8))[0]))
        data, maps = f.read(), []
    for layer in range(sum(key.endswith('.probs') for key in head)):
        entry = head[f'layer.{layer}.probs']
        n, flat = entry['shape'][-1], [x for x, in struct.iter_unpack('<f', data[slice(*entry['data_offsets'])])]
        maps += [[flat[at + i * n:at + (i + 1) * n] for i in range(n)] for at in range(0, len(flat), n * n)]
    return maps

def pieces(tokens, w):
    return [i for i, t in enumerate(tokens) if t['sentence'] == w['sentence'] and t['from'] < w['to'] and t['to'] > w['from']]

def between(a, sources, targets): return sum(a[i][j] for i in sources for j in targets) / len(sources)

def best(candidates, score): return max(candidates, key=lambda j: (score(j), -j))

def parse(maps, item, rows):
    words = item['words']
    where, n = [pieces(item['tokens'], w) for w in words], len(words)
    word_maps = [[[between(a, where[i], where[j]) for j in range(n)] for i in range(n)] for a in maps]
    for i, w in enumerate(words):
        after = words[i + 1] if i + 1 < n else {}
        genitive = w['relation'] == 'nmod:poss' and after.get('relation') == 'case' and after['governor'] == i
        at, governor = i + genitive, w['governor']
        row = rows.setdefault(w['relation'], {'n': 0, 'offsets': [0] * 5, 'right': [[0] * len(maps), [0] * len(maps)]})
        row['n'] += 1
        for o, offset in enumerate(OFFSETS): row['offsets'][o] += max(-1, min(n - 1, at + offset)) == governor
        others = [j for j in range(n) if j != at]
        for head, m in enumerate(word_maps):
            if not others: continue
            row['right'][0][head] += best(others, lambda j: m[at][j]) == governor
            row['right'][1][head] += best(others, lambda j: m[j][at]) == governor

def resolve(maps, item, right):
    mentions = item['mentions']
    where = [pieces(item['tokens'], m) for m in mentions]
    candidates = [j for j, m in enumerate(mentions) if not m['pronoun']]
    for i, m in enumerate(mentions):
        same = [j for j in candidates if mentions[j]['entity'] == m['entity']]
        if not m['pronoun'] or not same or same == candidates: continue
        right.append([best(candidates, lambda j: between(a, where[i], where[j])) in same for a in maps])

rows, right = {}, []
for item in json.load(sys.stdin):
    maps = attention(item['dump'])
    parse(maps, item, rows)
    resolve(maps, item, right)
print(json.dumps({'relations': rows, 'pronouns': len(right), 'resolved': [sum(column) for column in zip(*right)]}))

# study_parse - heads as parsers (Clark et al. 2019) and as resolvers of pronouns once more, plainly: what
# tests/js/study_parse_numbers.test.mjs compares `headlight study parse` and `study coref` with. Reads a list of {a, b, dump, tokens, words,
# mentions} on stdin, writes {relations: {name: {n, right: [dependent to governor, back], offsets}}, coref: {way: {resolved, rules, held_out}}}.
import json, math, re, struct, sys

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

# The head word of a mention, as (from, to) in the text: the last word before a preposition, a relative pronoun or a comma.
ENDS = set('about after against among as at before behind below beside between beyond by during for from in inside into like near of off on onto '
           'outside over that than through to toward towards under upon when where which who whom whose with within without'.split())

def head_word(text, m):
    words = [(m['from'] + w.start(), m['from'] + w.end(), w.group()) for w in re.finditer(r'\w+|[^\w\s]', text[m['from']:m['to']])]
    kept = [words[0]]
    for (_, end, last), (start, stop, word) in zip(words, words[1:]):
        if word == ',' or (start > end and word.lower() in ENDS): break
        if re.fullmatch(r'\w+', word) and not (word == 's' and last in "'\u2019"): kept.append((start, stop, word))
    return {**m, 'from': kept[-1][0], 'to': kept[-1][1]}

def looked(way, tokens, text, m):
    return pieces(tokens, head_word(text, m)) if way == 'head' else pieces(tokens, m)[-1:] if way == 'last' else pieces(tokens, m)

# Which half of the texts it is in: splitmix64 of the seed and the text's number.
def half_of(index, seed=1):
    z = (seed * 0x632BE59BD9B4E019 + index + 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return (z ^ z >> 31) & 1

def resolve(maps, item, index, way, asked):
    mentions, texts = item['mentions'], [item['a'], item.get('b')]
    where = [pieces(item['tokens'], m) for m in mentions]
    to = [looked(way, item['tokens'], texts[m['sentence']], m) for m in mentions]
    candidates = [j for j, m in enumerate(mentions) if not m['pronoun']]
    for i, m in enumerate(mentions):
        same = [j for j in candidates if mentions[j]['entity'] == m['entity']]
        if not m['pronoun'] or not same or same == candidates: continue
        score = lambda a, j: between(a, where[i], to[j]) / (len(to[j]) if way == 'mean' else 1)
        before = [j for j in candidates if where[j][-1] < where[i][0]]
        rules = [max(before, key=lambda j: (where[j][-1], -where[j][0])) if before else min(candidates, key=lambda j: where[j][0]), candidates[0]]
        asked.append({'half': half_of(index), 'rules': [j in same for j in rules],
                      'heads': [best(candidates, lambda j: score(a, j)) in same for a in maps]})

def held_out(asked):
    heads, right, won, lost = range(len(asked[0]['heads'])), 0, 0, 0
    chosen = [max(heads, key=lambda k: (sum(q['heads'][k] for q in asked if q['half'] == half), -k)) for half in (0, 1)]
    rule = max((0, 1), key=lambda r: (sum(q['rules'][r] for q in asked), -r))
    for q in asked:
        found = q['heads'][chosen[1 - q['half']]]
        right, won, lost = right + found, won + (found > q['rules'][rule]), lost + (found < q['rules'][rule])
    tail = sum(math.comb(won + lost, k) for k in range(min(won, lost) + 1)) / 2 ** (won + lost)
    return {'n': len(asked), 'right': right, 'chosen': chosen, 'rule': ['nearest', 'first'][rule], 'p': min(1, 2 * tail)}

def coref(items, way):
    asked = []
    for index, (maps, item) in enumerate(items): resolve(maps, item, index, way, asked)
    if not asked: return None
    return {'resolved': [sum(q['heads'][k] for q in asked) for k in range(len(asked[0]['heads']))],
            'rules': [sum(q['rules'][r] for q in asked) for r in (0, 1)], 'held_out': held_out(asked)}

rows, items = {}, [(attention(item['dump']), item) for item in json.load(sys.stdin)]
for maps, item in items: parse(maps, item, rows)
print(json.dumps({'relations': rows, 'coref': {way: coref(items, way) for way in ('head', 'mean', 'last', 'sum')}}))

"""Questions to an index of a corpus, answered by brute force in plain Python: the oracle of tests/js/search.test.mjs.
python3 search.py FILE < QUESTIONS prints one JSON answer a line. Chances are counted in whole numbers: subsets of words
with the label, and permutations of tokens, of all that there are."""
import json
import math
import re
import struct
import sys
import unicodedata
from array import array
from fractions import Fraction
from operator import mul
from statistics import NormalDist

MOST_LABELS, EXACT, SHOWN = 1000, 1024, 30
FORMATS = {'I8': 'b', 'U8': 'B', 'I16': 'h', 'U16': 'H', 'I32': 'i', 'F32': 'f', 'I64': 'q'}


class Index:
    def __init__(self, path):
        data = open(path, 'rb').read()
        size = struct.unpack('<Q', data[:8])[0]
        header = json.loads(data[8:8 + size])
        self.about = header.pop('__metadata__')
        self.tensors, self.width = {}, {}
        for name, entry in header.items():
            piece = data[8 + size:][entry['data_offsets'][0]:entry['data_offsets'][1]]
            count = math.prod(entry['shape'])
            self.tensors[name] = (list(struct.unpack(f'<{count}e', piece)) if entry['dtype'] == 'F16'
                                  else piece if entry['dtype'] == 'U8' else array(FORMATS[entry['dtype']], piece))
            self.width[name] = math.prod(entry['shape'][1:])
        self.starts, text = [0], 0
        self.texts = []
        rows = self.rows('sentences')
        for tokens, _, a, b in rows:
            self.starts.append(self.starts[-1] + tokens)
            both = [self.tensors['text'][text:text + a].decode()]
            if b >= 0:
                both.append(self.tensors['text'][text + a:text + a + b].decode())
            text += a + max(b, 0)
            self.texts.append(both)
        self.tokens = self.starts[-1]
        self.sentence_of = [s for s, row in enumerate(rows) for _ in range(row[0])]
        self.tags, self.relations = ([name for name in self.about[key].split('\t') if name] for key in ('tags', 'relations'))
        self.added = dict((text, int(id)) for id, text in (one.split(' ', 1) for one in self.about['added'].split('\t')))
        self.find_words()

    def rows(self, name):
        width = self.width[name]
        return [self.tensors[name][i:i + width] for i in range(0, len(self.tensors[name]), width)]

    def find_words(self):
        """words: (first token, form); word_of: of each token"""
        self.words, self.word_of, places = [], [], self.rows('places')
        numbers = self.tensors['words']
        for i in range(self.tokens):
            same = (i and numbers[i] == numbers[i - 1] and self.sentence_of[i] == self.sentence_of[i - 1])
            if numbers[i] < 0:
                self.word_of.append(-1)
                continue
            if not same:
                self.words.append([i, None, i])
            self.words[-1][2] = i
            self.word_of.append(len(self.words) - 1)
        for word in self.words:
            part, start, _ = places[word[0]]
            text = self.texts[self.sentence_of[word[0]]][part][start:places[word[2]][2]]
            word[1] = ''.join(unicodedata.normalize('NFC', c).lower() for c in text.strip())
        self.words_in = [[] for _ in self.texts]
        for n, word in enumerate(self.words):
            self.words_in[self.sentence_of[word[0]]].append(n)

    def label(self, word, by):
        token, form, _ = self.words[word]
        if by == 'word':
            return form
        number = self.tensors['tags' if by == 'pos' else 'relations'][token]
        return None if number < 0 else (self.tags if by == 'pos' else self.relations)[number]

    def is_wanted(self, token, wanted):
        word = self.word_of[token]
        if wanted.get('word') in self.added:
            return word < 0 and self.tensors['ids'][token] == self.added[wanted['word']]
        if not wanted:
            return True
        if word < 0:
            return False
        first = self.words[word][0]
        return all(self.is_label(word, by, value) for by, value in wanted.items()) if first is not None else False

    def is_label(self, word, by, value):
        if by != 'word':
            return self.label(word, by) == value
        form = self.label(word, by)
        if re.fullmatch('/.+/', value):
            return form != '' and re.search(value[1:-1].lower(), form) is not None
        return form == value.lower()

    def is_governed(self, token, above, relation):
        """Is the word of `above` the governor of the token's word, by this relation?"""
        if min(self.word_of[token], self.word_of[above]) < 0 or self.tensors['governors'][token] < 0:
            return False
        start = self.starts[self.sentence_of[token]]
        own = self.tensors['relations'][token]
        return self.word_of[start + self.tensors['governors'][token]] == self.word_of[above] and \
            (relation == 'any' or (own >= 0 and self.relations[own] == relation))

    def is_pair(self, query, key, q):
        texts = [self.tensors['places'][3 * i] for i in (query, key)]
        if 'sentence' in q and (min(texts) < 0 or (texts[0] == texts[1]) != (q['sentence'] == 'same')):
            return False
        return ('governor' not in q or self.is_governed(query, key, q['governor'])) and \
            ('dependent' not in q or self.is_governed(key, query, q['dependent']))


def wanted_of(question):
    return {key: question[key] for key in ('word', 'pos', 'relation') if key in question}


# ---- matches: (token, key or None, value) ----

def find(x, q):
    wanted = wanted_of(q)
    if wanted.get('word') in x.added:
        return [(i, None, 0) for i in range(x.tokens) if x.is_wanted(i, wanted)]
    return [(word[0], None, 0) for word in x.words if x.is_wanted(word[0], wanted)]


def nearest(x, q):
    whole = q['ask'] == 'like'
    name = f"{'hidden' if whole else 'context'}.{q['layer']}"
    rows, scales = x.rows(name), x.rows(name + '.scale') if not whole else [[s] for s in x.tensors[name + '.scale']]
    heads = [0] if whole else q.get('heads', list(range(int(x.about['heads']))))
    size = len(rows[0]) if whole else int(x.about['head_width'])
    own = x.starts[q['at'][0]] + q['at'][1]
    wanted, found = wanted_of(q), []
    for i in range(x.tokens):
        if i == own or (not wanted and x.rows_added(i)) or not x.is_wanted(i, wanted):
            continue
        value = 0.0
        for h in heads:
            part = slice(h * size, h * size + size)
            value += sum(map(mul, rows[own][part], rows[i][part])) * (scales[own][h] * scales[i][h])
        found.append((i, None, value / len(heads) if len(heads) > 1 else value))
    found.sort(key=lambda m: (-m[2], m[0]))
    return found[:q.get('most', 100)]


def head(x, q):
    keys, weights, moved = (x.rows(f"{name}.{q['layer']}") for name in ('keys', 'weights', 'moved'))
    low, high = q.get('offset', [-math.inf, math.inf])
    found = []
    for i in range(x.tokens):
        offset = keys[i][q['head']]
        if low <= offset <= high and weights[i][q['head']] >= q.get('weight', 0) * 65535 and \
                x.is_wanted(i, q.get('query', {})) and x.is_wanted(i + offset, q.get('key', {})) and x.is_pair(i, i + offset, q):
            found.append((i, i + offset, moved[i][q['head']]))
    found.sort(key=lambda m: (-m[2], m[0]))
    return found[:q.get('most') or len(found)]


def all_heads(x, q):
    places, rows = x.rows('places'), []
    start = [x.starts[s] for s in x.sentence_of]
    for layer in range(sum(name.startswith('keys.') for name in x.tensors)):
        keys, weights, moved = (x.rows(f'{name}.{layer}') for name in ('keys', 'weights', 'moved'))
        for h in range(x.width['keys.0']):
            key = [i + keys[i][h] for i in range(x.tokens)]
            words = [(x.word_of[i], x.word_of[k]) for i, k in enumerate(key)]
            apart = [min(a, b) >= 0 and a != b for a, b in words]
            facts = {
                'weight': [row[h] / 65535 for row in weights], 'moved': [row[h] for row in moved],
                'distance': [abs(row[h]) for row in keys],
                'previous': [row[h] == -1 for row in keys], 'next': [row[h] == 1 for row in keys],
                'self': [row[h] == 0 for row in keys],
                'first': [k == first for k, first in zip(key, start)],
                'added': [places[k][0] < 0 for k in key],
                'same_word': [w and x.words[a][1] == x.words[b][1] for w, (a, b) in zip(apart, words)],
                'other_sentence': [min(places[i][0], places[k][0]) >= 0 and places[i][0] != places[k][0] for i, k in enumerate(key)],
            }
            if x.relations:
                facts['governor'] = [w and x.is_governed(i, k, 'any') for w, (i, k) in zip(apart, enumerate(key))]
                facts['dependent'] = [w and x.is_governed(k, i, 'any') for w, (i, k) in zip(apart, enumerate(key))]
            if 'head' in q:
                facts['alike'] = [a[q['head']] == b[h] for a, b in zip(x.rows(f"keys.{q['layer']}"), keys)]
            rows.append({'layer': layer, 'head': h, **{name: sum(values) / x.tokens for name, values in facts.items()}})
    return {'rows': rows}


# ---- chance ----

def subsets(times, n, inside):
    """Of the subsets of `inside` of n words: how many have each sum of times, as shares."""
    ways = {(0, 0): 1}  # (words taken, sum)
    used = [t for t in times if t]
    for t in used:
        more = dict(ways)
        for (r, s), count in ways.items():
            more[r + 1, s + t] = more.get((r + 1, s + t), 0) + count
        ways = more
    rest, out = n - len(used), [0] * (sum(used) + 1)
    for (r, s), count in ways.items():
        if 0 <= inside - r <= rest:
            out[s] += count * math.comb(rest, inside - r)
    return [float(Fraction(count, math.comb(n, inside))) for count in out]


def permutations(places, n):
    """Of all orders of n tokens: how many put k of the keys to one of their places, as shares."""
    rooks = [1]
    for p in places:
        rooks = [a + p * b for a, b in zip(rooks + [0], [0] + rooks)]
    hits = [sum((-1) ** (t - k) * math.comb(t, k) * rooks[t] * math.factorial(n - t) for t in range(k, len(rooks)))
            for k in range(len(rooks))]
    return [float(Fraction(count, math.factorial(n))) for count in hits]


def moments(shares):
    mean = math.fsum(k * p for k, p in enumerate(shares))
    return mean, math.fsum((k - mean) ** 2 * p for k, p in enumerate(shares))


def label_moments(times, n, inside):
    """Of a sum over a random subset, by its covariances."""
    total, squares = sum(times), sum(t * t for t in times)
    mean = Fraction(total * inside, n)
    if n < 2:
        return mean, 0
    both = Fraction(inside * (inside - 1), n * (n - 1))
    return mean, squares * Fraction(inside, n) + (total * total - squares) * both - mean * mean


def p_of(count, chances, support):
    """chances: of each sentence (distribution or None, mean, variance)"""
    if support <= EXACT:
        total = [1.0]
        for shares, _, _ in chances:
            total = [math.fsum(total[i] * shares[k - i] for i in range(max(0, k - len(shares) + 1), min(k, len(total) - 1) + 1))
                     for k in range(len(total) + len(shares) - 1)]
        return min(1, 2 * min(math.fsum(total[:count + 1]), math.fsum(total[count:])))
    mean, variance = float(sum(c[1] for c in chances)), float(sum(c[2] for c in chances))
    if not variance > 0:
        return 1
    sd = math.sqrt(variance)
    low, high = 0.5 * math.erfc(-(count - mean + 0.5) / sd / math.sqrt(2)), 0.5 * math.erfc((count - mean - 0.5) / sd / math.sqrt(2))
    return min(1, 2 * min(low, high))


# ---- bars ----

def interval(counts, sums):
    """counts, sums of matches [sentences that have any]"""
    m, n = sum(sums), len(sums)
    share = sum(counts) / m
    spread = math.fsum((k - share * s) ** 2 for k, s in zip(counts, sums))
    variance = n / (n - 1) * spread / m / m if n > 1 else 0
    independent = share * (1 - share) / variance if variance > 1e-18 and 0 < share < 1 else n
    independent, z = min(m, independent), NormalDist().inv_cdf(0.975)
    middle = (share + z * z / (2 * independent)) / (1 + z * z / independent)
    half = z / (1 + z * z / independent) * math.sqrt(share * (1 - share) / independent + z * z / (4 * independent ** 2))
    return share, max(0, middle - half), min(1, middle + half)


def by_sentence(x, found):
    groups = {}
    for m in found:
        groups.setdefault(x.sentence_of[m[0]], []).append(m)
    return groups


def word_of(x, side, match):
    token = match[1] if side == 'key' else match[0]
    word = x.word_of[token]
    if word < 0 or x.words[word][0] != token:
        return None
    word += {'before': -1, 'after': 1}.get(side, 0)
    there = 0 <= word < len(x.words) and x.sentence_of[x.words[word][0]] == x.sentence_of[token]
    return word if there else None


def label_bars(x, found, side, by):
    groups = []  # (labels of the sentence's words, times of each)
    others = 0
    for sentence, matches in by_sentence(x, found).items():
        words = x.words_in[sentence]
        hits = [word_of(x, side, m) for m in matches]
        others += hits.count(None)
        times = [hits.count(word) for word in words]
        if sum(times):
            groups.append(([x.label(word, by) for word in words], times))
    totals, all_labels = {}, {}
    for labels, _ in groups:
        for label in labels:
            if label is not None:
                totals[label] = totals.get(label, 0) + 1
    for word in range(len(x.words)):
        label = x.label(word, by)
        all_labels[label] = all_labels.get(label, 0) + 1
    order = list({'pos': x.tags, 'relation': x.relations}.get(by) or dict.fromkeys(w[1] for w in x.words))
    chosen = sorted(totals, key=lambda label: (-totals[label], order.index(label)))[:MOST_LABELS]
    bars = []
    for label in chosen:
        counts, chances, support, mean = [], [], 0, 0
        for labels, times in groups:
            inside, count = labels.count(label), sum(t for l, t in zip(labels, times) if l == label)
            counts.append(count)
            if inside:
                support += sum(times)
                chances.append((labels, times, inside))
        exact = support <= EXACT
        chances = [(subsets(times, len(labels), inside) if exact else None, *label_moments(times, len(labels), inside))
                   for labels, times, inside in chances]
        bars.append({'label': label, 'order': order.index(label), 'count': sum(counts), 'base': all_labels[label] / len(x.words),
                     'expected': float(sum(c[1] for c in chances)), 'p': p_of(sum(counts), chances, support),
                     'interval': interval(counts, [sum(times) for _, times in groups])})
    matches = sum(sum(times) for _, times in groups)
    return {'of': side, 'by': by, 'matches': matches, 'sentences': len(groups), 'others': others, 'bars': bars}


def sees(mask, query, key):
    return mask == 'all' or (key <= query if mask == 'causal' else abs(key - query) <= int(mask))


def offset_bars(x, found, q):
    mask = x.about['masks'].split('\t')[q['layer']]
    groups, bars = by_sentence(x, found), []
    for offset in range(-10, 11):
        base = counts = 0
        chances, counts, support = [], [], 0
        for s in range(len(x.texts)):
            n = x.starts[s + 1] - x.starts[s]
            for i in range(n):
                if 0 <= i + offset < n and sees(mask, i, i + offset):
                    base += 1 / sum(sees(mask, i, j) for j in range(n))
        for sentence, matches in groups.items():
            start, n = x.starts[sentence], x.starts[sentence + 1] - x.starts[sentence]
            places = {}
            for token, key, _ in matches:
                if 0 <= token - start + offset < n:
                    places[key] = places.get(key, 0) + 1
            counts.append(sum(key - token == offset for token, key, _ in matches))
            support += len(places)
            chances.append((n, list(places.values())))
        exact = support <= EXACT
        chances = [(permutations(places, n) if exact else None, *permutation_moments(places, n)) for n, places in chances]
        bars.append({'label': offset, 'order': offset, 'count': sum(counts), 'base': base / x.tokens,
                     'expected': float(sum(c[1] for c in chances)),
                     'p': p_of(sum(counts), chances, support) if mask == 'all' else None,
                     'interval': interval(counts, [len(m) for m in groups.values()])})
    return {'of': 'pair', 'by': 'offset', 'matches': len(found), 'sentences': len(groups), 'others': 0, 'bars': bars}


def link_bars(x, found):
    """Pairs of words that are linked twice or more often: the query's form, the key's."""
    begins = {word[0]: n for n, word in enumerate(x.words)}
    groups, counts, expected, others = [], {}, {}, 0
    for sentence, matches in by_sentence(x, found).items():
        links = [(begins[token], begins[key]) for token, key, _ in matches if token in begins and key in begins and token != key]
        others += len(matches) - len(links)
        if links:
            groups.append((sentence, [tuple(x.words[word][1] for word in link) for link in links]))
    for _, links in groups:
        for link in links:
            counts[link] = counts.get(link, 0) + 1
    for sentence, links in groups:
        forms = [x.words[word][1] for word in x.words_in[sentence]]
        for a in range(len(forms)):
            for b in range(len(forms)):
                if a != b:
                    pair = forms[a], forms[b]
                    expected[pair] = expected.get(pair, 0) + len(links) / len(forms) / (len(forms) - 1)
    matches, order = sum(len(links) for _, links in groups), list(dict.fromkeys(word[1] for word in x.words))
    bars = [{'label': ' → '.join(pair), 'order': order.index(pair[0]) * len(order) + order.index(pair[1]), 'count': count,
             'base': expected[pair] / matches, 'expected': expected[pair], 'p': None,
             'strength': count * math.log(count / expected[pair]),
             'interval': interval([links.count(pair) for _, links in groups], [len(links) for _, links in groups])}
            for pair, count in counts.items() if count > 1]
    bars.sort(key=lambda b: (-b['strength'], b['order']))
    return {'of': 'pair', 'by': 'words', 'matches': matches, 'sentences': len(groups), 'others': others, 'bars': bars}


def permutation_moments(places, n):
    total, squares = sum(places), sum(p * p for p in places)
    mean = Fraction(total, n)
    pairs = Fraction(total * total - squares, n * (n - 1)) if n > 1 else 0
    return mean, pairs + mean - mean * mean if n > 1 else 0


def sets_of(x, q, found):
    labelled = (['pos'] if x.tags else []) + (['relation'] if x.relations else []) + ['word']
    if q['ask'] == 'find':
        return [label_bars(x, found, side, by) for side in ('before', 'after') for by in labelled if by != 'relation']
    sides = {'query': q.get('query', {}), 'key': q.get('key', {})} if q['ask'] == 'head' else {'match': wanted_of(q)}
    if len(found) == x.tokens:
        sides.pop('query', None)
    sets = [label_bars(x, found, side, by) for side, wanted in sides.items() for by in labelled
            if 'word' not in wanted and by not in wanted
            and not (by == 'relation' and {'query': 'governor', 'key': 'dependent'}.get(side) in q)]
    if q['ask'] == 'head' and 'offset' not in q:
        sets.append(offset_bars(x, found, q))
    if q['ask'] == 'head':
        sets.append(link_bars(x, found))
    return [one for one in sets if one['matches']] if found else []


def adjust(sets):
    """Benjamini and Hochberg 1995, over all bars"""
    all_bars = sorted((b for one in sets for b in one['bars'] if b['p'] is not None), key=lambda b: b['p'], reverse=True)
    least = 1
    for rank, b in zip(range(len(all_bars), 0, -1), all_bars):
        least = min(least, b['p'] * len(all_bars) / rank)
        b['adjusted'] = least


def answer(x, q):
    if q['ask'] == 'heads':
        return all_heads(x, q)
    found = {'find': find, 'like': nearest, 'context': nearest, 'head': head}[q['ask']](x, q)
    sets = sets_of(x, q, found) if q.get('bars') != 'none' else []
    adjust(sets)
    return {'starts': x.starts, 'matches': len(found), 'rows': found[:q.get('rows', 20)], 'sets': sets}


if __name__ == '__main__':
    index = Index(sys.argv[1])
    added = [place[0] < 0 for place in index.rows('places')]
    index.rows_added = added.__getitem__
    for line in sys.stdin:
        print(json.dumps(answer(index, json.loads(line))))

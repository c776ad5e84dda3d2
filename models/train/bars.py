"""bars - measures what a model must show before it becomes the page's default, in one command; the exit status is 1 if it falls short.

    python bars.py HEADLIGHT FOLDER EWT_DEV EWT_TEST [--texts 600] [--limit 0]

FOLDER: a Hugging Face folder with a masked-language head, float32. It is converted to q8, and q8 is what is measured, but for one line:
    masked    masked pieces and words that it finds in EWT dev (evaluate.py), float32 and q8: at least 40 %, q8 at most 1 point less
    corpus    next, previous, delimiter over EWT test: strength of the best head at least 0.6
    sentences same word (copies), same word in the other sentence (across), pieces of one word (partner), own sentence: strength of
              the best head at least 0.6 in 5 of the 8 sentences of sentences.tsv, which were written before training
Strength as the tour counts it (web/views/six_patterns.js): 0 is even attention, 1 the pure pattern.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from evaluate import evaluate
from networks import open_masked
from text import tokenizer_of

CLEARLY = 0.6
MEASURES = {'copies': 'copies', 'across': 'same_word_across', 'partner': 'partner', 'own': 'own_sentence'}


def by_headlight(headlight, *arguments):
    return subprocess.run([headlight, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def strengths(headlight, folder, corpus, measure, *options):
    """{(layer, head): strength}"""
    answer = json.loads(by_headlight(headlight, 'study', 'patterns', folder, corpus, *options))
    at = answer['measures'].index(measure)
    even = answer['even'][at]
    return {(i // answer['heads'], i % answer['heads']): (mean - even) / (1 - even) for i, mean in enumerate(answer['mean'][at])}


def best_of(found):
    place = max(found, key=found.get)
    return f'({place[0]},{place[1]})', found[place]


def say(good, *words):
    print('ok  ' if good else 'NOT ', *words, flush=True)
    return good


def masked(headlight, folder, small, work, dev, count):
    by_headlight(headlight, 'convert', small, work / 'float', '--store', 'f32')
    figures = [evaluate(open_masked(f), tokenizer_of(folder), dev, count) for f in (folder, work / 'float')]
    lost = max(figures[0][name] - figures[1][name] for name in ('pieces', 'words'))
    for name, found in zip(('float32', 'q8'), figures):
        say(found['pieces'] >= 40, f'masked pieces {found["pieces"]} %, words {found["words"]} % ({name})')
    return min(f['pieces'] for f in figures) >= 40 and say(lost <= 1, f'q8 loses {lost:.2f} points')


def over_corpus(headlight, small, test, limit):
    options = ['--set', f'limit={limit}'] if limit else []
    found = {name: best_of(strengths(headlight, small, test, name, *options)) for name in ('next', 'previous', 'delimiter')}
    return all([say(value >= CLEARLY, f'{name}: {place} {value:.2f}') for name, (place, value) in found.items()])


def over_sentences(headlight, small, work):
    with open(Path(__file__).parent / 'sentences.tsv', encoding='utf8') as file:
        rows = list(csv.DictReader(file, delimiter='\t'))
    good = True
    for pattern, measure in MEASURES.items():
        heads = []
        for row in (row for row in rows if row['pattern'] == pattern):
            pair = row['second']
            one = work / ('one.tsv' if pair else 'one.txt')
            one.write_text(f'sentence1\tsentence2\n{row["text"]}\t{pair}\n' if pair else row['text'] + '\n', encoding='utf8')
            heads.append(best_of(strengths(headlight, small, one, measure)))
        clear = sum(value >= CLEARLY for _, value in heads)
        good &= say(clear >= 5, f'{pattern}: {clear} of {len(heads)}  ', ' '.join(f'{place} {value:.2f}' for place, value in heads))
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('headlight')
    parser.add_argument('folder', type=Path)
    parser.add_argument('dev', type=Path)
    parser.add_argument('test', type=Path)
    parser.add_argument('--texts', type=int, default=600, help='texts of EWT dev')
    parser.add_argument('--limit', type=int, default=0, help='sentences of EWT test; 0: all')
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        small = work / 'q8'
        by_headlight(given.headlight, 'convert', given.folder, small, '--store', 'q8')
        size = sum(file.stat().st_size for file in small.iterdir()) / 1e6
        good = [
            say(size <= 12, f'{size:.1f} MB'),
            over_sentences(given.headlight, small, work),
            over_corpus(given.headlight, small, given.test, given.limit),
            masked(given.headlight, given.folder, small, work, given.dev, given.texts),
        ]
    sys.exit(not all(good))


if __name__ == '__main__':
    main()

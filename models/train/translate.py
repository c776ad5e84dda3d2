"""translate - a small Marian that says German numbers in English, with gold alignments that the numbers give.

    python translate.py data FOLDER            german.txt, english.txt, and of --held numbers, never trained on: held.de, held.en, held.align
    python translate.py train FOLDER           the tokenizers, the model, and FOLDER/model as transformers writes it
    python translate.py evaluate FOLDER MODEL  held-out numbers said right (greedily), and the alignment error of each cross head

Numbers from 0 to 999,999, the parts of a German number written apart ("ein und zwanzig", twenty one): its unit comes before its ten, which is
what attention across the languages has to turn around. held.align is in Pharaoh's format: word of the source, word of the target, "-"
where the link is sure and "?" where it is possible ("und" is both of its ten and its unit). All is drawn from one seed.
"""

import argparse
import contextlib
import json
import math
import random
from pathlib import Path

import sentencepiece
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, MarianConfig, MarianMTModel, MarianTokenizer

GERMAN = 'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split()
ENGLISH = ('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen '
           'nineteen').split()
TENS = [(0, 0)] * 2 + list(zip('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(),
                               'twenty thirty forty fifty sixty seventy eighty ninety'.split(), strict=True))
SEED, PIECES = 7, 48
# what SentencePiece makes of letters: lower case, and one letter of a letter and its dots
CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ'
RULES = [*((c, c.lower()) for c in CAPITALS), *((c + '\u0308', d) for c, d in zip('aouAOU', 'äöüäöü')), *((c, ' ') for c in '\t\n\r\u00a0')]


class Said:
    """A number in both languages, word by word, and its links."""

    def __init__(self):
        self.german, self.english, self.links = [], [], []

    def say(self, german, english):
        self.links.append(f'{len(self.german)}-{len(self.english)}')
        self.german.append(german)
        self.english.append(english)

    def below_hundred(self, n, last):
        if n < 20:
            return self.say('eins' if n == 1 and last else GERMAN[n], ENGLISH[n])
        german, english = TENS[n // 10]
        if not n % 10:
            return self.say(german, english)
        g, e = len(self.german), len(self.english)
        self.german += [GERMAN[n % 10], 'und', german]
        self.english += [english, ENGLISH[n % 10]]
        self.links += [f'{g}-{e + 1}', f'{g + 1}?{e}', f'{g + 1}?{e + 1}', f'{g + 2}-{e}']

    def below_thousand(self, n, last):
        if n >= 100:
            self.say(GERMAN[n // 100], ENGLISH[n // 100])
            self.say('hundert', 'hundred')
        if n % 100 or n == 0:
            self.below_hundred(n % 100, last)

    def number(self, n):
        if n >= 1000:
            self.below_thousand(n // 1000, False)
            self.say('tausend', 'thousand')
        if n % 1000 or n == 0:
            self.below_thousand(n % 1000, True)
        return self


def draw(random_, count, without=frozenset()):
    """Numbers of one to six digits, as many of each."""
    out = []
    while len(out) < count:
        n = random_.randrange(10 ** random_.randrange(1, 7))
        if n not in without:
            out.append(n)
    return out


def held_out(count):
    """Different numbers from 100 on: of smaller ones the model has to see each."""
    random_, out = random.Random(SEED), {}
    while len(out) < count:
        n = draw(random_, 1)[0]
        if n >= 100:
            out[n] = None
    return list(out)


def write_data(given):
    folder = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    held = held_out(given.held)
    rows = [Said().number(n) for n in held]
    for name, of in (('held.de', lambda r: r.german), ('held.en', lambda r: r.english), ('held.align', lambda r: r.links)):
        (folder / name).write_text(''.join(' '.join(of(row)) + '\n' for row in rows), encoding='utf-8')
    trained = [Said().number(n) for n in draw(random.Random(SEED + 1), 20000, set(held))]
    for name, of in (('german.txt', lambda r: r.german), ('english.txt', lambda r: r.english)):
        (folder / name).write_text(''.join(' '.join(of(row)) + '\n' for row in trained), encoding='utf-8')


def write_tokenizer(folder, model):
    """source.spm, target.spm, and vocab.json as Marian's has it: </s> and <unk>, the pieces of both, <pad> at the end."""
    model.mkdir(parents=True, exist_ok=True)
    rules = ''.join(' '.join(f'{ord(c):X}' for c in a) + '\t' + ' '.join(f'{ord(c):X}' for c in b) + '\n' for a, b in RULES)
    (folder / 'rules.tsv').write_text(rules)
    pieces = ['</s>', '<unk>']
    for text, name in (('german.txt', 'source'), ('english.txt', 'target')):
        with contextlib.chdir(folder):  # the file says how its texts are called
            sentencepiece.SentencePieceTrainer.train(input=text, model_prefix=name, vocab_size=PIECES, character_coverage=1.0,
                                                     model_type='unigram', num_threads=1, minloglevel=2, normalization_rule_tsv='rules.tsv')
        (folder / f'{name}.model').rename(model / f'{name}.spm')
        (folder / f'{name}.vocab').unlink()
        found = sentencepiece.SentencePieceProcessor(model_file=str(model / f'{name}.spm'))
        pieces += [found.id_to_piece(i) for i in range(3, found.vocab_size()) if found.id_to_piece(i) not in pieces]
    pieces.append('<pad>')
    (model / 'vocab.json').write_text(json.dumps({piece: i for i, piece in enumerate(pieces)}, ensure_ascii=False, indent=0), encoding='utf-8')
    MarianTokenizer(str(model / 'source.spm'), str(model / 'target.spm'), str(model / 'vocab.json'),
                    source_lang='de', target_lang='en', model_max_length=64).save_pretrained(model)
    return len(pieces)


def new_model(vocab):
    torch.manual_seed(SEED)
    pad = vocab - 1
    model = MarianMTModel(MarianConfig(
        vocab_size=vocab, decoder_vocab_size=vocab, d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=128, max_position_embeddings=64, activation_function='swish',
        dropout=0.1, attention_dropout=0.0, activation_dropout=0.0, scale_embedding=True, init_std=0.05, pad_token_id=pad, eos_token_id=0,
        decoder_start_token_id=pad, forced_eos_token_id=None, num_beams=1, share_encoder_decoder_embeddings=True))
    model.generation_config.update(num_beams=1, max_length=64, bad_words_ids=[[pad]], forced_eos_token_id=None)
    return model


class Batches:
    """Random numbers as padded ids; what either side's words are as pieces is asked once."""

    def __init__(self, tokenizer, held, size):
        self.tokenizer, self.held, self.size, self.random, self.known = tokenizer, held, size, random.Random(SEED + 2), {}

    def ids(self, words, target):
        text = ' '.join(words)
        side = {'text_target': text} if target else {'text': text}
        for word in words:
            if (target, word) not in self.known:
                one = {'text_target': word} if target else {'text': word}
                self.known[target, word] = self.tokenizer(**one)['input_ids'][:-1]
        ids = [i for word in words for i in self.known[target, word]] + [self.tokenizer.eos_token_id]
        if self.random.random() < 0.001:
            assert ids == self.tokenizer(**side)['input_ids'], text
        return ids

    def padded(self, rows, pad):
        most = max(map(len, rows))
        return torch.tensor([row + [pad] * (most - len(row)) for row in rows])

    def draw(self):
        said = [Said().number(n) for n in draw(self.random, self.size, self.held)]
        pad = self.tokenizer.pad_token_id
        source = self.padded([self.ids(row.german, False) for row in said], pad)
        return source, (source != pad).long(), self.padded([self.ids(row.english, True) for row in said], -100)


def train(given):
    torch.set_num_threads(given.threads)
    folder, out = given.folder, given.folder / 'model'
    model = new_model(write_tokenizer(folder, out))
    tokenizer = AutoTokenizer.from_pretrained(out)
    batches = Batches(tokenizer, set(held_out(given.held)), 128)
    adam = torch.optim.AdamW(model.parameters(), lr=given.rate, betas=(0.9, 0.98), weight_decay=0.01)
    rate = torch.optim.lr_scheduler.LambdaLR(adam, lambda i: min((i + 1) / 200, 0.5 + 0.5 * math.cos(math.pi * min(1, i / given.steps))))
    model.train()
    for step in range(given.steps):
        source, mask, labels = batches.draw()
        logits = model(input_ids=source, attention_mask=mask, labels=labels).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=0.1)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        rate.step()
        adam.zero_grad()
        if step % 200 == 0 or step + 1 == given.steps:
            print(f'step {step}: loss {loss.item():.4f}', flush=True)
    model.eval().save_pretrained(out)


def read(path):
    return path.read_text(encoding='utf-8').splitlines()


def word_of_each(tokenizer, ids):
    """The word of each token but the last, </s>."""
    word, out = -1, []
    for piece in tokenizer.convert_ids_to_tokens(ids[:-1]):
        word += piece.startswith('\u2581')
        out.append(word)
    return out


def error_of(found, sure, possible):
    """Och and Ney's rate of a text: what counts of it."""
    return len(found & sure) + len(found & possible), len(found) + len(sure)


@torch.no_grad()
def links_of(model, tokenizer, german, english):
    """Of each shift, layer, head the links: to each word of the target the word of the source that gets the largest share."""
    source, target = tokenizer(german)['input_ids'], tokenizer(text_target=english)['input_ids']
    before = [model.config.decoder_start_token_id, *target[:-1]]
    maps = model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([before]), output_attentions=True).cross_attentions
    words, of = word_of_each(tokenizer, source), word_of_each(tokenizer, target)
    out = {}
    for shift in (0, 1):  # the row that says a token; the row that reads it
        for layer, one in enumerate(maps):
            for head, rows in enumerate(one[0]):
                shares = torch.zeros(of[-1] + 1, words[-1] + 1)
                for i, to in enumerate(of):
                    for j, frm in enumerate(words):
                        shares[to, frm] += rows[i + shift, j]
                out[shift, layer, head] = {(int(frm), to) for to, frm in enumerate(shares.argmax(1))}
    return out


def evaluate(given):
    torch.set_num_threads(given.threads)
    tokenizer = AutoTokenizer.from_pretrained(given.model)
    model = AutoModelForSeq2SeqLM.from_pretrained(given.model, dtype=torch.float32, attn_implementation='eager').eval()
    german, english, links = (read(given.folder / f'held.{name}') for name in ('de', 'en', 'align'))
    right = 0
    for i in range(0, len(german), 100):
        batch = tokenizer(german[i : i + 100], padding=True, return_tensors='pt')
        said = tokenizer.batch_decode(model.generate(**batch), skip_special_tokens=True, use_source_tokenizer=False)
        right += sum(a == b for a, b in zip(said, english[i : i + 100], strict=True))
    print(f'{right} of {len(german)} numbers are said right')
    sums = {}
    for g, e, gold in list(zip(german, english, links, strict=True))[: given.aligned]:
        pairs = [(tuple(map(int, one.replace('?', '-').split('-'))), '?' in one) for one in gold.split()]
        possible, sure = {pair for pair, _ in pairs}, {pair for pair, may in pairs if not may}
        found = links_of(model, tokenizer, g, e)
        found['diagonal'] = {(min(len(g.split()) - 1, (2 * i + 1) * len(g.split()) // (2 * len(e.split()))), i) for i in range(len(e.split()))}
        for key, of in found.items():
            hit, all_ = error_of(of, sure, possible)
            sums[key] = sums.get(key, (0, 0))[0] + hit, sums.get(key, (0, 0))[1] + all_
    for key, (hit, all_) in sums.items():
        print(key if isinstance(key, str) else f'{("says", "reads")[key[0]]} L{key[1]}H{key[2]}', f'{1 - hit / all_:.4f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=['data', 'train', 'evaluate'])
    parser.add_argument('folder', type=Path)
    parser.add_argument('model', type=Path, nargs='?')
    parser.add_argument('--held', type=int, default=1000)
    parser.add_argument('--aligned', type=int, default=200)
    parser.add_argument('--steps', type=int, default=4000)
    parser.add_argument('--rate', type=float, default=3e-3)
    parser.add_argument('--threads', type=int, default=1)
    given = parser.parse_args()
    {'data': write_data, 'train': train, 'evaluate': evaluate}[given.what](given)


if __name__ == '__main__':
    main()

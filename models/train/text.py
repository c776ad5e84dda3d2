"""text - prepares a text as token ids on disk, and makes batches of sentence pairs from it.

    python text.py prepare TEXT OUT --vocab DIR_OR_FILE   text (also .xz) -> OUT/{tokens,sentences,documents}.npy + vocabulary
        [--words]                                         and OUT/inside.npy: which tokens go on with a word, as jieba cuts Chinese
    python text.py vocab TEXT OUT --size 8192             trains a WordPiece vocabulary (uncased) on a text
    python text.py cut PREPARED OUT --size 8192           the most frequent pieces of a vocabulary, in its order of ids
        [--least 1]                                       and every single character that occurs as often
    python text.py bpe TEXT OUT --size 8192               trains a byte-level BPE (GPT-2's pipeline)
    python text.py join PREPARED OUT --more OTHER --times 8   prepared text, and another of the same vocabulary eight times over

TEXT: UTF-8, a paragraph a line, a blank line between documents; or CoNLL-U, of which the texts are taken. PREPARED: the token ids of all sentences, one after the other,
without special tokens; sentences[i]..sentences[i + 1] are those of sentence i, documents[j]..documents[j + 1] the sentences of
document j. Not here: masking (train.py does it on the device).
"""

import argparse
import json
import lzma
import re
import shutil
from pathlib import Path

import numpy as np

END = '<|endoftext|>'
VOCABULARY_FILES = ['vocab.txt', 'vocab.json', 'merges.txt', 'tokenizer.json', 'tokenizer_config.json']
SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
SENTENCE_END = re.compile(r"""[.!?]["'”’)\]]*(?=\s+["'“‘(\[]*[A-Z0-9])|[。！？]+[”’」』）]*(?![。！？”’」』）》〉、，；：])""")
PRONOUNS = ['he', 'she', 'it', 'they', 'him', 'her', 'them', 'his', 'its', 'their', '他', '她', '它']
INSIDE = 1 << 20  # added to a token that goes on with the word of the one before it (Pairs)


def lines_of(path):
    with (lzma.open if str(path).endswith('.xz') else open)(path, 'rt', encoding='utf8') as file:
        if not str(path).endswith('.conllu'):
            yield from (line.strip() for line in file)
            return
        for line in file:
            if line.startswith('# newdoc'):
                yield ''
            elif line.startswith('# text = '):
                yield line[len('# text = ') :].strip()


def sentences_of(paragraph):
    ends = [0, *(found.end() for found in SENTENCE_END.finditer(paragraph)), len(paragraph)]
    return [s for a, b in zip(ends, ends[1:]) if (s := paragraph[a:b].strip())]


def documents_of(path):
    """Lists of sentences."""
    document = []
    for line in lines_of(path):
        if line:
            document += sentences_of(line)
        elif document:
            yield document
            document = []
    if document:
        yield document


def tokenizer_of(folder):
    """The fast tokenizer of a Hugging Face folder, or of a vocab.txt (BERT, uncased)."""
    from tokenizers import BertWordPieceTokenizer, ByteLevelBPETokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    path = Path(folder)
    words = path if path.is_file() else path / 'vocab.txt'
    if words.exists():
        names = dict(zip(['pad_token', 'unk_token', 'cls_token', 'sep_token', 'mask_token'], SPECIAL))
        return PreTrainedTokenizerFast(tokenizer_object=BertWordPieceTokenizer(str(words), lowercase=True)._tokenizer, **names)
    if (path / 'merges.txt').exists():
        made = ByteLevelBPETokenizer(str(path / 'vocab.json'), str(path / 'merges.txt'))
        begin = [(END, made.token_to_id(END))]  # GPT-2's does not put it there; Stream does, and so must what reads the model
        made._tokenizer.post_processor = TemplateProcessing(single=f'{END} $A', pair=f'{END} $A $B:1', special_tokens=begin)
        return PreTrainedTokenizerFast(tokenizer_object=made._tokenizer, eos_token=END, bos_token=END)
    return AutoTokenizer.from_pretrained(path)


def inside_words(sentence, offsets):
    """For each token, whether it goes on with the word of the one before it: words as jieba cuts a Chinese text."""
    import rjieba

    starts = np.cumsum([0, *(len(word) for word in rjieba.cut(sentence))])
    return ~np.isin([start for start, _ in offsets], starts)


def prepare(text, out, vocab, words):
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of(vocab)
    pieces, lengths, documents, inside = [], [], [0], []

    def take(batch):
        flat = [s for document in batch for s in document]
        encoded = tokenizer.backend_tokenizer.encode_batch(flat, add_special_tokens=False)
        ids = [e.ids for e in encoded]
        lengths.extend(len(i) for i in ids)
        pieces.append(np.fromiter((i for one in ids for i in one), dtype=np.uint16 if len(tokenizer) < 65536 else np.uint32))
        if words:
            inside.extend(inside_words(s, e.offsets) for s, e in zip(flat, encoded))
        for document in batch:
            documents.append(documents[-1] + len(document))

    batch = []
    for document in documents_of(text):
        batch.append(document)
        if len(batch) == 2000:
            take(batch)
            batch = []
    if batch:
        take(batch)
    np.save(out / 'tokens.npy', np.concatenate(pieces))
    np.save(out / 'sentences.npy', np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
    np.save(out / 'documents.npy', np.array(documents, dtype=np.int64))
    if words:
        np.save(out / 'inside.npy', np.concatenate(inside))
    for file in [vocab] if vocab.is_file() else [vocab / name for name in VOCABULARY_FILES]:
        if file.exists():
            shutil.copyfile(file, out / ('vocab.txt' if vocab.is_file() else file.name))
    print(f'{sum(lengths)} tokens, {len(lengths)} sentences, {len(documents) - 1} documents in {out}')


def train_vocab(text, out, size):
    from tokenizers import BertWordPieceTokenizer

    out.mkdir(parents=True, exist_ok=True)
    tokenizer = BertWordPieceTokenizer(lowercase=True)
    tokenizer.train_from_iterator(lines_of(text), vocab_size=size, special_tokens=SPECIAL, limit_alphabet=300, show_progress=False)
    tokenizer.save_model(str(out))


def train_bpe(text, out, size):
    from tokenizers import ByteLevelBPETokenizer

    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(lines_of(text), vocab_size=size, special_tokens=[END], show_progress=False)
    out.mkdir(parents=True, exist_ok=True)
    tokenizer.save_model(str(out))


def cut(prepared, out, size, least):
    """The special tokens, every single character that occurs `least` times, and the most frequent pieces. The order of ids stays."""
    words = (prepared / 'vocab.txt').read_text(encoding='utf8').split('\n')
    words = words[:-1] if words[-1] == '' else words
    counts = np.bincount(np.load(prepared / 'tokens.npy'), minlength=len(words))
    single = [i for i, w in enumerate(words) if len(w.removeprefix('##')) == 1 and (counts[i] >= least or w.removeprefix('##').isascii())]
    chosen = {i for i, w in enumerate(words) if w in SPECIAL} | set(single)
    for i in np.argsort(-counts, kind='stable'):
        if len(chosen) >= size:
            break
        if not words[i].startswith('[unused'):
            chosen.add(int(i))
    chosen = sorted(chosen)
    out.mkdir(parents=True, exist_ok=True)
    (out / 'vocab.txt').write_text(''.join(words[i] + '\n' for i in chosen), encoding='utf8')
    (out / 'kept.json').write_text(json.dumps(chosen))
    print(f'{len(chosen)} of {len(words)} pieces, which are {counts[chosen].sum() / counts.sum():.2%} of the text')


def join(prepared, out, more, times):
    """Joins two prepared texts, repeating the second `times` times: a small text of the kind that the model is meant for."""
    if (prepared / 'vocab.txt').read_bytes() != (more / 'vocab.txt').read_bytes():
        raise SystemExit(f'{prepared} and {more} have two vocabularies; prepare one of them again with the other\'s')
    out.mkdir(parents=True, exist_ok=True)
    parts = [prepared] + times * [more]
    np.save(out / 'tokens.npy', np.concatenate([np.load(part / 'tokens.npy') for part in parts]))
    if (prepared / 'inside.npy').exists():
        np.save(out / 'inside.npy', np.concatenate([np.load(part / 'inside.npy') for part in parts]))
    for name in ('sentences', 'documents'):
        ends = [0]
        for part in parts:
            ends += (np.load(part / f'{name}.npy')[1:] + ends[-1]).tolist()
        np.save(out / f'{name}.npy', np.array(ends, dtype=np.int64))
    shutil.copyfile(prepared / 'vocab.txt', out / 'vocab.txt')
    print(f'{ends[-1]} sentences in {out}')


class Pairs:
    """Sequences [CLS] A [SEP] or [CLS] A [SEP] B [SEP] of at most `length` tokens.

    Kinds of B, with their shares: `next` follows A; `other` is from elsewhere; `copy` says A again (words can be looked up in the
    other sentence); `shares` is the sentence near A that has most rare words of A; `pronoun` follows A and has a pronoun. `one` has
    no B. The label of next-sentence prediction is 0 for next and pronoun, 1 for other, and none (-100) for the rest.
    """

    KINDS = ['one', 'next', 'other', 'copy', 'shares', 'pronoun']

    def __init__(self, folder, length, shares, seed):
        folder = Path(folder)
        self.tokens = np.load(folder / 'tokens.npy', mmap_mode='r')
        inside = folder / 'inside.npy'
        self.inside = np.load(inside, mmap_mode='r') if inside.exists() else None
        self.sentences = np.load(folder / 'sentences.npy')
        self.documents = np.load(folder / 'documents.npy')
        self.length = length
        self.random = np.random.default_rng(seed)
        self.shares = np.cumsum([shares.get(kind, 0) for kind in self.KINDS])
        vocab = {w: i for i, w in enumerate((folder / 'vocab.txt').read_text(encoding='utf8').split('\n'))}
        self.cls, self.sep = vocab['[CLS]'], vocab['[SEP]']
        self.pronouns = np.array([vocab[w] for w in PRONOUNS if w in vocab])
        self.rare = 1.0 / (1.0 + np.bincount(self.tokens[:: max(1, len(self.tokens) // 2_000_000)], minlength=len(vocab)))

    def ids(self, i):
        return self.tokens[self.sentences[i] : self.sentences[i + 1]]

    def sentence(self, i):
        return self.stretch(self.sentences[i], self.sentences[i + 1])

    def stretch(self, begin, end):
        part = self.tokens[begin:end].astype(np.int32)
        return part if self.inside is None else part + INSIDE * self.inside[begin:end]

    def run(self, i, end, most):
        """Sentences from i on that fit, at least one, cut to `most`; and the first that is not among them."""
        last = i + 1
        while last < end and self.sentences[last + 1] - self.sentences[i] <= most:
            last += 1
        return self.stretch(self.sentences[i], min(self.sentences[last], self.sentences[i] + most)), last

    def place(self):
        """A sentence, and the end of its document."""
        i = int(self.random.integers(len(self.sentences) - 1))
        return i, int(self.documents[np.searchsorted(self.documents, i, side='right')])

    def sequence(self):
        """(ids, number of tokens with type 0, label)"""
        kind = self.KINDS[int(np.searchsorted(self.shares, self.random.random() * self.shares[-1], side='right'))]
        room = self.length - 3
        i, end = self.place()
        short = self.random.random() < 0.5  # one sentence, or as many as fit
        if kind == 'one':
            return [self.sentence(i)[: room + 1] if short else self.run(i, end, room + 1)[0]], -100
        if kind in ('copy', 'shares', 'pronoun') or short:
            a, after = self.sentence(i)[: room // 2], i + 1
        else:
            a, after = self.run(i, end, int(self.random.integers(room // 4, 3 * room // 4)))
        most = room - len(a)
        if kind == 'copy':
            return [a, self.copy(a)[:most]], -100
        if kind == 'shares':
            near = [j for j in range(max(i - 8, 0), min(i + 9, end)) if j != i]
            if near:
                worth = [self.rare[np.intersect1d(a % INSIDE, self.ids(j))].sum() for j in near]
                return [a, self.sentence(near[int(np.argmax(worth))])[:most]], -100
        if kind == 'pronoun':
            for j in range(i, min(i + 30, end - 1)):
                if np.isin(self.ids(j + 1), self.pronouns).any():
                    a = self.sentence(j)[: room // 2]
                    return [a, self.sentence(j + 1)[: room - len(a)]], 0
        if kind == 'other' or after >= end:
            i, end = self.place()
            b, label = (self.sentence(i)[:most] if short else self.run(i, end, most)[0]), 1
        else:
            b, label = (self.sentence(after)[:most] if short else self.run(after, end, most)[0]), 0
        return [a, b], label

    def copy(self, a):
        """A again, with one tenth of its tokens left out and, half of the time, turned at some place."""
        kept = a[self.random.random(len(a)) >= 0.1]
        if self.random.random() < 0.5 and len(kept) > 3:
            kept = np.roll(kept, int(self.random.integers(1, len(kept))))
        return kept

    def batch(self, count):
        """ids, types [count, length] int64 (0 where nothing is), used [count, length] bool, labels [count], inside [count, length] bool"""
        ids = np.zeros((count, self.length), np.int64)
        types = np.zeros_like(ids)
        used = np.zeros(ids.shape, bool)
        labels = np.full(count, -100, np.int64)
        for row in range(count):
            parts, labels[row] = self.sequence()
            at = 1
            ids[row, 0] = self.cls
            for number, part in enumerate(parts):
                ids[row, at : at + len(part)] = part
                ids[row, at + len(part)] = self.sep
                types[row, at : at + len(part) + 1] = number
                at += len(part) + 1
            used[row, :at] = True
        return ids % INSIDE, types, used, labels, ids >= INSIDE


class Stream:
    """Stretches of `length` tokens of the running text, for a model that reads from left to right. A document begins after `end`.
    In the share `repeats` of the stretches a part is said again at some distance, so that there is something to look up."""

    def __init__(self, folder, length, end, seed, repeats=0.0):
        folder = Path(folder)
        self.tokens = np.load(folder / 'tokens.npy', mmap_mode='r')
        sentences, documents = np.load(folder / 'sentences.npy'), np.load(folder / 'documents.npy')
        self.starts = sentences[documents]
        self.length, self.end, self.repeats = length, end, repeats
        self.random = np.random.default_rng(seed)

    def batch(self, count):
        ids = np.empty((count, self.length), np.int64)
        for row in range(count):
            j = int(self.random.integers(len(self.tokens) - self.length))
            if self.random.random() < 0.3:  # from the beginning of a document on
                j = int(self.starts[self.random.integers(len(self.starts) - 1)])
            part = self.tokens[j : j + self.length - 1]
            ids[row] = self.end
            ids[row, 1 : 1 + len(part)] = self.again(part) if self.random.random() < self.repeats else part
        return ids, np.zeros_like(ids), np.ones(ids.shape, bool), np.full(count, -100, np.int64), np.zeros(ids.shape, bool)

    def again(self, part):
        """`part` with 8 tokens to half of it said again, as far behind their first place as they are long or farther."""
        size = int(self.random.integers(8, len(part) // 2))
        first = int(self.random.integers(len(part) - 2 * size + 1))
        second = int(self.random.integers(first + size, len(part) - size + 1))
        repeated = part.copy()
        repeated[second : second + size] = part[first : first + size]
        return repeated


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('command', choices=['prepare', 'vocab', 'cut', 'bpe', 'join'])
    parser.add_argument('text', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--vocab', type=Path)
    parser.add_argument('--size', type=int, default=8192)
    parser.add_argument('--least', type=int, default=1)
    parser.add_argument('--words', action='store_true')
    parser.add_argument('--more', type=Path)
    parser.add_argument('--times', type=int, default=1)
    given = parser.parse_args()
    if given.command == 'prepare':
        if not given.vocab:
            parser.error('prepare takes --vocab: a vocab.txt, or a folder with a tokenizer')
        prepare(given.text, given.out, given.vocab, given.words)
    elif given.command == 'join':
        if not given.more:
            parser.error('join takes --more: another prepared text')
        join(given.text, given.out, given.more, given.times)
    elif given.command == 'cut':
        cut(given.text, given.out, given.size, given.least)
    else:
        {'vocab': train_vocab, 'bpe': train_bpe}[given.command](given.text, given.out, given.size)


if __name__ == '__main__':
    main()

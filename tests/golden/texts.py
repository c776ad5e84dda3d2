"""The small vocabularies, the tokenizers made of them by transformers' own classes, and the inputs of every model.

Vocabularies are written down or counted here, not trained by a library: the same bytes on every machine.
"""
import math
import zlib

import numpy as np
import transformers as hf
from tokenizers import AddedToken, processors

SENTENCES = ("The cat sat on the mat.", "The girl ran to a local pub.", "She wanted to escape the noise!")
CORPUS = " ".join(SENTENCES) + """ The dog ran after the cat because it was happy. She bought fresh strawberries
at the store, and then she went home. It's not what they wanted; he'd rather read the paper. Two birds sat in the
old tree and sang to the red sun while the water ran by."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = """the a to of and in on at it was he she they not with for cat dog girl bird store pub noise old red sat ran went saw
bought want escape happy local fresh straw ##berries mat man her time who what two ##ing ##ed ##s ##er ##ly un""".split()


# ---------------------------------------------------------------- vocabularies

def wordpieces(specials):
    return list(dict.fromkeys([*specials, *"!\"'(),-.:;?0123456789", *LETTERS, *("##" + c for c in LETTERS), *WORDS,
                               *"我猫人", "##人", "é", "##é", "ß"]))


def bytes_of_gpt2():
    """The printable stand-ins of the 256 bytes: printable ones stand for themselves, the others follow from U+0100."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in plain]
    return {**{b: chr(b) for b in plain}, **{b: chr(256 + i) for i, b in enumerate(rest)}}


def merges_of(words, count):
    """Byte pair encoding: the most frequent pair of neighbours is joined, the first in the alphabet among equals."""
    merges, words = [], [list(w) for w in words]
    while len(merges) < count:
        pairs = {}
        for w in words:
            for pair in zip(w, w[1:]):
                pairs[pair] = pairs.get(pair, 0) + 1
        best = min(pairs, key=lambda p: (-pairs[p], p))
        merges.append(best)
        words = [joined(w, best) for w in words]
    return merges


def joined(word, pair):
    out, i = [], 0
    while i < len(word):
        both = tuple(word[i:i + 2]) == pair
        out.append("".join(pair) if both else word[i])
        i += 2 if both else 1
    return out


def byte_pieces(before, after=(), merges=90):
    """Vocabulary and merges of a byte-level BPE. A word keeps the space before it, as Ġ."""
    table = bytes_of_gpt2()
    words = ["".join(table[b] for b in (" " + w).encode()) for w in CORPUS.split()]
    rules = merges_of(words, merges)
    pieces = list(dict.fromkeys([*before, *table.values(), *("".join(r) for r in rules), *after]))
    return {piece: i for i, piece in enumerate(pieces)}, rules


def llama_pieces():
    """SentencePiece's BPE with bytes to fall back on, as Llama 2 has it."""
    words = ["▁" + w for w in CORPUS.split()]
    rules = merges_of(words, 50)
    characters = sorted(set("".join(words)))
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256)), *("".join(r) for r in rules), *characters]
    return {piece: i for i, piece in enumerate(dict.fromkeys(pieces))}, rules


def unigram_pieces(specials, lower):
    """Words, their first letters and all letters, with the logarithm of how often each occurs."""
    text = CORPUS.lower() if lower else CORPUS
    counts = {}
    for word in text.split():
        for end in (len(word), max(2, len(word) // 2)):
            piece = "▁" + word[:end]
            counts[piece] = counts.get(piece, 0) + 2
        for c in ["▁", *word]:
            counts[c] = counts.get(c, 0) + 1
    for c in LETTERS + LETTERS.upper() * (not lower):
        counts.setdefault(c, 1)
    total = sum(counts.values())
    pieces = sorted(counts, key=lambda p: (-counts[p], p))
    return [(s, 0.0) for s in specials] + [(p, round(math.log(counts[p] / total), 4)) for p in pieces]


# ---------------------------------------------------------------- tokenizers

MASK = AddedToken("<mask>", lstrip=True, special=True)  # takes the space before it
BERT_SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def numbered(pieces):
    return {piece: i for i, piece in enumerate(pieces)}


def wordpiece_tokenizer(cls):
    return cls(vocab=numbered(wordpieces(BERT_SPECIALS)))


def roberta_tokenizer():
    vocab, merges = byte_pieces(("<s>", "<pad>", "</s>", "<unk>"), ("<mask>",))
    return hf.RobertaTokenizer(vocab=vocab, merges=merges, mask_token=MASK)


def xlm_roberta_tokenizer():
    vocab = unigram_pieces(("<s>", "<pad>", "</s>", "<unk>"), False) + [("<mask>", 0.0)]
    return hf.XLMRobertaTokenizer(vocab=vocab, mask_token=MASK)


def gpt2_tokenizer(cls=hf.GPT2Tokenizer):
    vocab, merges = byte_pieces((), ("<|endoftext|>",))
    return cls(vocab=vocab, merges=merges)


def modernbert_tokenizer():
    """GPT-2's pieces, BERT's names of special tokens, and a mask that takes the space before it."""
    vocab, merges = byte_pieces(("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"))
    made = hf.GPT2Tokenizer(vocab=vocab, merges=merges, unk_token="[UNK]", bos_token="[CLS]", eos_token="[SEP]")
    inner = made.backend_tokenizer
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(s, vocab[s]) for s in ("[CLS]", "[SEP]")])
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]",
        mask_token=AddedToken("[MASK]", lstrip=True, special=True))


TOKENIZERS = {
    "bert": lambda: wordpiece_tokenizer(hf.BertTokenizer),
    "distilbert": lambda: wordpiece_tokenizer(hf.DistilBertTokenizer),
    "electra": lambda: wordpiece_tokenizer(hf.ElectraTokenizer),
    "mpnet": lambda: hf.MPNetTokenizer(vocab=numbered(wordpieces(("<s>", "<pad>", "</s>", "[UNK]", "<mask>")))),
    "roberta": roberta_tokenizer,
    "xlm-roberta": xlm_roberta_tokenizer,
    "camembert": xlm_roberta_tokenizer,
    "albert": lambda: hf.AlbertTokenizer(
        vocab=unigram_pieces(("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"), True),
        mask_token=AddedToken("[MASK]", lstrip=True, special=True)),
    "gpt2": gpt2_tokenizer,
    "llama": lambda: hf.LlamaTokenizer(**dict(zip(("vocab", "merges"), llama_pieces())), add_bos_token=True),
    "mistral": lambda: TOKENIZERS["llama"](),
    "gpt_neox": lambda: gpt2_tokenizer(hf.GPTNeoXTokenizer),
    "qwen2": lambda: gpt2_tokenizer(hf.Qwen2Tokenizer),
    "qwen3": lambda: gpt2_tokenizer(hf.Qwen2Tokenizer),
    "modernbert": modernbert_tokenizer,
}


# ---------------------------------------------------------------- inputs

def encoded(tokenizer, name, *texts):
    made = tokenizer.backend_tokenizer.encode(*texts)
    return {"name": name, "texts": list(texts), "input_ids": made.ids, "token_type_ids": made.type_ids}


def long_input(tokenizer, length, seed):
    """Random pieces between the special tokens of a pair, if there are any."""
    rng = np.random.RandomState(zlib.crc32(f"{seed}/long".encode()))
    pair = tokenizer.backend_tokenizer.encode("a", "b")
    special = [i for i, s in zip(pair.ids, pair.special_tokens_mask) if s]
    first, last = (special[:1], special[-1:]) if pair.special_tokens_mask[0] else ([], [])
    middle = special[1:-1]
    low = max([*tokenizer.all_special_ids, 6]) if first and max(tokenizer.all_special_ids) < 20 else 6
    high = min([i for i in tokenizer.all_special_ids if i > low] or [len(tokenizer)])
    ids = rng.randint(low + 1, high, size=length).tolist()
    cut = length * 3 // 5
    ids[:len(first)], ids[cut:cut + len(middle)] = first, middle
    ids[len(ids) - len(last):] = last
    if tokenizer.mask_token_id is not None:
        ids[5] = tokenizer.mask_token_id
    types = [int(i >= cut + len(middle)) for i in range(length)] if pair.type_ids[-1] else [0] * length
    return {"name": "long", "input_ids": ids, "token_type_ids": types}


def inputs(tokenizer, config, length, seed, causal):
    """The three inputs that every model has, and those of a few."""
    first, second = SENTENCES[1:]
    masked = SENTENCES[0] if tokenizer.mask_token is None else f"The cat sat on the {tokenizer.mask_token}."
    cases = [encoded(tokenizer, "single", masked),
             encoded(tokenizer, "pair", first + " " + second) if causal else encoded(tokenizer, "pair", first, second),
             long_input(tokenizer, length, seed)]
    types = getattr(config, "type_vocab_size", 0) if config.model_type not in ("mpnet", "distilbert") else 0
    for case in cases:
        if types < 2:
            case["token_type_ids"] = [0] * len(case["input_ids"]) if types else None
    if types > 2:
        pair = cases[1]
        count = len(pair["input_ids"])
        cases.append({**pair, "name": "types", "token_type_ids": [i * types // count for i in range(count)]})
    if config.model_type in ("roberta", "mpnet"):
        ids, pad = cases[0]["input_ids"], tokenizer.pad_token_id
        inside = ids[:4] + [pad] + ids[4:6] + [pad, pad] + ids[6:]
        cases.append({"name": "pad-inside", "input_ids": inside, "token_type_ids": [0] * len(inside) if types else None})
    return cases

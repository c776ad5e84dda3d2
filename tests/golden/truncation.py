"""What the Rust library keeps of two texts that are too long together: ids of pairs at several lengths.

    build/out/golden/bin/python tests/golden/truncation.py >tests/golden/truncation.json

The npm package `tokenizers`, with which tests/js compares everything else, ends at 0.23.2, which gives the odd token to the second
text where both were cut while they were read; the versions before it and 0.23.3 (requirements.txt) give it to the longer one.
"""
import json
import random

import tokenizers
from tokenizers import Tokenizer

WORDS = ["a", "b", "aba", "[MASK]", "ab" * 20]  # of 1, 1, 3, 1 and 40 tokens
PIECES = ["[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]", "a", "b", "##a", "##b"]


def around(kind):
    fields = {"sep": ["[SEP]", 2], "cls": ["[CLS]", 1]}
    if kind == "RobertaProcessing":
        fields |= {"trim_offsets": True, "add_prefix_space": False}
    return {"type": kind, **fields}


def whole(kind):
    added = [{"id": i, "content": PIECES[i], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
              "special": True} for i in range(5)]
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
             "vocab": {piece: i for i, piece in enumerate(PIECES)}}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
            "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": around(kind), "decoder": None, "model": model}


def some(rng):
    return " ".join(rng.choices(WORDS, [8, 4, 3, 1, 1], k=rng.randrange(14)))


def main():
    rng = random.Random(7)
    pairs = [[" ".join("a" * a), " ".join("b" * b)] for a in range(9) for b in range(9)]
    pairs += [[some(rng), some(rng)] for _ in range(100)]
    cases = []
    for kind in ["BertProcessing", "RobertaProcessing"]:
        file = whole(kind)
        tokenizer = Tokenizer.from_str(json.dumps(file))
        for most in [5, 6, 7, 10, 13]:
            tokenizer.enable_truncation(most, strategy="longest_first")
            ids = ["".join(map(str, tokenizer.encode(*pair).ids)) for pair in pairs]
            cases.append({"file": kind, "most": most, "ids": ids})
    files = {kind: whole(kind) for kind in ["BertProcessing", "RobertaProcessing"]}
    print(json.dumps({"tokenizers": tokenizers.__version__, "files": files, "pairs": pairs, "cases": cases},
                     separators=(",", ":")))


main()

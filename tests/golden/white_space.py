"""What the Rust library makes of added tokens of white space that take white space along, with all flags.

    build/out/golden/bin/python tests/golden/white_space.py >tests/golden/white_space.json

Recorded, not asked for by the test: a match that would end before it begins makes the library panic, which ends a Node.js
process. Such texts have null for their ids.
"""
import itertools
import json
import random

import tokenizers
from tokenizers import Tokenizer

CONTENTS = ["A", "  ", " ", "x "]
FLAGS = ["lstrip", "rstrip", "single_word"]


def whole(flags, normalized):
    added = [{"id": 1 + i, "content": c, **dict(zip(FLAGS, f)), "normalized": normalized, "special": False}
             for i, (c, f) in enumerate(zip(CONTENTS, flags))]
    vocab = {piece: i for i, piece in enumerate(["[UNK]", *CONTENTS])}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
             "vocab": vocab}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
            "pre_tokenizer": None, "post_processor": None, "decoder": None, "model": model}


def ids_of(tokenizer, text):
    try:
        return "".join(map(str, tokenizer.encode(text).ids))
    except BaseException as e:
        assert type(e).__name__ == "PanicException", e
        return None


def main():
    rng = random.Random(5)
    texts = ["    ", "A  ", "A    ", "   A  ", "A  x", "x   A"]
    texts += ["".join(rng.choices(["A", " ", "  ", "x", "\t", "y"], k=rng.randrange(8))) for _ in range(40)]
    sets = [list(rng.choices(list(itertools.product([False, True], repeat=3)), k=len(CONTENTS))) for _ in range(60)]
    sets.append([(True, True, False)] * 4)
    cases = []
    for flags in sets:
        for normalized in [False, True]:
            file = whole(flags, normalized)
            tokenizer = Tokenizer.from_str(json.dumps(file))
            cases.append({"added": file["added_tokens"], "ids": [ids_of(tokenizer, text) for text in texts]})
    file = whole(sets[0], False)
    for case in cases:
        case["added"] = ["".join(str(int(t[f])) for f in [*FLAGS, "normalized"]) for t in case["added"]]
    print(json.dumps({"tokenizers": tokenizers.__version__, "file": file, "flags": [*FLAGS, "normalized"], "texts": texts,
                      "cases": cases}, separators=(",", ":")))


main()

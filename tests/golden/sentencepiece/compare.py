"""T5's and Marian's files at full length: files that the sentencepiece package trains here, and every token that our tokenizer makes
otherwise than AutoTokenizer of transformers 5, on real text, every scalar value below U+32000 and random texts.

    python3 tests/golden/sentencepiece/compare.py SHARED [LINES]

SHARED holds corpus/en.txt.xz, corpus/zh.txt.xz and data/text/udhr2.zip; LINES of each corpus are read (4000). Needs what two.py needs, and
`make build/out/native/tokenize_driver`. Says how many tokens there were; ends with 1 where one differs.
"""

import json
import lzma
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.simplefilter("ignore")

import sentencepiece
from transformers import AutoTokenizer

DRIVER = pathlib.Path(__file__).parent.parent.parent.parent / "build/out/native/tokenize_driver"
T5 = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
MARKED = {"user_defined_symbols": ["@@", "<sep>"], "control_symbols": ["<ctl>"]}
PARTS = ["the", "of", "a", " ", "  ", "\u00a0", "\u3000", "\u2581", "\n", "\t", "\u0301", "\ufb01", "\u00ad", "\u4e2d", "\U0001f600", "\u200b", "\ufeff",
         "</s>", "<unk>", "<pad>", ">>fra<<", ">>", "<<", "<extra_id_0>", "<extra_id_99>", "@@", "<sep>", "<ctl>", "\u1100", "\u1161", "\ufdfa", "\u00bd"]


def lines_of(path, count, skip=0):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = (line.strip("\n") for line in file)
        some = (line[:1000] for line in lines if line.strip())
        return [line for _, line in zip(range(skip + count), some)][skip:]


def made_texts():
    drawn = random.Random(3)
    scalars = [chr(c) for c in range(1, 0x32000) if not 0xD800 <= c <= 0xDFFF]
    texts = [" ".join(f"{c} a{c}b" for c in scalars[i : i + 300]) for i in range(0, len(scalars), 300)]
    texts += ["".join(drawn.choice(PARTS) for _ in range(drawn.randrange(1, 9))) for _ in range(6000)]
    return texts + ["".join(drawn.choice(scalars[:0x3100] + [" "] * 4000) for _ in range(drawn.randrange(1, 12))) for _ in range(4000)]


def udhr(path):
    with zipfile.ZipFile(path) as all_:
        names = [name for name in all_.namelist() if name.endswith(".txt")]
        return [line for name in names for line in all_.read(name).decode("utf-8", "replace").split("\n") if line.strip()]


def ours(file, config, texts):
    records = b"".join(struct.pack("<ii", len(text.encode()), -1) + text.encode() for text in texts)
    out = subprocess.run([DRIVER, file, config, str(1 << 30)], input=records, stdout=subprocess.PIPE, check=True).stdout
    ids, at = [], 0
    for _ in texts:
        count = struct.unpack_from("<i", out, at)[0]
        ids.append([row[0] for row in struct.iter_unpack("<6i", out[at + 12 : at + 12 + 24 * count])])
        at += 12 + 24 * count
    return ids


def compare(name, expected, found, texts):
    wrong = [(text, a, b) for text, a, b in zip(texts, expected, found, strict=True) if a != b]
    print(f"{name}: {sum(map(len, expected))} tokens of {len(texts)} texts, {len(wrong)} texts otherwise", *wrong[:2], flush=True)
    return bool(wrong)


def train(folder, name, lines, **options):
    (folder / "lines.txt").write_text("\n".join(lines), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(input=str(folder / "lines.txt"), model_prefix=str(folder / name), minloglevel=2, **options)
    return folder / f"{name}.model"


def folder_of(place, files, config):
    place.mkdir()
    for name, content in files.items():
        (place / name).write_bytes(content)
    (place / "tokenizer_config.json").write_text(json.dumps(config))
    return place, AutoTokenizer.from_pretrained(place)


def vocabulary(*models):
    """Most pieces of both files, in any order, two codes and a word that neither has."""
    pieces = set()
    for model in models:
        one = sentencepiece.SentencePieceProcessor(model_file=str(model))
        pieces |= {one.id_to_piece(i) for i in range(3, one.vocab_size())}
    drawn = random.Random(1)
    pieces = [piece for piece in sorted(pieces) if drawn.random() > 0.02]
    drawn.shuffle(pieces)
    words = dict.fromkeys(["</s>", "<unk>", ">>fra<<", ">>deu<<", *pieces, "\u4e2d\u6587", "<pad>"])
    return json.dumps({word: i for i, word in enumerate(words)}).encode()


def main():
    shared, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    english, chinese = (shared / f"corpus/{name}.txt.xz" for name in ("en", "zh"))
    en, zh = lines_of(english, 2 * count), lines_of(chinese, count // 2)
    texts = made_texts() + udhr(shared / "data/text/udhr2.zip") + lines_of(english, count, 2 * count) + lines_of(chinese, count // 4, count // 2)
    wrong = False
    with tempfile.TemporaryDirectory() as place:
        top = pathlib.Path(place)
        nfkc = {"vocab_size": 4000, "character_coverage": 0.999}
        rows = [("nfkc", en, nfkc, {}), ("cf", en, {"vocab_size": 1000, "normalization_rule_name": "nmt_nfkc_cf", **MARKED}, {}),
                ("identity", zh, {"vocab_size": 4000, "normalization_rule_name": "identity", "byte_fallback": True, "character_coverage": 0.98},
                 {"extra_ids": 0, "additional_special_tokens": None})]
        for name, lines, options, config in rows:
            model = train(top, f"t5_{name}", lines, **T5, **options)
            at, theirs = folder_of(top / name, {"spiece.model": model.read_bytes()}, {"tokenizer_class": "T5Tokenizer", **config})
            wrong |= compare(f"T5, {name}", theirs(texts)["input_ids"], ours(at / "spiece.model", at / "tokenizer_config.json", texts), texts)
        files = [train(top, "a", en, **nfkc), train(top, "b", zh, vocab_size=4000, normalization_rule_name="identity", character_coverage=0.98),
                 train(top, "c", en, vocab_size=1000, normalization_rule_name="nmt_nfkc_cf"),
                 train(top, "d", zh + en[: count // 2], vocab_size=3000, split_by_whitespace=False, character_coverage=0.98),
                 train(top, "e", en, vocab_size=800, add_dummy_prefix=False, remove_extra_whitespaces=False, normalization_rule_name="nfkc")]
        for i, (source, target) in enumerate([files[:2], files[2:4], (files[4], files[0])]):
            given = {"source.spm": source.read_bytes(), "target.spm": target.read_bytes(), "vocab.json": vocabulary(source, target)}
            at, theirs = folder_of(top / f"marian{i}", given, {"tokenizer_class": "MarianTokenizer"})
            for side, ids in (("source", theirs(texts)), ("target", theirs(text_target=texts))):
                found = ours(at / f"{side}.spm", at / "tokenizer_config.json", texts)
                wrong |= compare(f"Marian {i}, {side}", ids["input_ids"], found, texts)
    sys.exit(wrong)


main()

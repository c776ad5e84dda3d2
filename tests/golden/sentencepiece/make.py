"""Three small files of SentencePiece and the ids that AutoTokenizer of transformers 5 gives beside a tokenizer_config.json,
for tests/js/tokenizer_pieces.test.mjs.

    python3 tests/golden/sentencepiece/make.py TEXTS.txt

trains them anew on TEXTS.txt (English, a text a line; the first 20,000 lines count) and writes unigram.model, bytes.model,
albert.model and ids.json beside this file. Needs the PyPI packages transformers (5.23.0) and sentencepiece (0.2.3).
<mask> is said to take the space before it along, as version 4 has it without being told (docs/exactness.md).
"""

import json
import os
import pathlib
import random
import shutil
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"

import sentencepiece
from transformers import AutoTokenizer

HERE = pathlib.Path(__file__).parent
# a normaliser's table in small: lower case, a ligature, a sign, spaces, a composed letter
RULES = "41\t61\n42\t62\nFB01\t66 69\n2126\t3C9\nA0\t20\n3000\t20\n65 301\tE9\nAD\t20\n"
BYTES = {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity", "vocab_size": 700,
         "remove_extra_whitespaces": False, "user_defined_symbols": ["@@"], "control_symbols": ["<ctl>"]}
ODD = [
    "", " ", "  ", "\t", "\n", "a  b", "  a b  ", "a\u00a0b", "a\u3000b", "\u2003x", "\u2581a\u2581\u2581b", "\u2581", "a \u2581 b",
    "e\u0301", "cafe\u0301 caf\u00e9", "\ufb01nd", "\u2126hm", "so\u00adft", "\U0001f600", "a\U0001f468\u200d\U0001f469\u200d\U0001f467b",
    "\u4e2d\u6587 text", "\u0e01\u0e33", "\u0000x", "a\u0000b", "\ufeffBOM", "<s>", "</s>", "<unk>", "<pad>", "<mask>", "a <mask> b",
    "[MASK]", "a [MASK] b", "[CLS] x [SEP]", "<ctl>", "a<ctl>b", "<sep>", "a<sep>b", "a <sep> b", "@@", "a@@b", "the@@ the",
    "<0x41>", "<0x0A>", "``quoted''", "1,000 2,5 3,", "ABBA Bab", "AB", "don't", "word\nnext", "word\n\nnext", "word\r\nnext",
    "  <s>  the", "the<s> the", "\u01c5\u0130\u1e9e", "\ud55c\uae00", "\u1112\u1161\u11ab", "\u0915\u094d\u0937", "a" * 300, "the " * 60,
    "\u00e9" * 40, "\U0001f600" * 9, "x\u0301" * 9, "!?.,;:-_", "\u200b\u200d", "tab\ttab", "<sep><sep>@@@@", "\u2028\u2029", "<s", "<<s>>",
]


def train(folder, lines, name, **options):
    path = folder / "lines.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    options = {"vocab_size": 500, "character_coverage": 0.99, "minloglevel": 2, **options}
    sentencepiece.SentencePieceTrainer.train(input=str(path), model_prefix=str(HERE / name), **options)
    (HERE / f"{name}.vocab").unlink()


def texts(lines):
    drawn = random.Random(7)
    out = list(ODD)
    out += [drawn.choice(lines)[: drawn.randrange(20, 100)] for _ in range(50)]
    parts = [*ODD[1:], "the", "of", " ", "  ", "in", "zz", "Q"]
    return out + ["".join(drawn.choice(parts)[:20] for _ in range(drawn.randrange(2, 7))) for _ in range(80)]


def mask(content):
    flags = {"lstrip": True, "rstrip": False, "normalized": False, "single_word": False, "special": True}
    return {"mask_token": {"__type": "AddedToken", "content": content, **flags}}


def load(folder, model, name, config):
    place = pathlib.Path(tempfile.mkdtemp(dir=folder))
    shutil.copy(HERE / model, place / name)
    (place / "tokenizer_config.json").write_text(json.dumps(config))
    return AutoTokenizer.from_pretrained(place)


def rows():
    xlm, albert = {"tokenizer_class": "XLMRobertaTokenizer", **mask("<mask>")}, {"tokenizer_class": "AlbertTokenizer", **mask("[MASK]")}
    llama = {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True}
    yield "unigram.model", "sentencepiece.bpe.model", xlm
    yield "unigram.model", "sentencepiece.bpe.model", {**xlm, "add_prefix_space": False}
    yield "unigram.model", "sentencepiece.bpe.model", {"tokenizer_class": "CamembertTokenizer"}
    yield "albert.model", "spiece.model", albert
    yield "albert.model", "spiece.model", {**albert, "do_lower_case": False, "keep_accents": True}
    yield "bytes.model", "tokenizer.model", llama
    yield "bytes.model", "tokenizer.model", {**llama, "legacy": True, "add_eos_token": True}
    yield "bytes.model", "tokenizer.model", {**llama, "add_prefix_space": False}


def main(source):
    lines = [line.strip()[:500] for line in source.read_text(encoding="utf-8").split("\n")[:20000] if line.strip()]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "rules.tsv").write_text(RULES)
        table = {"model_type": "unigram", "normalization_rule_tsv": str(folder / "rules.tsv")}
        train(folder, lines, "unigram", **table, user_defined_symbols=["<sep>", "@@"], control_symbols=["<ctl>"])
        train(folder, lines, "albert", **table, pad_id=0, unk_id=1, bos_id=-1, eos_id=-1,
              control_symbols=["[CLS]", "[SEP]", "[MASK]"])
        train(folder, lines, "bytes", **BYTES)
        all_texts, out = texts(lines), []
        for model, name, config in rows():
            tokenizer = load(folder, model, name, config)
            ids, pairs = tokenizer(all_texts)["input_ids"], tokenizer(all_texts[:20], all_texts[20:40])["input_ids"]
            out.append({"model": model, "config": config, "ids": ids, "pairs": pairs})
    (HERE / "ids.json").write_text(json.dumps({"texts": all_texts, "rows": out}, separators=(",", ":")) + "\n")


main(pathlib.Path(sys.argv[1]))

"""Small files of T5 and Marian, and the ids that AutoTokenizer of transformers 5 gives, for tests/js/tokenizer_pieces.test.mjs.

    python3 tests/golden/sentencepiece/two.py

trains them anew on the texts of corpora/ and writes t5.model, marian/source.spm, marian/target.spm, marian/vocab.json and
ids_two.json beside this file. Needs the PyPI packages transformers (5.23.0), sentencepiece (0.2.3) and protobuf.
"""

import contextlib
import json
import os
import pathlib
import random
import shutil
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.simplefilter("ignore")

import sentencepiece
from transformers import AutoTokenizer

HERE = pathlib.Path(__file__).parent
CORPORA = HERE.parent.parent.parent / "corpora"
# a normaliser's table in small: lower case, ligatures, spaces, a letter and its accent, what goes, a rule that begins as another
RULES = "41\t61\n42\t62\nFB01\t66 69\nA0\t20\n3000\t20\n9\t20\nA\t20\n65 301\tE9\n65 301 301\tEA\nAD\t\n2126\t20 3C9\n2581\t20\n63 301\t62\n63 301 301\t64 65\n"
ODD = [
    "", " ", "  ", "\t", "\n", "a  b", "  a b  ", "a\u00a0b", "a\u3000\u3000b", "\u2003x", "\u2581a\u2581\u2581b", "\u2581", "a \u2581 b",
    "e\u0301", "cafe\u0301 caf\u00e9", "e\u0301\u0301e\u0301", "\ufb01nd", "\u2126hm \u2126", "so\u00adft", "\u00ad", " \u00ad a", "\U0001f600",
    "\u4e2d\u6587", "\u4e2d\u6587 text", "a\u4e2d\u4e2db", "\u0000x", "a\u0000b", "\ufeffBOM", "</s>", "a</s>b", "<unk>", "x<unk> y", "<pad>",
    "<s>", ">>fra<< the", ">>fra<<the", ">>xxx<< the", "the >>fra<< the", ">>fra", ">><< a", "</s>>>fra<<a", "<extra_id_0>", "a <extra_id_7> b",
    "<extra_id_99>of<extra_id_3>", "<extra_id_100>", "<ctl>", "a<ctl>b", "@@", "a@@b", "the@@ the", "<new>", "a<new> b", "ABBA", "\ud55c\uae00",
    "\u0915\u094d\u0937", "x\u0301" * 9, "c\u0301 c\u0301\u0301 c\u0301\u0301\u0301", "the " * 40, "a" * 200, "\u200b\u200d", "word\r\nnext", "\ufffd", "\u00e9t\u00e9",
]


def train(folder, lines, name, **options):
    (folder / "rules.tsv").write_text(RULES)
    (folder / "lines.txt").write_text("\n".join(lines), encoding="utf-8")
    options = {"vocab_size": 300, "character_coverage": 0.995, "minloglevel": 2, "hard_vocab_limit": False, **options}
    options.setdefault("normalization_rule_tsv", "rules.tsv")
    with contextlib.chdir(folder):  # the file says how its texts are called
        sentencepiece.SentencePieceTrainer.train(input="lines.txt", model_prefix=name, num_threads=1, **options)
    return folder / f"{name}.model"


def texts(lines):
    drawn = random.Random(5)
    out = ODD + [drawn.choice(lines)[: drawn.randrange(10, 90)] for _ in range(40)]
    parts = [*ODD[1:], "the", "of", " ", "  ", "zz", "Q"]
    return out + ["".join(drawn.choice(parts)[:20] for _ in range(drawn.randrange(2, 7))) for _ in range(120)]


def flags(content):
    return {"content": content, "lstrip": True, "rstrip": True, "normalized": False, "single_word": False, "special": True}


def settings(size):
    """What folders of T5 say: all, none, a few of the extra ids, others, and what each is."""
    name = {"tokenizer_class": "T5Tokenizer"}
    extra = [f"<extra_id_{i}>" for i in range(100)]
    yield name
    yield {**name, "extra_ids": 100, "additional_special_tokens": extra}
    yield {**name, "extra_ids": 0, "additional_special_tokens": None}
    yield {**name, "extra_ids": 8, "additional_special_tokens": ["<new>", "<extra_id_3>"]}
    yield {**name, "extra_ids": 8, "eos_token": "<pad>"}
    yield {**name, "added_tokens_decoder": {str(size + 99 - i): flags(extra[i]) for i in range(100)}}


def write_marian(folder, lines):
    """Of two languages that share some pieces; vocab.json lacks a few, and has one that no file has."""
    place = HERE / "marian"
    place.mkdir(exist_ok=True)
    shutil.copy(train(folder, lines[0], "source"), place / "source.spm")
    shutil.copy(train(folder, lines[1], "target", normalization_rule_name="identity", split_by_whitespace=False), place / "target.spm")
    pieces = set()
    for side in ("source", "target"):
        one = sentencepiece.SentencePieceProcessor(model_file=str(place / f"{side}.spm"))
        pieces |= {one.id_to_piece(i) for i in range(3, one.vocab_size())}
    pieces = sorted(pieces)
    random.Random(3).shuffle(pieces)
    words = ["</s>", "<unk>", ">>fra<<", *pieces[9:], "\u4e2d\u6587", "<pad>"]
    (place / "vocab.json").write_text(json.dumps({word: i for i, word in enumerate(words)}) + "\n")
    return place


def load(folder, config, *files, older=None):
    place = pathlib.Path(tempfile.mkdtemp(dir=folder))
    for file, name in files:
        shutil.copy(file, place / name)
    (place / "tokenizer_config.json").write_text(json.dumps(config))
    if older is not None:
        (place / "special_tokens_map.json").write_text(json.dumps(older))
    return AutoTokenizer.from_pretrained(place)


def lists(folder, t5, few):
    """Which lists of tokens count beside a SentencePiece file: both files, either name, a list, an object, null or none."""
    both = ("additional_special_tokens", "extra_special_tokens")
    ways = [{}, *({name: value} for name in both for value in (["<new>"], [], None)), {both[1]: {"x_token": "<new>"}}, {both[1]: {}},
            {both[1]: {"x_token": "<new>"}, both[0]: ["<n2>"]}, {both[1]: ["<new>"], both[0]: ["<n2>"]}, {both[1]: [], both[0]: ["<n2>"]}]
    maps = [None, *({name: value} for name in both for value in (["<n3>"], [], None)), {both[1]: {"y_token": "<n3>"}}]
    for way in ways:
        for older in maps:
            tokenizer = load(folder, {"tokenizer_class": "T5Tokenizer", "extra_ids": 4, **way}, (t5, "spiece.model"), older=older)
            yield {"config": way, "map": older, "ids": tokenizer(few)["input_ids"]}


def ids_of(tokenizer, given, pairs=True):
    both = tokenizer(given[:20], given[20:40])["input_ids"] if pairs else []
    return {"ids": tokenizer(given)["input_ids"], "pairs": both}


def main():
    lines = [line for line in (CORPORA / "texts.txt").read_text(encoding="utf-8").split("\n") if line.strip()]
    other = [line[9:] for line in (CORPORA / "sentences.conllu").read_text(encoding="utf-8").split("\n") if line.startswith("# text = ")]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        t5 = train(folder, other, "t5", pad_id=0, eos_id=1, unk_id=2, bos_id=-1, user_defined_symbols=["@@"], control_symbols=["<ctl>"])
        shutil.copy(t5, HERE / "t5.model")
        all_texts, rows = texts(other), []
        for config in settings(sentencepiece.SentencePieceProcessor(model_file=str(t5)).vocab_size()):
            tokenizer = load(folder, config, (t5, "spiece.model"))
            rows.append({"model": "t5.model", "config": config, **ids_of(tokenizer, all_texts)})
        # a list of other tokens takes the place of the pieces that the file marks, of every class (unigram.model is make.py's)
        config = {"tokenizer_class": "XLMRobertaTokenizer", "additional_special_tokens": ["<new>"],
                  "mask_token": {"__type": "AddedToken", **flags("<mask>"), "rstrip": False}}
        tokenizer = load(folder, config, (HERE / "unigram.model", "sentencepiece.bpe.model"))
        rows.append({"model": "unigram.model", "config": config, **ids_of(tokenizer, all_texts)})
        marian = write_marian(folder, (other, lines))
        names = ("source.spm", "target.spm", "vocab.json")
        config = {"tokenizer_class": "MarianTokenizer"}
        tokenizer = load(folder, config, *((marian / name, name) for name in names))
        rows.append({"model": "marian/source.spm", "config": config, **ids_of(tokenizer, all_texts)})
        target = {"ids": tokenizer(text_target=all_texts)["input_ids"], "pairs": []}
        rows.append({"model": "marian/target.spm", "config": config, **target})
        few = ["a<new>b", "a<n2>b", "a<n3>b", "a@@b", "a<ctl>b", "a<extra_id_1>b"]
        out = {"texts": all_texts, "rows": rows, "few": few, "lists": list(lists(folder, t5, few))}
    (HERE / "ids_two.json").write_text(json.dumps(out, separators=(",", ":")) + "\n")


main()

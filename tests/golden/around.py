"""What AutoTokenizer makes of a folder without tokenizer.json: vocab.txt, or vocab.json with merges.txt, and around them every
member that tokenizer_config.json, special_tokens_map.json and added_tokens.json can have, alone, with each other and at random.

    build/out/golden/bin/python tests/golden/around.py >tests/golden/around.json

A case has the contents of the files (config.json where it says more than the family), and ids of each text (and of the last two as a pair). Of what transformers cannot read
itself only a class that it refuses is kept, as null. Version 5 takes the space before RoBERTa's <mask> for a token, we as
version 4 do not (docs/exactness.md): no text has one there.
"""
import itertools
import json
import os
import random
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "critical"
import transformers  # noqa: E402

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<pad>", "<unk>", "<s>", "</s>", "<mask>", "hello", "<", ">", "[", "]",
         "e1", "x", "a", "[E1]", "##s", "\u00e9", "e", "w", "/", "mask", "##1", "HE"]
MARKS = [[33, 126], [161, 172], [174, 255]]
WORD_TEXTS = ["hello [E1] a[MASK]<s>w", "[e1]as [E2] [mask] HE \u00e9", "new NEW<mask>x [CLS] a</s>", "w", "a [E1]"]
BYTE_TEXTS = ["a ab[E1]<s>ab", "ab<mask>a [E2]<|endoftext|> ab", "new NEW</s>ab  a", " ab", "a", "ab a"]


def characters():
    """The characters that stand for bytes, as in GPT-2's vocab.json."""
    printed = [b for first, last in MARKS for b in range(first, last + 1)]
    others = [b for b in range(256) if b not in printed]
    return [chr(b) for b in printed] + [chr(256 + i) for i in range(len(others))]


PIECES = characters() + ["\u0120a", "ab", "\u0120ab", "<s>", "</s>", "<unk>", "<pad>", "<mask>", "[E1]"]
MERGES = "#version: 0.2\n\u0120 a\na b\n\u0120 ab\n"


def token(content, **flags):
    usual = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False, "special": True}
    return {"__type": "AddedToken", "content": content, **usual, **flags}


def plain(content, **flags):
    return {k: v for k, v in token(content, **flags).items() if k != "__type"}


def members(kind):
    """What tokenizer_config.json or special_tokens_map.json can say, one at a time."""
    word = kind in ("bert", "mpnet")
    named = [{f"{n}_token": c} for n, c in [("mask", "[E1]"), ("cls", "</s>"), ("sep", "<s>"), ("pad", "[E1]"), ("bos", "[E1]"),
                                            ("eos", "</s>"), ("image", "[E1]"), ("mask", None), ("pad", None)]]
    named.append({"unk_token": "<unk>"})
    lists = [{"additional_special_tokens": ["[E1]"]}, {"extra_special_tokens": ["[E1]", "[E2]"]},
             {"extra_special_tokens": {"image": "[E1]"}}, {"extra_special_tokens": []},
             {"additional_special_tokens": ["[E2]"], "extra_special_tokens": ["[E1]"]}]
    flags = [{"split_special_tokens": True}, {"add_prefix_space": True}, {"add_bos_token": True}, {"add_eos_token": True},
             {"add_bos_token": True, "bos_token": "</s>"}, {"trim_offsets": False}, {"do_lower_case": False},
             {"strip_accents": False}, {"tokenize_chinese_chars": False}]
    return named + lists + (flags if word else [f for f in flags if "strip_accents" not in f])


def objects(kind):
    """The same as objects with flags: (for tokenizer_config.json, for special_tokens_map.json)."""
    made = [("mask_token", "[E1]", {"lstrip": True}), ("mask_token", "[MASK]" if kind == "bert" else "<mask>", {"rstrip": True}),
            ("pad_token", "[E1]", {"normalized": True}), ("cls_token", "<s>", {"normalized": True}),
            ("eos_token", "[E1]", {"single_word": True})]
    return [({k: token(c, **f)}, {k: plain(c, **f)}) for k, c, f in made]


def arounds(kind, size):
    """added_tokens.json, or added_tokens_decoder of tokenizer_config.json."""
    pieces = WORDS if kind in ("bert", "mpnet") else PIECES
    old = pieces.index("[E1]")
    return [{}, {"added": {"[E1]": old}}, {"added": {"new": size, "[E2]": size + 1}}, {"added": {"<mask>": pieces.index("<mask>")}},
            {"decoder": {}}, {"decoder": {str(old): plain("[E1]", special=False, normalized=True)}},
            {"decoder": {str(size + 1): plain("[E2]"), str(size): {"content": "new"}, str(old): plain("[E1]", lstrip=True)}}]


def write(folder, files):
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    for name, content in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(content if isinstance(content, str) else json.dumps(content))


def vocabulary(kind):
    if kind in ("bert", "mpnet"):
        return {"vocab.txt": "\n".join(WORDS) + "\n"}
    return {"vocab.json": {piece: i for i, piece in enumerate(PIECES)}, "merges.txt": MERGES}


def config_of(kind):
    return {"model_type": kind, "vocab_size": 1000}


def ask(folder, kind, files):
    write(folder, {"config.json": config_of(kind), **vocabulary(kind), **files})
    texts = WORD_TEXTS if kind in ("bert", "mpnet") else BYTE_TEXTS
    try:
        t = transformers.AutoTokenizer.from_pretrained(folder)
        out = [t(text)["input_ids"] for text in texts] + [t(*texts[-2:])["input_ids"]]
    except Exception:
        return None
    return [" ".join(map(str, ids)) for ids in out]


def of(kind, config=None, settings=None, special=None, around=None):
    files = {"config.json": {**config_of(kind), **config}} if config else {}
    around = around or {}
    if settings is not None or "decoder" in around:
        files["tokenizer_config.json"] = dict(settings or {})
    if "decoder" in around:
        files["tokenizer_config.json"]["added_tokens_decoder"] = around["decoder"]
    if special is not None:
        files["special_tokens_map.json"] = special
    if "added" in around:
        files["added_tokens.json"] = around["added"]
    return files


def combinations(kind, rng):
    size = len(WORDS if kind in ("bert", "mpnet") else PIECES)
    said, flagged, more = members(kind), objects(kind), arounds(kind, size)
    for around in more:
        yield of(kind, around=around)
    for one, around in itertools.product(said, [more[0], *rng.sample(more[1:], 2)]):
        yield of(kind, settings=one, around=around)
        yield of(kind, special=one, around=around)
    for (setting, special), around in itertools.product(flagged, more[::2]):
        yield of(kind, settings=setting, around=around)
        yield of(kind, special=special, around=around)
    for _ in range(110):
        settings = dict(itertools.chain.from_iterable(m.items() for m in rng.sample(said + [f[0] for f in flagged], 3)))
        special = dict(itertools.chain.from_iterable(m.items() for m in rng.sample(said + [f[1] for f in flagged], rng.randrange(3))))
        yield of(kind, settings=settings, special=special or None, around=rng.choice(more))


CLASSES = ["BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer", "ElectraTokenizerFast", "MobileBertTokenizer",
           "ConvBertTokenizer", "MPNetTokenizer", "RobertaTokenizer", "BartTokenizerFast", "LongformerTokenizer", "GPT2TokenizerFast"]
REFUSED = ["PreTrainedTokenizerFast", "TokenizersBackend", "NoSuchTokenizer", "RetriBertTokenizer"]


def main():
    rng = random.Random(44)
    cases, outcomes = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in ["bert", "mpnet", "roberta", "gpt2"]:
            word = kind in ("bert", "mpnet")
            every = list(combinations(kind, rng))
            every += [of(kind, settings={"tokenizer_class": c}) for c in CLASSES if word == (CLASSES.index(c) < 7)]
            every += [of(kind, {"tokenizer_class": c}) for c in CLASSES if word == (CLASSES.index(c) < 7)]
            refused = [of(kind, settings={"tokenizer_class": c}) for c in REFUSED]
            for files in every + refused:
                ids = ask(folder, kind, files)
                if (ids is None) == (files in refused):
                    key = json.dumps(ids)
                    cases.append({"kind": kind, "files": files, "ids": outcomes.setdefault(key, len(outcomes))})
                elif files in refused:
                    sys.exit(f"transformers reads {files}")
        for kind in ["distilbert", "electra"]:
            files = of("bert", {"model_type": kind})
            ids = outcomes.setdefault(json.dumps(ask(folder, "bert", files)), len(outcomes))
            cases.append({"kind": "bert", "files": files, "ids": ids})
    print(json.dumps({"transformers": transformers.__version__, "words": vocabulary("bert"), "bytes": vocabulary("gpt2"),
                      "wordTexts": WORD_TEXTS, "byteTexts": BYTE_TEXTS, "outcomes": [json.loads(k) for k in outcomes],
                      "cases": cases}, separators=(",", ":"), ensure_ascii=False))


main()

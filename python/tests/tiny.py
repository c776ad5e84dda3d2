"""Tiny models with random weights and tokenizers made here, so that tests ask no hub for anything."""

from pathlib import Path

WORDS = "the cat sat on mat dog slept ##s ##ed a small red rug lay . , she sees elephant it was".split()


def bert(folder: Path, layers: int = 2, heads: int = 3):
    """A BERT and its tokenizer, saved below folder."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    torch.manual_seed(1)
    target = folder / "bert"
    target.mkdir(parents=True, exist_ok=True)
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    vocab = [*special.values(), *WORDS]
    made = Tokenizer(models.WordPiece({word: i for i, word in enumerate(vocab)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    made.decoder = decoders.WordPiece()
    PreTrainedTokenizerFast(tokenizer_object=made, **special).save_pretrained(target)
    config = BertConfig(
        vocab_size=len(vocab), hidden_size=8 * heads, num_hidden_layers=layers, num_attention_heads=heads,
        intermediate_size=32, max_position_embeddings=512, initializer_range=0.6,
    )
    BertModel(config).save_pretrained(target)
    return target


def _word_level(target: Path, special: dict):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    names = list(dict.fromkeys(special.values()))
    words = names + ["\u2581" + word for word in WORDS if not word.startswith("##")]
    made = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token=special["unk_token"]))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    if special.get("eos_token") and special["eos_token"] == "</s>":
        made.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", words.index("</s>"))])
    PreTrainedTokenizerFast(tokenizer_object=made, **special).save_pretrained(target)
    return len(words)


def t5(folder: Path):
    """An encoder with a decoder."""
    import torch
    from transformers import T5Config, T5Model

    torch.manual_seed(2)
    target = folder / "t5"
    target.mkdir(parents=True, exist_ok=True)
    size = _word_level(target, {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"})
    config = T5Config(vocab_size=size, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, initializer_factor=4.0, decoder_start_token_id=0)
    T5Model(config).save_pretrained(target)
    return target


def gpt2(folder: Path):
    """A causal model."""
    import torch
    from transformers import GPT2Config, GPT2Model

    torch.manual_seed(3)
    target = folder / "gpt2"
    target.mkdir(parents=True, exist_ok=True)
    size = _word_level(target, {"eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>"})
    config = GPT2Config(vocab_size=size, n_embd=16, n_layer=2, n_head=2, n_positions=64, initializer_range=0.5, bos_token_id=0, eos_token_id=0)
    GPT2Model(config).save_pretrained(target)
    return target


if __name__ == "__main__":
    import sys

    for make in (bert, t5, gpt2):
        print(make(Path(sys.argv[1])))

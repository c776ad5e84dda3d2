#!/usr/bin/env python3
"""seeds - writes the first inputs of the fuzz targets into build/out/fuzz/seeds/<target>/.

Small valid files and one of each feature; the fuzzer finds the invalid ones. `make fuzz` runs it.
"""
import json
import pathlib
import sys

OUT = pathlib.Path(sys.argv[1])


def put(target, name, data):
    folder = OUT / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


BERT = {"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_act": "gelu", "hidden_size": 48,
        "num_attention_heads": 4, "num_hidden_layers": 3, "intermediate_size": 96, "vocab_size": 200,
        "max_position_embeddings": 64, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
        "position_embedding_type": "absolute", "is_decoder": False, "id2label": {"0": "a", "1": "<b>"}}
WEIGHTS = {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "channel"}
QUANTISED = {"quant_method": "compressed-tensors", "format": "int-quantized",
             "config_groups": {"group_0": {"weights": WEIGHTS}}}
HEADER = {"__metadata__": {"format": "pt"}, "a": tensor("F32", [2, 2], 0, 16), "b": tensor("F16", [3], 16, 22),
          "empty": tensor("I8", [0, 3], 22, 22), "scalar": tensor("BF16", [], 22, 24), "c": tensor("I64", [1], 24, 32)}
INDEX = {"metadata": {"total_size": 8}, "weight_map": {"a": "m-1.safetensors", "b": "m-2.safetensors"}}

ASKED = {"intervention": "decides", "text": "a [MASK] b", "at": 2, "word": "c", "against": 7, "how": "removed",
         "parts": ["tokens", "heads", "mlps"], "names": {"model": "m"}, "precision": "fine"}
put("intervene", "decides", json.dumps(ASKED))
put("intervene", "own_text", json.dumps({"intervention": "decides"}))
put("intervene", "patch", json.dumps({"intervention": "patch", "text": "a [MASK] b", "from": ", . [MASK]", "word": "b", "against": "c"}))
put("intervene", "pair", json.dumps({"intervention": "patch", "text": "a [MASK] b", "from": "[MASK] c", "word": "b", "against": "c",
                                       "tokens": [1, 2]}))
put("intervene", "agree", json.dumps({"intervention": "agree", "text": "a b c a", "at": 2, "parts": ["tokens", "heads"]}))
put("intervene", "effect", json.dumps({"intervention": "effect", "text": "a [MASK] b", "top": 2, "measures": ["patterns", "even"],
                                         "changes": [["head", 1, 0], ["token", 1, 4], ["swap", 1, 3], ["no_positions"], ["mlp", 0]]}))
put("intervene", "why_off", json.dumps({"intervention": "why_off", "text": "a b c", "layer": 1, "head": 0, "query": 2, "key": 1}))
put("intervene", "edge", json.dumps({"intervention": "edge", "layer": 1, "head": 0, "into": ["k", "v"]}))
put("intervene", "edge_link", json.dumps({"intervention": "edge_link", "text": "a b c", "layer": 1, "head": 0, "query": 2, "key": 1}))
put("intervene", "effects", json.dumps({"intervention": "effect", "moved": True}))
put("intervene", "mean", json.dumps({"intervention": "decides", "by": "mean", "parts": ["heads", "mlps"]}))
put("intervene", "apart", json.dumps({"intervention": "effect", "changes": [["head", 1, 0], ["mlp", 0]], "apart": True, "by": "mean",
                                        "means": [["head", 1, 0, [1, 2, 3, 4]], ["mlp", 0, [0.5] * 8]]}))

BPE = {"type": "BPE", "vocab": {c: i for i, c in enumerate([*"abcĠ", "ab", "Ġa", "abc", "<unk>", "<s>", "<0x41>"])},
       "merges": ["a b", "ab c", ["Ġ", "a"]], "unk_token": "<unk>", "byte_fallback": True, "fuse_unk": True}
LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
LATER = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SPLIT = {"type": "Split", "pattern": {"Regex": LATER}, "behavior": "MergedWithNext", "invert": False}
TEXT = "\0a abc  'S 123 é\u0301\n <s>ab"
for i, part in enumerate([
        {"pre_tokenizer": LEVEL, "post_processor": LEVEL},
        {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, SPLIT, LEVEL]},
         "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "NFD"}, {"type": "StripAccents"},
                                                            {"type": "Lowercase"}]}},
        {"post_processor": {"type": "RobertaProcessing", "sep": ["<s>", 8], "cls": ["<s>", 8], "trim_offsets": True,
                            "add_prefix_space": False}},
        {"model": {**BPE, "byte_fallback": False, "continuing_subword_prefix": "b", "end_of_word_suffix": "c",
                   "ignore_merges": True, "merges": []}}]):
    put("tokenizer_json", f"bpe{i}", json.dumps({"model": BPE, **part}) + TEXT)
put("tokenizer_json", "merges", json.dumps({**BPE["vocab"], "<|endoftext|>": 10}) + "\0#version: 0.2\na b\nab c\n")

for i, text in enumerate(['{"a":[1,-2.5e3,true,false,null,"x\\ud83d\\ude00\\n\u00e9"],"b":{"c":{}}}', '[9007199254740993]',
                          "[[[[[[[[]]]]]]]]", '"\\u0000"', json.dumps(BERT)]):
    put("json", str(i), text)
put("config", "plain", json.dumps(BERT))
put("config", "quantised", json.dumps({**BERT, "quantization_config": QUANTISED}, indent=1))
put("config", "t5", json.dumps({"model_type": "t5", "d_model": 24, "d_kv": 7, "num_heads": 3, "d_ff": 20, "num_layers": 2,
                                "num_decoder_layers": 3, "relative_attention_num_buckets": 10, "relative_attention_max_distance": 20,
                                "feed_forward_proj": "gated-gelu", "dense_act_fn": "gelu_new", "is_gated_act": True, "is_causal": False,
                                "decoder_start_token_id": 0, "tie_word_embeddings": False, "scale_decoder_outputs": True}))
put("config", "bart", json.dumps({"model_type": "bart", "d_model": 24, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 3,
                                  "decoder_attention_heads": 2, "encoder_ffn_dim": 20, "decoder_ffn_dim": 28, "scale_embedding": True,
                                  "max_position_embeddings": 40, "vocab_size": 60, "decoder_start_token_id": None}))
put("config", "defaults", '{"model_type":"bert"}')
put("shards", "two", json.dumps(INDEX))
header = json.dumps(HEADER).encode()
for mode in range(8):
    body = header + b"\xff" if mode & 1 else len(header).to_bytes(8, "little") + header
    put("safetensors", str(mode), bytes([mode, 7]) + body + bytes(range(32)))
put("safetensors", "none", b"\x03\x01{}\xff")


def word(number, form, head, relation, misc="_"):
    return f"{number}\t{form}\t_\tNOUN\t_\t_\t{head}\t{relation}\t_\t{misc}\n"


PARSED = ("# sent_id = 1\n# text = Höfe haven't \n" + word(1, "Höfe", 2, "nsubj:pass")
          + word("2-3", "haven't", "_", "_") + word(2, "have", 0, "root") + word("2.1", "x", "_", "_")
          + word(3, "n't", 2, "advmod") + "\n" + word("1-2", "im", "_", "_", "SpaceAfter=No") + word(1, "in", "_", "case")
          + word(2, "dem", 1, "det") + word(3, ".", 1, "_"))
GAP = ("ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
       "t-1\tÄnn saw Bo; she ran.\tshe\t12\tÄnn\t0\tTRUE\tBo\t8\tFALSE\tu\n")
CORPORA = ["One.\n\nTwo.\r\n", "a\tb\nc\td", "index\tsentence1\tsentence2\tlabel\n0\ta\tb\t1\n1\tc\td\t0\n", PARSED,
           "[[her|1*] mother|2] \\[x\\|\tB [she|2*]\n[cät|7]", GAP,
           'text,label\n"a, ""b""\nc",x\n\nd,y\n', '{"text": "a \\u00e9", "label": 1}\n{"label": null, "text": "b"}\n']
for i, text in enumerate(CORPORA):
    put("corpus", f"auto{i}", b"\x00" + text.encode())
    put("corpus", f"named{i}", bytes([16 * i % 128 + i + 1]) + b"\xef\xbb\xbf" + text.encode())

sentencepiece = pathlib.Path(__file__).parent.parent / "c/sentencepiece.json"
put("tokenizer_json", "sentencepiece", sentencepiece.read_bytes() + "\0ab ㎥ﬁ e\u0301 中<mask>".encode())

pieces = pathlib.Path(__file__).parent.parent / "golden/sentencepiece"
for i, name in enumerate(["unigram", "unigram", "albert", "bytes"]):
    put("pieces", f"{name}{i}", bytes([i]) + (pieces / f"{name}.model").read_bytes())
for i, name in enumerate(["t5.model", "t5.model", "marian/source.spm", "marian/target.spm"], 4):
    put("pieces", f"two{i}", bytes([i]) + (pieces / name).read_bytes())

QUESTIONS = [{"ask": "find", "word": "/^a|[b-d]$/"}, {"ask": "like", "layer": 1, "at": [3, 2]}, {"ask": "heads", "layer": 0, "head": 1},
             {"ask": "context", "layer": 1, "heads": [1], "of": "aaa", "pos": "VERB"},
             {"ask": "head", "layer": 0, "head": 1, "query": {"word": "aaa"}, "key": {"relation": "obj"}, "offset": [-2, 3],
              "governor": "any", "sentence": "same", "weight": 0.1, "show": "random", "seed": 2, "rows": 3, "csv": "bars"},
             {"ask": "head", "layer": 1, "head": 0}]
for i, question in enumerate(QUESTIONS):
    put("index", f"good{i}", b"\0" + json.dumps(question).encode())
    put("index", f"lies{i}", bytes([2, 7, 3, 0, 0, 255, 255, 255, 127, 11, 40, 0, 0, 9, 0, 8, 0]) + json.dumps(question).encode())
put("index", "header", b"\x0f" + json.dumps({"__metadata__": {"headlight_index": "1", "layers": "2", "heads": "2"}}).encode())

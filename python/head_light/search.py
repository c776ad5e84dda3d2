"""An index of a corpus, and questions to it, by the same C as on the page and the command line.

    trees = index("models/mini2-en", Path("corpora/sentences.conllu"), layers=[5])
    trees.search(ask="head", layer=1, head=8, query={"pos": "ADV"})
    trees.save("trees.index")
    open_index("trees.index").table(ask="like", of="it", layer=5)

Questions, answers and the file are those of docs/search.md. One thread builds; the command line takes
corpora that are large.
"""

import html
import io
import json
import os
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import whole, whole_list
from .engine import Engine
from .errors import HeadLightError

PIECE = 1 << 20
STORES = {"f32": 0, "q8": 1}
TYPES = {"I8": "i1", "U8": "u1", "I16": "<i2", "U16": "<u2", "F16": "<f2", "I32": "<i4", "F32": "<f4", "I64": "<i8"}
#: of a folder, each with the function that takes it
TOKENIZERS: Tuple[Tuple[Tuple[str, str], ...], ...] = (
    (("source.spm", "hl_load_source_pieces"), ("target.spm", "hl_load_target_pieces"), ("vocab.json", "hl_load_vocab")),
    (("tokenizer.json", "hl_load_tokenizer"),),
    (("vocab.txt", "hl_load_vocab"),),
    (("merges.txt", "hl_load_merges"), ("vocab.json", "hl_load_vocab")),
    (("sentencepiece.bpe.model", "hl_load_pieces"),),
    (("spiece.model", "hl_load_pieces"),),
    (("tokenizer.model", "hl_load_pieces"),),
    (("spm.model", "hl_load_pieces"),),
)
#: what may stand around a vocabulary; a tokenizer.json says it all itself
AROUND = (("special_tokens_map.json", "hl_load_special_map"), ("added_tokens.json", "hl_load_added"))
#: of a sentence-transformers folder, in this order, as src/cli/load.c has it; of the second group the first that is there, and the
#: prompts only with modules.json
SENTENCE = (
    (("modules.json", "hl_load_modules"),),
    (("1_Pooling/config.json", "hl_load_pooling"),),
    tuple((f"sentence_{kind}_config.json", "hl_load_sentence")
          for kind in ("bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet")),
    (("config_sentence_transformers.json", "hl_load_prompts"),),
)
WEIGHTS = "model.safetensors"


def _load_text(engine: Engine, path: Path, function: str) -> int:
    content = path.read_bytes()
    return int(engine.check(engine.call(function, engine.session, engine.put(content), len(content))))


def _load_weights(engine: Engine, path: Path, file: int) -> None:
    engine.check(engine.call("hl_load_file", engine.session, file, float(path.stat().st_size)))
    with path.open("rb") as opened:
        while True:
            piece = opened.read(PIECE)
            if not piece:
                return
            engine.check(engine.call("hl_load_bytes", engine.session, engine.put(piece), len(piece)))


def _load(engine: Engine, folder: Path, store: str) -> None:
    """A model's folder into the engine's session."""
    if not (folder / "config.json").is_file():
        raise HeadLightError(f"{folder} is no model's folder: there is no config.json in it")
    says = _load_text(engine, folder / "config.json", "hl_load_config") > 1
    if says and (folder / "generation_config.json").is_file():
        _load_text(engine, folder / "generation_config.json", "hl_load_generation")
    if (folder / "tokenizer_config.json").is_file():
        _load_text(engine, folder / "tokenizer_config.json", "hl_load_tokenizer_config")
    found = [files for files in TOKENIZERS if all((folder / name).is_file() for name, _ in files)]
    if not found:
        raise HeadLightError(f"{folder} has no tokenizer: tokenizer.json, vocab.txt or vocab.json was expected")
    for name, function in AROUND:
        if found[0][0][0] != "tokenizer.json" and (folder / name).is_file():
            _load_text(engine, folder / name, function)
    for name, function in found[0]:
        _load_text(engine, folder / name, function)
    for group in SENTENCE if (folder / "modules.json").is_file() else SENTENCE[1:3]:
        there = [(name, function) for name, function in group if (folder / name).is_file()]
        for name, function in there[:1]:
            _load_text(engine, folder / name, function)
    names = [WEIGHTS]
    if not (folder / WEIGHTS).is_file():
        many = folder / f"{WEIGHTS}.index.json"
        if not many.is_file():
            raise HeadLightError(f"{folder} has no weights: model.safetensors was expected")
        count = _load_text(engine, many, "hl_load_shards")
        names = [engine.text(engine.call("hl_file", engine.session, file)) for file in range(count)]
    engine.check(engine.call("hl_load_begin", engine.session, STORES[store]))
    for file, name in enumerate(names):
        _load_weights(engine, folder / name, file)
    engine.check(engine.call("hl_load_end", engine.session))


def _json(value: Mapping[str, Any], name: str) -> bytes:
    """As JSON; NumPy's numbers and arrays are numbers and lists."""

    def plain(one: Any) -> Any:
        if isinstance(one, (np.ndarray, np.generic)):
            return one.tolist()
        if isinstance(one, (set, range)):
            return sorted(one)
        raise HeadLightError(f"{name} holds {one!r}, {type(one).__name__}; numbers, texts, lists and dicts are read")

    return json.dumps(value, default=plain).encode()


def _utf8(text: Any, name: str) -> bytes:
    """The bytes of a text."""
    if not isinstance(text, str):
        raise HeadLightError(f"{name} is {type(text).__name__}; one str was expected")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        at = error.start
        raise HeadLightError(f"{name} holds U+{ord(text[at]):04X} at {at}, half of a character; take it out") from None


def _bytes_of(corpus: Union[str, "os.PathLike[str]", Sequence[str]]) -> bytes:
    """A file of a corpus, its text, or a list of sentences."""
    if isinstance(corpus, os.PathLike):
        return Path(corpus).read_bytes()
    if isinstance(corpus, str):
        if "\n" not in corpus and len(corpus) < 1000 and "\0" not in corpus and os.path.isfile(corpus):
            raise HeadLightError(f"{corpus!r} is a file, and a str is read as a text; pass pathlib.Path({corpus!r})")
        return _utf8(corpus, "the corpus")
    if isinstance(corpus, (bytes, Mapping)) or not hasattr(corpus, "__iter__"):
        raise HeadLightError(f"the corpus is {type(corpus).__name__}; a pathlib.Path, a text or a list of sentences was expected")
    lines = []
    for i, one in enumerate(corpus):
        _utf8(one, f"sentence {i} of the corpus")
        lines.append(f"{' '.join(one.split())}\n")
    return "".join(lines).encode()


class _Handle:
    """An hl_index in an engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.pointer = engine.call("hl_index_new") & 0xFFFFFFFF

    def check(self, value: Any) -> Any:
        error = "" if value else self.engine.text(self.engine.call("hl_index_error", self.pointer))
        if error:
            raise HeadLightError(error)
        return value

    def open(self, content: bytes) -> Dict[str, Any]:
        """Returns what it is of."""
        size = float(len(content))
        start = self.check(self.engine.call("hl_index_room", self.pointer, size)) & 0xFFFFFFFF
        self.engine.write(start, content)
        self.check(self.engine.call("hl_index_open", self.pointer, start, size))
        return dict(json.loads(self.engine.text(self.check(self.engine.call("hl_index_about", self.pointer)))))

    def saved(self) -> bytes:
        left = int(self.check(max(0.0, self.engine.call("hl_index_save_begin", self.pointer))))
        out = bytearray()
        start = self.engine.buffer(PIECE)
        while len(out) < left:
            size = self.check(max(0, self.engine.call("hl_index_save_bytes", self.pointer, start, PIECE)))
            out += self.engine.read(start, size)
        return bytes(out)


class Answer(Dict[str, Any]):
    """An answer of docs/search.md; in a notebook its sentences, with what was found marked."""

    def _marked(self, row: Mapping[str, Any]) -> str:
        found = [(row.get("query") or row.get("match") or {}, "mark"), (row.get("key") or {}, "u")]
        texts = [row["text"], row.get("text_b")]
        out: List[str] = []
        for part, text in enumerate(texts):
            if text is None:
                continue
            at, pieces = 0, []
            places = sorted((one["from"], one["to"], tag) for one, tag in found if one.get("part") == part)
            for begin, end, tag in places:
                if begin >= at:
                    pieces.append(f"{html.escape(text[at:begin])}<{tag}>{html.escape(text[begin:end])}</{tag}>")
                    at = end
            out.append("".join(pieces) + html.escape(text[at:]))
        added = [f"<{tag}>{html.escape(one['added'])}</{tag}>" for one, tag in found if one.get("added")]
        return " ".join([*added, " / ".join(out)])

    def _repr_html_(self) -> str:
        def value(row: Mapping[str, Any]) -> str:
            number = row.get("moved", row.get("cosine"))
            return "" if number is None else f"{number:.3f}"

        rows = "".join(
            f"<tr><td style='text-align:left'>{self._marked(row)}</td><td>{value(row)}</td></tr>"
            for row in self["rows"]
            if "text" in row
        )
        return f"<p>{self['matches']} of {self['candidates']} tokens</p><table>{rows}</table>"


class Index:
    """Answers questions to an index; :func:`index` and :func:`open_index` make it."""

    def __init__(self, content: bytes, beside: Optional["Index"] = None) -> None:
        self._content = content
        self._handle = _Handle(Engine())
        #: sizes, layers with vectors, tags, relations, names and hashes of model and corpus
        self.info = self._handle.open(content)
        if beside is not None:
            self._other = _Handle(self._handle.engine)
            self._other.open(beside._content)
            self._handle.check(self._handle.engine.call("hl_index_beside", self._handle.pointer, self._other.pointer))

    def _ask(self, question: Mapping[str, Any]) -> str:
        engine = self._handle.engine
        text = _json(question, "the question")
        return engine.text(
            self._handle.check(engine.call("hl_index_ask", self._handle.pointer, engine.put(text), len(text)))
        )

    def search(self, question: Optional[Mapping[str, Any]] = None, **parts: Any) -> Answer:
        """The answer to a question: ``search({"ask": "find", "word": "it"})`` or ``search(ask="find", word="it")``."""
        return Answer(json.loads(self._ask({**(question or {}), **parts})))

    def table(self, question: Optional[Mapping[str, Any]] = None, *, show: str = "rows", **parts: Any) -> Any:
        """The answer's rows, or its bars, as a pandas table."""
        try:
            import pandas
        except ImportError:
            raise HeadLightError("a table needs pandas: pip install pandas") from None
        text = self._ask({**(question or {}), **parts, "csv": show})
        words = {name: str for name in ("label", "match_word", "query_word", "key_word")}
        return pandas.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""], dtype=words)

    def arrays(self) -> Dict[str, np.ndarray]:
        """The tensors of the file by name, as NumPy reads them where they lie."""
        size = int.from_bytes(self._content[:8], "little")
        header = json.loads(self._content[8 : 8 + size])
        header.pop("__metadata__")
        out = {}
        for name, one in header.items():
            begin, end = one["data_offsets"]
            part = np.frombuffer(self._content, TYPES[one["dtype"]], offset=8 + size + begin,
                                 count=(end - begin) // np.dtype(TYPES[one["dtype"]]).itemsize)
            out[name] = part.reshape(one["shape"])
        return out

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file that :func:`open_index`, ``headlight search`` and the npm package read."""
        Path(path).write_bytes(self._content)

    def __repr__(self) -> str:
        info = self.info
        return f"Index of {info['corpus'] or 'a corpus'}: {info['sentences']} sentences, {info['tokens']} tokens"


def index(
    folder: Union[str, "os.PathLike[str]"],
    corpus: Union[str, "os.PathLike[str]", Sequence[str]],
    *,
    layers: Sequence[int] = (),
    limit: int = 0,
    shard: Optional[Tuple[int, int]] = None,
    random_layers: Optional[int] = None,
    store: str = "q8",
    progress: Optional[Callable[[int, int], None]] = None,
    **reading: Any,
) -> Index:
    """Runs a model over a corpus once, and keeps what each head did at each token.

    Args:
        folder: the model's, in Hugging Face layout.
        corpus: a pathlib.Path of a file (CoNLL-U gives parts of speech and relations), a text with one sentence
            a line, or a list of sentences.
        layers: those that get vectors, which the questions ``like`` and ``context`` need.
        limit: how many items from the first on; 0: all.
        shard: (which part, from 0 on, of how many); ``headlight index merge`` joins them.
        random_layers: a seed: of random layers over the model's own embeddings, to be asked beside.
        store: 'q8' or 'f32', how weights are kept.
        progress: called with items done and items in all.
        reading: ``format`` and ``columns``, where they are not guessed.
    """
    if store not in STORES:
        raise HeadLightError(f"store is {store!r}; 'q8' or 'f32' was expected")
    engine = Engine()
    _load(engine, Path(folder), store)
    if random_layers is not None:
        engine.check(engine.call("hl_randomise_layers", engine.session, whole(random_layers, "random_layers")))
    content = _bytes_of(corpus)
    engine.check(engine.call("hl_load_corpus", engine.session, engine.put(content), len(content)))
    name = Path(corpus).name if isinstance(corpus, os.PathLike) else ""
    names = {"model": Path(folder).resolve().name, "corpus": name}
    options = {"layers": whole_list(layers, "layers"), "limit": limit, "names": names, **reading}
    if shard is not None:
        options["shard"] = list(shard)
    handle, text = _Handle(engine), _json(options, "what was asked for")
    begun = engine.call("hl_index_begin", handle.pointer, engine.session, engine.put(text), len(text))
    items = int(handle.check(begun))
    for item in range(items):
        handle.check(engine.call("hl_index_step", handle.pointer, item, 1))
        if progress:
            progress(item + 1, items)
    return Index(handle.saved())


def open_index(
    file: Union[str, "os.PathLike[str]", bytes], *, beside: Optional[Union[str, "os.PathLike[str]", bytes, Index]] = None
) -> Index:
    """An index from its file, or the bytes of it. beside: another one of the same corpus, of random layers or of
    another checkpoint: each bar then has what that one counts."""
    if beside is not None and not isinstance(beside, Index):
        beside = open_index(beside)
    return Index(file if isinstance(file, bytes) else Path(file).read_bytes(), beside)

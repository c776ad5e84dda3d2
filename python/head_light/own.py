"""Headlight's own calls: one line from a model and a text to a figure."""

import json
import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import bundle
from .errors import HeadLightError
from .figures import Figure, Pair, Shown, attention_figure, height_of
from .limits import Limits, all_views
from .models import HEADS, LAYERS, read
from .outputs import no_attention
from .two import FAMILIES, is_two, stacks

#: org/name of the hub, or one that it knows without an organisation, and a revision
HUB_NAME = re.compile(r"\w[\w.-]{0,95}(/\w[\w.-]{0,95})?(@(?!.*\.\.)\w[\w./-]{0,199})?", re.ASCII)
#: bytes of a model's folder that may go into a notebook
MOST = 64_000_000
SMALL = (
    "config.json", "generation_config.json", "tokenizer_config.json", "tokenizer.json", "special_tokens_map.json",
    "added_tokens.json", "vocab.txt", "vocab.json", "merges.txt", "modules.json", "sentence_bert_config.json",
    "config_sentence_transformers.json", "model.safetensors.index.json", "sentencepiece.bpe.model", "spiece.model", "tokenizer.model",
    "spm.model",
)


def _folder(folder: Path) -> Tuple[List[Dict[str, Any]], bytes]:
    """The files of a model's folder one after the other."""
    files = [folder / name for name in SMALL if (folder / name).is_file()]
    files += sorted(folder.glob("*.safetensors"))
    if not (folder / "config.json").is_file() or not any(one.suffix == ".safetensors" for one in files):
        raise HeadLightError(
            f"{folder} is no model's folder: config.json, a tokenizer and model.safetensors were expected; "
            "save_pretrained(...) writes them"
        )
    size = sum(one.stat().st_size for one in files)
    if size > MOST:
        raise HeadLightError(
            f"{folder} has {size / 1e6:.0f} MB, and at most {MOST / 1e6:.0f} go into a notebook; load the "
            "model with transformers and call show(model, tokenizer, text), or `headlight convert` it to int8"
        )
    return [{"name": one.name, "size": one.stat().st_size} for one in files], b"".join(
        one.read_bytes() for one in files
    )


def _sizes(folder: Path) -> Dict[str, Any]:
    """How many layers and heads a model's config says it has; nothing where it does not."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except ValueError:  # the page says what is wrong with it
        return {}
    found = {}
    for what, names in (("layers", LAYERS), ("heads", HEADS)):
        number = next((config[name] for name in names if name in config), None) if isinstance(config, dict) else None
        if type(number) is int and number > 0:
            found[what] = range(number) if what == "layers" else number
    return found


def _in_page(source: str, texts: Sequence[str], begin: Dict[str, Any], state: Dict[str, Any], height: Optional[int]) -> Figure:
    """A model that the page itself runs, by WebAssembly, and what of it is shown at first."""
    if not texts or not all(isinstance(text, str) for text in texts) or len(texts) > 2:
        raise HeadLightError("one or two texts were expected: show('org/name', 'The cat sat.')")
    state = {**state, "text": texts[0], "textB": texts[1] if len(texts) > 1 else ""}
    spec: Dict[str, Any] = {"state": state, "name": source}
    content = b""
    limits = Limits(all_views())
    folder = Path(source).expanduser()
    if folder.is_dir():
        spec["files"], content = _folder(folder)
        limits = limits._replace(**_sizes(folder))
    elif source in json.loads(bundle.static("menu.json")):
        raise HeadLightError(f"{source!r} is a model of Headlight's menu: give its folder, models/{source} of the source or of a site")
    elif HUB_NAME.fullmatch(source):
        spec["hub"] = True
        state["model"] = source
    else:
        raise HeadLightError(f"{source!r} is neither a folder here nor org/name of the Hugging Face hub")
    state.update({name: limits.check(name, value) for name, value in begin.items() if value is not None})
    spec.update(height_of(height))
    return Figure(spec, content, limits, "", 0.0, source)


def figure(
    source: Any,
    *given: Any,
    view: str = "heads",
    layer: Optional[int] = None,
    heads: Optional[Sequence[int]] = None,
    include_layers: Optional[Sequence[int]] = None,
    theme: str = "auto",
    height: Optional[int] = None,
    title: str = "",
    note: str = "",
    moved: bool = False,
) -> Figure:
    """A figure, shown where it is the last line of a cell; ``.save("x.html")`` writes it.

        figure(model, tokenizer, "The cat sat.", "It slept.")   a PyTorch model; T5 and BART take source, target
        figure(attentions, tokens)                              attention [L][1, H, T, T] and T tokens
        figure("org/name", "The cat sat.")                      runs in the page, from the hub
        figure("folder", "The cat sat.")                        runs in the page, up to 64 MB
        figure("folder", "The cat sat.", "Die Katze saß.")      T5, mT5, BART, Marian: source and target; by wasmtime

    A decoder reads the target behind the token that it starts with, as transformers shifts labels: row t is
    attention while it predicts token t + 1.

    Args:
        view: 'heads', 'heatmap', 'model', 'neuron' (of models like BERT, DistilBERT and GPT-2, not of
            attention alone) or 'find'; where the model runs in the page, any view of the page.
        layer: the layer that is shown first, from 0.
        heads: the heads that are shown first, from 0; all where left out.
        include_layers: the layers that are sent to the page; all where left out.
        theme: 'auto' follows the notebook, 'light', 'dark'.
        height: in px, above which the figure scrolls.
        title, note: of the reader's own, above and below the figure.
        moved: shows what heads move first, weights by a press: of a model, not of attention alone.
    """
    for name, value in (("title", title), ("note", note)):
        if not isinstance(value, str):
            raise HeadLightError(f"{name} is {type(value).__name__}; one str was expected")
    two = isinstance(source, (str, Path)) and is_two(Path(source).expanduser())
    if moved and (two or not isinstance(source, (str, Path)) and not hasattr(source, "parameters")):
        of = "two stacks are drawn by their attention alone" if two else "attention alone does not tell what is moved"
        raise HeadLightError(f"{of}: moved=True needs a model of one stack, figure(model, tokenizer, text, moved=True)")
    state: Dict[str, Any] = {"heading": title, "note": note, **({"show": "moved"} if moved else {})}
    if two:
        if len(given) != 2 or not all(isinstance(text, str) for text in given):
            raise HeadLightError(
                f"{source} has an encoder and a decoder ({', '.join(FAMILIES)}), so a source and a target were expected: "
                "show(folder, source, target); stacks(folder, source, write=20).figure() lets the model write it"
            )
        found = stacks(Path(source).expanduser(), *given)
        return found.figure(view=view, layer=layer, heads=heads, include_layers=include_layers, theme=theme,
                            height=height, state=state)
    if isinstance(source, (str, Path)):
        begin = {"layer": layer, "heads": heads, "view": view, "theme": theme}
        return _in_page(str(source), given, begin, state, height)
    common: Dict[str, Any] = {
        "view": view, "layer": layer, "heads": heads, "include_layers": include_layers, "theme": theme,
        "height": height, "state": state,
    }
    if hasattr(source, "parameters"):
        if not 2 <= len(given) <= 3:
            raise HeadLightError("a tokenizer and one or two texts were expected: show(model, tokenizer, 'text')")
        found = read(source, given[0], given[1], given[2] if given[2:] else None, view == "neuron")
        if view == "neuron" and heads is None:
            common["heads"] = [0]
        if moved and "lengths.0" not in (found.more or {}):
            raise HeadLightError(
                f"what the heads of {type(source).__name__} move cannot be told: its values were not found, or attention times "
                "them is not what it computes; leave moved out"
            )
        label = f"{type(source).__name__}: {' / '.join(given[1:])}"
        return attention_figure(found.parts, found.tokens, sentences=found.sentences, more=found.more,
                                mask=found.mask, label=label, **common)
    if len(given) != 1 or hasattr(source, "tokenizer") or hasattr(source, "convert_ids_to_tokens"):
        raise HeadLightError(no_attention(source, given))
    return attention_figure({"encoder": source}, {"tokens": given[0]}, **common)


def show(source: Any, *given: Any, **options: Any) -> None:
    """Shows a :func:`figure` at once; the arguments are the same."""
    figure(source, *given, **options).show()


def compare(left: Figure, right: Figure) -> Pair:
    """Two figures side by side: ``compare(figure(a, tokenizer, text), figure(b, tokenizer, text))``. A layer,
    head, token or view that is chosen in one is chosen in both."""
    for one in (left, right):
        if not isinstance(one, Figure):
            raise HeadLightError(
                f"{type(one).__name__} cannot be compared; make both with figure(...) or html_action='return'"
            )
    return Pair(left, right)


class _Init(Shown):
    def _body(self) -> str:
        return "<p>Headlight is ready.</p>"


def init() -> Shown:
    """The script of all figures of this notebook, in the output of this cell: call it at the top, or
    where a figure says that the script is missing."""
    bundle.forget()
    return _Init()

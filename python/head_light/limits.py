"""What can be shown of a figure, for its first state and for what a widget is set to."""

import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from .arrays import whole, whole_list
from .bundle import static
from .errors import HeadLightError

#: by the names that this package gives them, the page's ids
VIEWS = {"heads": "head", "heatmap": "heatmap", "model": "model", "neuron": "neuron", "find": "find"}
THEMES = ("auto", "light", "dark")
SIDES = ("query", "key")
LACKING = {
    "neuron": "it takes queries and keys, which a model of one stack gives (one built like BERT, DistilBERT or GPT-2): "
    "figure(model, tokenizer, text, view='neuron')",
    "find": "patterns are of the attention of a text to itself, and this is from one text to another",
}


def one_of(value: Any, names: Sequence[str], name: str) -> str:
    if isinstance(value, str) and value in names:
        return value
    raise HeadLightError(f"{name} is {value!r}; one of {', '.join(names)} was expected")


def theme_of(name: Any) -> str:
    return one_of(name, THEMES, "the theme")


def span(numbers: Sequence[int]) -> str:
    """Numbers as a sentence has them."""
    if list(numbers) == list(range(len(numbers))):
        return f"0 to {len(numbers) - 1}"
    return ", ".join(map(str, numbers))


def all_views() -> List[str]:
    """Every view of the page, of which a model that runs in it has all."""
    return list(json.loads(static("views.json")))


class Limits(NamedTuple):
    """layers: that are sent; heads, tokens: how many; views: ids of the page. None: only the page knows."""

    views: Sequence[str]
    layers: Optional[Sequence[int]] = None
    heads: Optional[int] = None
    tokens: Optional[int] = None

    def view(self, name: Any) -> str:
        """The page's id of a view that this figure has."""
        known = {**VIEWS, **{one: one for one in (*VIEWS.values(), *self.views)}}
        view = known.get(name) if isinstance(name, str) else None
        if view in LACKING and view not in self.views:
            raise HeadLightError(f"view is {name!r}, which cannot be drawn of this: {LACKING[view]}")
        if view is None:
            one_of(name, [one for one in known if known[one] in self.views and one != "head"], "view")
        return str(view)

    def layer(self, value: Any) -> int:
        layer = whole(value, "layer")
        if layer < 0 or self.layers is not None and layer not in self.layers:
            there = "0 and more" if self.layers is None else span(self.layers)
            raise HeadLightError(f"layer {layer} is not in include_layers: {there}")
        return layer

    def head_list(self, values: Any) -> List[int]:
        """In order, each once."""
        heads = sorted(set(whole_list(values, "heads")))
        if any(one < 0 or self.heads is not None and one >= self.heads for one in heads):
            there = "0 and more" if self.heads is None else f"0 to {self.heads - 1}"
            raise HeadLightError(f"heads names {heads}; there are {there}")
        return heads

    def token(self, value: Any) -> int:
        token = whole(value, "token")
        if token < -1 or self.tokens is not None and token >= self.tokens:
            there = "0 and more" if self.tokens is None else f"0 to {self.tokens - 1}"
            raise HeadLightError(f"token is {token}; there are {there}, and -1 for none")
        return token

    def check(self, name: str, value: Any) -> Any:
        """The value of a field of a widget as the page takes it."""
        checks: Dict[str, Any] = {
            "view": self.view, "layer": self.layer, "heads": self.head_list, "token": self.token, "theme": theme_of,
            "side": lambda side: one_of(side, SIDES, "side"),
        }
        return checks[name](value)

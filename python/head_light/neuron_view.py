"""BertViz's neuron view: ``from head_light.neuron_view import show``.

Models of transformers as they are (BERT, RoBERTa, ELECTRA, DistilBERT, GPT-2), and BertViz's own classes.
"""

from typing import Any, Optional

from .errors import HeadLightError
from .figures import Figure, attention_figure
from .models import read, read_bertviz

TYPES = ("bert", "gpt2", "roberta", "distilbert", "electra")


def show(
    model: Any,
    model_type: str,
    tokenizer: Any,
    sentence_a: str,
    sentence_b: Optional[str] = None,
    display_mode: str = "dark",
    layer: Optional[int] = None,
    head: Optional[int] = None,
    html_action: str = "view",
) -> Optional[Figure]:
    """How queries and keys make a weight, neuron by neuron.

    Args:
        model: a PyTorch model of transformers, or one of ``bertviz.transformers_neuron_view``.
        model_type: 'bert', 'gpt2', 'roberta'; here also 'distilbert', 'electra'.
        tokenizer: the model's.
        sentence_a: the text.
        sentence_b: the second sentence, for models that take a pair.
        display_mode: 'dark' or 'light'.
        layer: the layer that is shown first, from 0.
        head: the head that is shown first, from 0.
        html_action: 'view' shows the figure, 'return' gives it back.
    """
    if html_action not in ("view", "return"):
        raise HeadLightError(f"html_action is {html_action!r}; 'view' or 'return' was expected")
    if model_type not in TYPES:
        raise HeadLightError(f"model_type is {model_type!r}; one of {', '.join(TYPES)} was expected")
    if not sentence_a:
        raise HeadLightError("sentence_a is empty; write a text")
    if sentence_b and model_type == "gpt2":
        raise HeadLightError("GPT-2 takes one text; leave sentence_b out")
    own = type(model).__module__.startswith("bertviz.")
    found = (
        read_bertviz(model, model_type, tokenizer, sentence_a, sentence_b)
        if own
        else read(model, tokenizer, sentence_a, sentence_b, neurons=True)
    )
    figure = attention_figure(
        found.parts,
        found.tokens,
        view="neuron",
        layer=layer,
        heads=[0 if head is None else head],
        sentences=found.sentences,
        more=found.more,
        mask=found.mask,
        theme=display_mode,
        label="neuron view",
    )
    if html_action == "return":
        return figure
    figure.show()
    return None

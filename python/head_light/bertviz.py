"""BertViz's calls: the same names, order and defaults as BertViz 1.4.1 has them.

What differs: ``html_action='return'`` gives a :class:`~head_light.figures.Figure`, whose ``data`` is the
markup, as that of IPython's ``HTML``; NumPy arrays and lists are taken as well as tensors; the pairs of
sentences are a control of the figure.
"""

from typing import Any, Dict, Optional, Sequence

from .errors import HeadLightError
from .figures import Figure, attention_figure

GIVEN = ("encoder_attention", "decoder_attention", "cross_attention", "encoder_tokens", "decoder_tokens")


def _parts(given: Dict[str, Any]) -> Dict[str, Any]:
    """What BertViz's arguments mean: parts and tokens of :func:`attention_figure`."""
    if given["attention"] is not None:
        if any(given[name] is not None for name in GIVEN):
            raise HeadLightError(
                "'attention' is of models of one stack; leave out the arguments of encoder and decoder, "
                "or 'attention'"
            )
        return {"parts": {"encoder": given["attention"]}, "tokens": {"tokens": given["tokens"]}}
    parts = {
        part: given[f"{part}_attention"]
        for part in ("encoder", "decoder", "cross")
        if given[f"{part}_attention"] is not None
    }
    if not parts:
        raise HeadLightError(
            "no attention was given: pass `attention`, or `encoder_attention`, `decoder_attention` or "
            "`cross_attention`. If it is None, the model returned none: load it with "
            "attn_implementation='eager' and call it with output_attentions=True"
        )
    tokens = {}
    if "encoder" in parts or "cross" in parts:
        tokens["encoder_tokens"] = given["encoder_tokens"]
    if "decoder" in parts or "cross" in parts:
        tokens["decoder_tokens"] = given["decoder_tokens"]
    return {"parts": parts, "tokens": tokens}


def _done(figure: Figure, html_action: str) -> Optional[Figure]:
    if html_action == "return":
        return figure
    figure.show()
    return None


def _check_action(html_action: str) -> None:
    if html_action not in ("view", "return"):
        raise HeadLightError(f"html_action is {html_action!r}; 'view' or 'return' was expected")


def head_view(
    attention: Any = None,
    tokens: Optional[Sequence[str]] = None,
    sentence_b_start: Optional[int] = None,
    prettify_tokens: bool = True,
    layer: Optional[int] = None,
    heads: Optional[Sequence[int]] = None,
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Optional[Sequence[str]] = None,
    decoder_tokens: Optional[Sequence[str]] = None,
    include_layers: Optional[Sequence[int]] = None,
    html_action: str = "view",
) -> Optional[Figure]:
    """The head view: lines from each query to the keys that it attends to.

    Args:
        attention: of a model of one stack, a list with a tensor [1, H, T, T] for each layer, as
            ``outputs.attentions``; or an array [L, H, T, T].
        tokens: the T tokens, special ones too.
        sentence_b_start: the position of the first token of sentence B.
        prettify_tokens: writes ``Ġ``, ``▁`` and ``</w>`` as the spaces that they are.
        layer: the layer that is shown first, from 0.
        heads: the heads that are shown first, from 0; all where left out.
        encoder_attention: a tensor [1, H, S, S] for each layer of the encoder.
        decoder_attention: a tensor [1, H, T, T] for each layer of the decoder.
        cross_attention: a tensor [1, H, T, S] for each layer.
        encoder_tokens: the S tokens of the encoder.
        decoder_tokens: the T tokens of the decoder.
        include_layers: the layers that are sent to the page, from 0; all where left out.
        html_action: 'view' shows the figure, 'return' gives it back.
    """
    _check_action(html_action)
    figure = attention_figure(
        **_parts(locals()),
        layer=layer,
        heads=heads,
        include_layers=include_layers,
        sentence_b_start=sentence_b_start,
        prettify=prettify_tokens,
        label="head view",
    )
    return _done(figure, html_action)


def model_view(
    attention: Any = None,
    tokens: Optional[Sequence[str]] = None,
    sentence_b_start: Optional[int] = None,
    prettify_tokens: bool = True,
    display_mode: str = "dark",
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Optional[Sequence[str]] = None,
    decoder_tokens: Optional[Sequence[str]] = None,
    include_layers: Optional[Sequence[int]] = None,
    include_heads: Optional[Sequence[int]] = None,
    html_action: str = "view",
) -> Optional[Figure]:
    """The model view: all layers and heads as small pictures.

    Args:
        display_mode: 'dark' or 'light'.
        include_heads: the heads whose pictures are shown, from 0; all where left out.

    The other arguments are those of :func:`head_view`.
    """
    _check_action(html_action)
    if display_mode not in ("dark", "light"):
        raise HeadLightError(f"display_mode is {display_mode!r}; 'dark' or 'light' was expected")
    figure = attention_figure(
        **_parts(locals()),
        view="model",
        include_layers=include_layers,
        include_heads=include_heads,
        sentence_b_start=sentence_b_start,
        prettify=prettify_tokens,
        theme=display_mode,
        label="model view",
    )
    return _done(figure, html_action)

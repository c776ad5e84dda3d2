"""What a figure has, for its first state and for a widget; of the real anywidget where there is one, else of a
stand-in for it (stand_in.py)."""

import json
import sys

import numpy as np
import pytest

import stand_in
from head_light import HeadLightError, Measures, bundle, figure
from head_light.figures import views_of
from stand_in import Model, Pair, Tensor
from test_stand_in import SECOND, TEXT, tokenizer, torch  # noqa: F401


@pytest.mark.parametrize("source", ["one stack", "one stack, neurons", "pair", "arrays", "decoder", "cross"])
@pytest.mark.parametrize("view", ["heads", "heatmap", "model", "neuron", "find", "steps"])
def test_a_view_is_drawn_or_refused_at_first_and_in_a_widget(monkeypatch, tokenizer, random_attention, source, view):
    """What a figure lacks is refused where it is made and where it is set; the page has the same rule
    (web/session/attention.js)."""
    from head_light.figures import attention_figure

    letters = list("abcde")
    made = {
        "one stack": lambda **o: figure(Model(), tokenizer, TEXT, **o),
        "one stack, neurons": lambda **o: figure(Model(), tokenizer, TEXT, **{"view": "neuron", **o}),
        "pair": lambda **o: figure(Pair(), tokenizer, TEXT, SECOND, **o),
        "arrays": lambda **o: figure(random_attention(), letters, **o),
        "decoder": lambda **o: attention_figure({"decoder": random_attention()}, {"decoder_tokens": letters}, **o),
        "cross": lambda **o: attention_figure({"cross": random_attention()}, {"encoder_tokens": letters, "decoder_tokens": letters}, **o),
    }[source]
    drawn = {"heads": "head", "heatmap": "heatmap", "model": "model"}
    if source != "cross":
        drawn["find"] = "find"
    at_first = dict(drawn, neuron="neuron") if source.startswith("one stack") else drawn
    if view in at_first:
        assert made(view=view).spec["state"]["view"] == at_first[view]
    else:
        with pytest.raises(HeadLightError, match="neuron view is for|cannot be drawn of this|one of heads, heatmap"):
            made(view=view)
    widget = widget_of(monkeypatch, made())
    later = dict(drawn, neuron="neuron") if source == "one stack, neurons" else drawn
    if view in later:
        widget.view = view
        assert widget.view == later[view]
    else:
        with pytest.raises(HeadLightError, match="cannot be drawn of this|one of heads, heatmap"):
            widget.view = view


def test_views_are_of_the_part_that_they_are_drawn_of():
    assert views_of(["encoder"], True) == ["head", "heatmap", "model", "neuron", "find"]
    assert views_of(["decoder"], True) == ["head", "heatmap", "model", "find"] == views_of(["decoder", "cross"], False)
    assert views_of(["cross"], True) == ["head", "heatmap", "model"]


def widget_of(monkeypatch, shown):
    """The figure's widget, of the real anywidget where there is one."""
    from head_light import widget

    try:
        import anywidget  # noqa: F401
    except ImportError:
        traitlets, anywidget = stand_in.widgets()
        monkeypatch.setitem(sys.modules, "traitlets", traitlets)
        monkeypatch.setitem(sys.modules, "anywidget", anywidget)
        widget._widget_class.cache_clear()
    return shown.widget()


def test_a_widget_is_what_the_page_is_told(monkeypatch, random_attention):
    shown = figure(random_attention(), list("abcde"), layer=1, heads=[0, 2], view="heatmap", theme="dark")
    widget = widget_of(monkeypatch, shown)
    assert [getattr(widget, name) for name in ("layer", "heads", "view", "token", "side", "theme")] == [1, [0, 2], "heatmap", -1, "query", "dark"]
    assert widget._data == shown.content and json.loads(widget._spec) == shown.spec
    assert widget._code == bundle.static("bundle.gz") and bundle.key() in widget._esm and "export default" in widget._esm


def test_what_is_not_installed_is_told(monkeypatch, random_attention):
    from head_light import engine, measure, widget

    for name in ("anywidget", "wasmtime", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    widget._widget_class.cache_clear()
    engine._compiled.cache_clear()
    engine.shared.cache_clear()
    shown = figure(random_attention(), list("abcde"))
    for call, wanted in ((shown.widget, "anywidget"), (lambda: measure(random_attention(), list("abcde")), "wasmtime")):
        with pytest.raises(HeadLightError, match=f"needs {wanted}: pip install {wanted}"):
            call()
    with pytest.raises(HeadLightError, match="a table needs pandas: pip install pandas"):
        Measures(entropy=np.zeros((2, 3))).table()


MEMBERS = [
    ("layer", [0, 1, np.int64(0), 1.0], [2, -1, 99, "1", 0.5, None, np.int64(2)]),
    ("heads", [[], [2], [2, 0, 2], np.array([1, 2]), (0,)], [[3], [-1], [0, 99], "0", [0.5], [None]]),
    ("token", [-1, 0, 4, np.int32(3)], [5, -2, 99, "0", [1]]),
    ("side", ["query", "key"], ["left", ""]),
    ("view", ["head", "heads", "find"], ["tree", ""]),
    ("theme", ["auto", "light", "dark"], ["blue", ""]),
]


@pytest.mark.parametrize("name, taken, refused", MEMBERS)
def test_a_widget_takes_what_its_figure_has(monkeypatch, random_attention, name, taken, refused):
    widget = widget_of(monkeypatch, figure(random_attention(), list("abcde"), layer=1, heads=[0, 2]))
    assert (widget.layer, widget.heads, widget.view, widget.token) == (1, [0, 2], "head", -1)
    for value in taken:
        setattr(widget, name, value)
        kept = sorted({int(one) for one in value}) if name == "heads" else "head" if value == "heads" else value
        assert getattr(widget, name) == kept
        json.dumps(getattr(widget, name))  # as it goes to the page
        for other in refused:
            with pytest.raises(HeadLightError, match=name):
                setattr(widget, name, other)
            assert getattr(widget, name) == kept, "as before"


def test_a_widget_of_some_layers_and_of_two_texts(monkeypatch, random_attention, tokenizer):
    widget = widget_of(monkeypatch, figure(random_attention(4), list("abcde"), include_layers=[1, 3]))
    widget.layer = 3
    with pytest.raises(HeadLightError, match="layer 2 is not in include_layers: 1, 3"):
        widget.layer = 2
    widget = widget_of(monkeypatch, figure(Pair(), tokenizer, TEXT, "she sees the cat sat on a mat"))
    widget.token = 8  # of the longer side
    with pytest.raises(HeadLightError, match="token is 9; there are 0 to 8, and -1 for none"):
        widget.token = 9


def test_a_widget_of_a_model_in_the_page_takes_what_the_page_has(monkeypatch, tmp_path):
    """Every view of the page, as a press there sets it; layers and heads where config.json says them."""
    for name in ("tokenizer.json", "model.safetensors"):
        (tmp_path / name).write_text(name)
    for config, most in (('{"num_hidden_layers": 2, "num_attention_heads": 3}', True), ('{"n_layer": 2, "n_head": 3}', True), ("[]", False), ("x", False), ('{"n_layer": 0, "n_head": "3"}', False)):
        (tmp_path / "config.json").write_text(config)
        widget = widget_of(monkeypatch, figure(tmp_path, "a", layer=1))
        for view in ("steps", "next", "change", "decides", "why", "neuron", "heads"):
            widget.view = view
        widget.token = 500
        for name, value in (("layer", 2), ("heads", [3])):
            if most:
                with pytest.raises(HeadLightError, match="there are 0 to 2|include_layers: 0 to 1"):
                    setattr(widget, name, value)
            else:
                setattr(widget, name, value)
        with pytest.raises(HeadLightError, match="layer -1"):
            widget.layer = -1
    with pytest.raises(HeadLightError, match="one of heads, heatmap"):
        figure("org/name", "a", view="tree")
    assert figure("org/name", "a", view="steps", layer=40).spec["state"]["view"] == "steps"


@pytest.mark.parametrize(
    "options, sentence",
    [
        (dict(layer="1"), "layer is '1'; a whole number"),
        (dict(layer=0.5), "layer is 0.5; a whole number"),
        (dict(layer=True), "layer is True; a whole number"),
        (dict(layer=-1), "layer -1 is not in include_layers"),
        (dict(heads="01"), "heads is '01'; a list of whole numbers"),
        (dict(heads=[0.5]), "heads is 0.5; a whole number"),
        (dict(heads=[None]), "heads is None; a whole number"),
        (dict(include_layers="01"), "include_layers is '01'; a list of whole numbers"),
        (dict(height=0), "height is 0; a number of px above 0"),
        (dict(height="300px"), "height is '300px'; a whole number"),
        (dict(title=5), "title is int; one str"),
        (dict(note=None), "note is NoneType; one str"),
        (dict(theme=None), "the theme is None; one of auto, light, dark"),
        (dict(view=["heads"]), "one of heads, heatmap, model, find was expected"),
        (dict(include_layers=[[0]]), r"include_layers is \[0\]; a whole number"),
    ],
)
def test_numbers_that_are_none(random_attention, options, sentence):
    with pytest.raises(HeadLightError, match=sentence):
        figure(random_attention(), list("abcde"), **options)


def test_numbers_of_any_type_are_taken(random_attention):
    for one in (1, 1.0, np.int64(1), np.float32(1), np.array(1), Tensor(1)):
        assert figure(random_attention(), list("abcde"), layer=one).spec["state"]["layer"] == 1
        assert figure(random_attention(), list("abcde"), heads=[one, 0, 1]).spec["state"]["heads"] == [0, 1]
        assert figure(random_attention(), list("abcde"), include_layers=[one]).spec["state"]["layer"] == 1

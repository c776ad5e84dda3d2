"""Headlight in notebooks: what the attention heads of a transformer do, under the cell.

    from head_light import head_view, model_view        # BertViz's calls
    from head_light import show
    show(model, tokenizer, "The cat sat.", "It slept.")  # the reader's own model, in one line
    from head_light import index, open_index            # a corpus that can be asked

Everything that a figure needs is in the package; nothing is fetched from a network.
"""

from .bertviz import head_view, model_view
from .errors import HeadLightError
from .figures import Figure
from .interventions import Effects, intervene
from .measures import Measures, measure
from .own import compare, figure, init, show
from .search import Answer, Index, index, open_index
from .two import Row, Stacks, stacks
from .version import __version__

__all__ = [
    "Answer",
    "Effects",
    "Figure",
    "HeadLightError",
    "Index",
    "Measures",
    "Row",
    "Stacks",
    "__version__",
    "compare",
    "figure",
    "head_view",
    "index",
    "init",
    "intervene",
    "measure",
    "model_view",
    "open_index",
    "show",
    "stacks",
]

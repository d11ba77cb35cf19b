"""Features of a text block: seven numbers of its text, its position, ten names (Yao and Zuo, III B)."""

import re
from collections.abc import Sequence

import numpy as np

from parcels.articles.body.parts import Floats
from parcels.articles.svm.blocks import TextBlocks
from parcels.articles.svm.tokens import token_columns

LINE = 80  # characters per line: Kohlschuetter et al. 2010
_SENTENCE = re.compile(r"[.!?]+(?:[\"'”’)\]]*\s|$)")
TEXT = (
    "words", "words_quotient", "sentence_words", "sentence_words_quotient", "text_density", "text_density_quotient",
    "link_density",
)  # fmt: skip
POSITION = "relative_position"
SETS = ("text", "text+position", "text+position+tokens")  # the three sets that the paper compares


def features(
    blocks: TextBlocks, tokens: Sequence[str], *, of: str = SETS[2], positions: int = 10, is_log: bool = False
) -> Floats:
    """Return one row per block: the columns TEXT, then POSITION, then one per token, as far as the set goes.

    >>> from parcels.articles.svm.blocks import text_blocks
    >>> from parcels.html.page import read_page
    >>> page = read_page("<p>One two three. Four.<p class=nav><a href=x>Home</a>")
    >>> features(text_blocks(page), ["nav"]).round(2).tolist()
    [[4.0, 1.0, 2.0, 1.0, 4.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0.25, 1.0, 0.5, 1.0, 0.25, 1.0, 5.0, 1.0]]
    """
    words = blocks.words
    sentences = np.array([max(1, len(_SENTENCE.findall(text))) for text in blocks.texts], float)
    lines = np.array([-(-len(text) // LINE) for text in blocks.texts], float)
    columns = []
    for values in (words, words / sentences, words / lines):
        columns += [values, values / np.concatenate((values[:1], values[:-1]))]
    if is_log:
        columns = [np.log(values) for values in columns]
    columns.append(blocks.link_words / words)
    if of != SETS[0]:
        columns.append(np.floor(np.arange(len(blocks)) * positions / max(1, len(blocks))))
    rows = np.stack(columns, axis=1)
    return np.concatenate([rows, token_columns(blocks.names, tokens)], axis=1) if of == SETS[2] else rows


def names_of(tokens: Sequence[str], of: str = SETS[2]) -> list[str]:
    """Return the names of the columns."""
    return [*TEXT, *([POSITION] if of != SETS[0] else []), *(f"has_{token}" for token in tokens)]

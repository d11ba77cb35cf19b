"""Features of page types: terms by in-segment position, and names, claims and sizes."""

import re
from collections import Counter
from collections.abc import Iterable

from parcels.articles.body.parts import Parts, content_parts
from parcels.articles.clues import node_tokens
from parcels.articles.page_types import page_tokens
from parcels.html.page import Page
from parcels.html.structured import Claim, claims
from parcels.layout.render import LaidOut
from parcels.pagetypes.positions import major_positions
from parcels.segments.features import boundary_features
from parcels.segments.graph.inference import by_chains
from parcels.segments.graph.structural_svm import MARGIN
from parcels.segments.graph.wps_graph import build_graph
from parcels.segments.model import SegmenterModel
from parcels.text.stopwords import stopwords

LEVEL = 2  # level of the segmentation; only there do parts have parts, which positions need
MAX_CHARS = 300  # characters read per leaf; functional terms are in short leaves
_TERM = re.compile(r"[^\W\d_]{2,20}")


def terms(texts: Iterable[str]) -> Counter[str]:
    """Count the words in lower case, without stop words.

    >>> sorted(terms(["Reply to the post", "Post"]).items())
    [('post', 2), ('reply', 1)]
    """
    ignored = stopwords()
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word in _TERM.findall(text[:MAX_CHARS].lower()) if word not in ignored)
    return counts


def position_terms(laid: LaidOut, model: SegmenterModel) -> Counter[str]:
    """Count the terms by position: `pt:forum` is at the top of the page."""
    featured = boundary_features(build_graph(laid))
    weights = model.weights[MARGIN, LEVEL]
    gains = featured.rows @ weights[:-1] + weights[-1]
    leaves = laid.page.leaves
    by_position: Counter[str] = Counter()
    for position, places in major_positions(featured.graph, by_chains(featured.graph, gains), gains).items():
        counted = terms(leaves.text[leaf] for leaf in places)
        by_position.update({f"{position}:{term}": count for term, count in counted.items()})
    return by_position


def page_terms(page: Page) -> Counter[str]:
    """Count all terms of a page, for the text-only baseline."""
    return terms(page.leaves.text)


def own_tokens(page: Page) -> set[str]:
    """Return names of elements, beginnings of blocks, words of the address, claims and sizes, as for `extract`."""
    return tokens_of(content_parts(page), claims(page), page.url)


def tokens_of(parts: Parts, page_claims: list[Claim], url: str | None) -> set[str]:
    """Return the tokens of `own_tokens` for the blocks and claims of a page."""
    return page_tokens(parts, page_claims, url, node_tokens(parts))

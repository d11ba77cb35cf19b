"""Context features of links: where the links of a block lead."""

import numpy as np

from parcels.compiled import loaded
from parcels.views.feature import family
from parcels.views.link_targets import KINDS
from parcels.views.look import Column, Floats, Look

loops = loaded("parcels.views.style_loops")  # None where it is not compiled: the same column by column, slower


def _kind(number: int, name: str) -> Column:
    def share(look: Look) -> Floats:
        return np.asarray(look.target_shares[number])

    share.__name__ = f"to_{name}"
    share.__doc__ = f"Share of the characters in links of kind `{name}`."
    return share


def to_depth(look: Look) -> Floats:
    """Deepest path that a link of the block leads to."""
    return look.most(look.targets.depth[look.targets.of_leaf])


def words_a_link(look: Look) -> Floats:
    """Words a link: headlines have many, menus few."""
    return (look.total(look.leaf_words * look.page.leaves.is_link) / np.maximum(look.links_per_block, 1)).astype(
        np.float32
    )


LINKED: tuple[Column, ...] = (*(_kind(n, name) for n, name in enumerate(KINDS)), to_depth, words_a_link)


def of_links(look: Look) -> Floats:
    """The rows of LINKED, in one pass."""
    if loops is None:
        return np.stack([column(look) for column in LINKED])
    found, of = np.empty((len(LINKED), len(look)), np.float32), look.targets
    loops.links(
        look.division.first, look.leaf_chars, look.chars_or_one, of.of_leaf, of.kinds, of.depth, look.leaf_words,
        look.page.leaves.is_link.view(np.uint8), look.links_per_block, found,
    )  # fmt: skip
    return found


FEATURES = family(of_links, LINKED)

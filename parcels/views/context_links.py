"""Context features of links: where the links of a block lead."""

import numpy as np

from parcels.views.feature import row_of
from parcels.views.link_targets import KINDS
from parcels.views.look import Column, Floats, Look


def _shares(look: Look) -> Floats:
    return look.target_shares


def _kind(number: int, name: str) -> Column:
    @row_of(_shares, number)
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


FEATURES: tuple[Column, ...] = (*(_kind(n, name) for n, name in enumerate(KINDS)), to_depth, words_a_link)

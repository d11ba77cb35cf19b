"""The site view: how many other pages of the host repeat a block. Repeated blocks belong to the template.

The values are zero where no other page of the host is given.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import xxhash

from parcels.features.page_features import Floats, PageFeatures

NAMES: tuple[str, ...] = ("site_pages", "site_repeats", "site_repeats_around", "site_page_share")
_DIGITS = re.compile(r"\d+")
MAX_CHARS = 500  # characters of a block's text that identify it
AROUND = 5  # blocks before and after that are averaged


@dataclass(frozen=True)
class SiteBlocks:
    """The number of pages seen of a host, and the number of pages that each block occurred on."""

    pages: int = 0
    counts: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, pages: Iterable[Iterable[int]]) -> "SiteBlocks":
        """Count on how many pages each block key occurs."""
        counts: Counter[int] = Counter()
        number = 0
        for keys in pages:
            counts.update(set(keys))
            number += 1
        return cls(number, dict(counts))

    def without(self, keys: Iterable[int]) -> "SiteBlocks":
        """Return the counts without those of one page, given by its block keys."""
        own = set(keys)
        left = {key: count - (key in own) for key, count in self.counts.items()}
        return SiteBlocks(max(self.pages - 1, 0), left)


def block_key(text: str, source: str = "") -> int:
    """Return a key that is equal for blocks with the same text apart from digits; without text, the file's name counts.

    >>> block_key("Top  stories (12)") == block_key("top stories (7)")
    True
    """
    words = " ".join(_DIGITS.sub("0", text[:MAX_CHARS].lower()).split()) or source[-100:]
    return xxhash.xxh64_intdigest(words.encode("utf-8", "surrogatepass"))


def block_keys(page: PageFeatures) -> list[int]:
    """Return the key of each block of a page."""
    leaves, attributes = page.page.leaves, page.page.nodes.attributes
    firsts, nodes = page.division.first.tolist(), leaves.node.tolist()
    return [
        block_key(text, "" if text else attributes[nodes[first]].get("src", ""))
        for text, first in zip(page.texts, firsts, strict=True)
    ]


def repetition(keys: Sequence[int], site: SiteBlocks) -> Floats:
    """Return the site view from the keys of a page's blocks: one row per block."""
    if not site.pages or not len(keys):
        return np.zeros((len(keys), len(NAMES)), np.float32)
    repeats = np.array([site.counts.get(key, 0) / site.pages for key in keys], np.float32)
    sums, places = np.concatenate(([0.0], np.cumsum(repeats))), np.arange(len(repeats))
    low, high = np.maximum(places - AROUND, 0), np.minimum(places + AROUND + 1, len(repeats))
    around = (sums[high] - sums[low]) / (high - low)
    whole = np.full(len(repeats), float((repeats > 0).mean()), np.float32)
    pages = np.full(len(repeats), np.log1p(site.pages), np.float32)
    return np.stack([pages, repeats, around, whole], axis=1).astype(np.float32)


def site_view(page: PageFeatures, site: SiteBlocks | None = None) -> Floats:
    """Return one row per block, one column per name; zeros where no other page of the host is known.

    >>> from parcels.features.page_features import measure_html
    >>> page = measure_html("<p>Home<p>A story")
    >>> site_view(page, SiteBlocks.of([block_keys(measure_html("<p>Home<p>Another"))]))[:, 1].tolist()
    [1.0, 0.0]
    """
    return repetition(block_keys(page), site or SiteBlocks())

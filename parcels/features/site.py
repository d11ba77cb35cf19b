"""The site view: what stands on several pages of a site is its template, not the article.

Known only where other pages of the host are at hand; a page by itself has zeros.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import xxhash

from parcels.features.look import Floats, Look

NAMES: tuple[str, ...] = ("site_pages", "site_repeats", "site_repeats_around", "site_page_share")
_DIGITS = re.compile(r"\d+")
MAX_CHARS = 500  # of a block's text that tell it from others
AROUND = 5  # blocks whose repetition is averaged


@dataclass(frozen=True)
class SiteBlocks:
    """How many pages of a host were seen, and on how many of them each block stood."""

    pages: int = 0
    counts: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, pages: Iterable[Iterable[int]]) -> "SiteBlocks":
        """Count the keys of the host's pages, each once a page."""
        counts: Counter[int] = Counter()
        number = 0
        for keys in pages:
            counts.update(set(keys))
            number += 1
        return cls(number, dict(counts))

    def without(self, keys: Iterable[int]) -> "SiteBlocks":
        """As if one of the pages had not been seen."""
        own = set(keys)
        left = {key: count - (key in own) for key, count in self.counts.items()}
        return SiteBlocks(max(self.pages - 1, 0), left)


def block_key(text: str, source: str = "") -> int:
    """Equal for blocks that say the same but for numbers; an image without words is told by its file.

    >>> block_key("Top  stories (12)") == block_key("top stories (7)")
    True
    """
    words = " ".join(_DIGITS.sub("0", text[:MAX_CHARS].lower()).split()) or source[-100:]
    return xxhash.xxh64_intdigest(words.encode("utf-8", "surrogatepass"))


def block_keys(look: Look) -> list[int]:
    """The keys of a page's blocks."""
    leaves, attributes = look.page.leaves, look.page.nodes.attributes
    firsts, nodes = look.division.first.tolist(), leaves.node.tolist()
    return [
        block_key(text, "" if text else attributes[nodes[first]].get("src", ""))
        for text, first in zip(look.texts, firsts, strict=True)
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


def site_view(look: Look, site: SiteBlocks | None = None) -> Floats:
    """One row a block; zeros where no other page of the host is known.

    >>> from parcels.features.look import look_at
    >>> look = look_at("<p>Home<p>A story")
    >>> site_view(look, SiteBlocks.of([block_keys(look_at("<p>Home<p>Another"))]))[:, 1].tolist()
    [1.0, 0.0]
    """
    return repetition(block_keys(look), site or SiteBlocks())

"""Features of page types (article, forum, product, …) without a layout.

Names of elements, beginnings of blocks, words of the address, the claimed type, and a few sizes in steps.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from parcels.articles.body.parts import Parts
from parcels.articles.clues import opening
from parcels.html.structured import Claim

SHORT = 80  # characters below which a block's beginning is read
_PATH = re.compile(r"[a-z]{3,}|\d{4,}")
_PRICE = re.compile(r"[$£€]\s?\d")
_REPLY = re.compile(r"\b(?:reply|replies|posted|quote|joined|likes?|thread)\b", re.I)


def page_tokens(parts: Parts, claims: Iterable[Claim], url: str | None, names: Sequence[Sequence[str]]) -> set[str]:
    """Return the tokens of a page, for a linear SVM over page types; `names` are the clues of its elements."""
    tokens = {token for own in names for token in own}
    tokens.update(first for text in parts.texts if len(text) < SHORT and (first := opening(text)))
    path = (url or "").lower().partition("//")[2].partition("/")[2]
    tokens.update("u:#" if token[0].isdigit() else f"u:{token}" for token in _PATH.findall(path))
    tokens.add(f"u:depth:{min(6, path.strip('/').count('/') + bool(path.strip('/')))}")
    tokens.update(f"t:{claim.value.lower()[:30]}" for claim in claims if claim.field == "type")
    words, links = int(parts.words.sum()), int(parts.link_words.sum())
    is_running = (parts.words >= 12) & (parts.link_words < 0.4 * parts.words)
    sizes = {
        "words": words, "blocks": len(parts), "running": int(parts.words[is_running].sum()),
        "paragraphs": int(is_running.sum()), "longest": int(parts.words.max(initial=0)),
        "prices": sum(bool(_PRICE.search(text)) for text in parts.texts if len(text) < SHORT),
        "replies": sum(bool(_REPLY.search(text)) for text in parts.texts if len(text) < SHORT),
        "images": parts.page.leaves.kind.count("img"),
    }  # fmt: skip
    tokens.update(f"n:{name}:{int(1.5 * np.log1p(size))}" for name, size in sizes.items())
    tokens.add(f"n:links:{int(10 * links / max(1, words))}")
    tokens.add(f"n:share:{int(10 * sizes['running'] / max(1, words))}")
    return tokens

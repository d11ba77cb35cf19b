"""Define a seed: an address to begin with, and its description by its source."""

import re
from collections import Counter
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from parcels.urls import canonical

MAX_TITLE = 500  # characters; longer ones are not titles
_SPACE = re.compile(r"\s+")
_ISO = re.compile(
    r"(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?)?", re.I
)


class Seed(NamedTuple):
    """A canonical address. `kind`: page, feed, sitemap (also an index of them), or home (any of them)."""

    url: str
    kind: str = "page"
    topic: str | None = None
    title: str | None = None
    published_at: datetime | None = None


def seed(
    url: str | None, *, base: str | None = None, kind: str = "page", topic: str | None = None, title: str | None = None,
    published: str | None = None, left_out: Counter[str] | None = None,
) -> Seed | None:  # fmt: skip
    """Make a seed from the fields of a file; count an invalid address in `left_out` and return None.

    >>> seed(" HTTP://A.example/x y#top ", title=" One\\n two ")
    Seed(url='http://a.example/x%20y', kind='page', topic=None, title='One two', published_at=None)
    """
    text = (url or "").strip()
    address = canonical(text, base) if text else None
    if address is None:
        if left_out is not None:
            left_out["not a web address" if text else "no address"] += 1
        return None
    return Seed(address, kind, folded(topic), folded(title), moment(published))


def folded(text: str | None) -> str | None:
    """Return a short text on one line, or None if nothing is left."""
    return _SPACE.sub(" ", text).strip()[:MAX_TITLE] or None if text else None


def moment(text: str | None) -> datetime | None:
    """Parse a time as feeds write it (RFC 822, ISO 8601, whole or in part) to UTC; return None if it is invalid.

    >>> moment("Tue, 07 May 2024 08:30:00 +0200"), moment("2024-05")
    (datetime.datetime(2024, 5, 7, 6, 30, tzinfo=datetime.timezone.utc),
     datetime.datetime(2024, 5, 1, 0, 0, tzinfo=datetime.timezone.utc))
    >>> moment("yesterday") is None
    True
    """
    if not text or len(text) > 100:
        return None
    match = _ISO.match(text.strip())
    try:
        if not match:
            read = parsedate_to_datetime(text.strip())
            return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
        year, month, day, hour, minute, second, zone = match.groups()
        stamp = f"{year}-{month}-{day or '01'}T{hour or '00'}:{minute or '00'}:{second or '00'}"
        zone = "+00:00" if zone in (None, "Z", "z") else zone
        return datetime.fromisoformat(stamp + zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None

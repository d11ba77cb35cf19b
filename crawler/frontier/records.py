"""Encode queued addresses as short strings, for a server that keeps them in memory.

The first letter is the kind. The address follows, without its host if the scheme has its default port, then the fields
of the offer, one per line. Trailing default values are cut off.
"""

from crawler.frontier.contract import PAGE, ROBOTS, ROBOTS_PRIORITY, Lease, Offer

_SHORT = {"h": "http://", "s": "https://"}


def pack(offer: Offer, host: str, *, visit: int = 1, attempt: int = 0) -> str:
    r"""Encode an offer as a string.

    >>> pack(Offer("http://a.example/b", 0.5, 2, "http://a.example/", "News"), "a.example")
    'ph/b\n2\nh/\nNews'
    """
    fields = (
        _short(offer.url, host), str(offer.depth), _short(offer.referrer, host) if offer.referrer else "",
        (offer.topic or "").replace("\n", " "), str(offer.hops or ""), str(visit if visit != 1 else ""),
        str(attempt or ""), (offer.extra or "").replace("\n", " "),
    )  # fmt: skip
    return offer.kind + "\n".join(fields).rstrip("\n")


def _short(url: str, host: str) -> str:
    for letter, scheme in _SHORT.items():
        if url.startswith(f"{scheme}{host}/"):
            return letter + url[len(scheme) + len(host) :]
    return url


def _long(text: str, host: str) -> str:
    scheme = _SHORT.get(text[:1]) if text[1:2] == "/" else None
    return f"{scheme}{host}{text[1:]}" if scheme else text


def unpack(record: str, host: str, priority: float, token: int = 0) -> Lease:
    """Decode a record into a lease.

    >>> unpack(pack(Offer("https://a.example:8443/b", topic="x"), "a.example", visit=3), "a.example", 0.5).visit
    3
    """
    kind = record[:1]
    url, depth, referrer, topic, hops, visit, attempt, extra, *_ = (*record[1:].split("\n"), *[""] * 8)
    return Lease(
        token, host, _long(url, host), priority, int(depth or 0), _long(referrer, host) or None, topic or None, kind,
        int(hops or 0), extra or None, int(visit or 1), int(attempt or 0),
    )  # fmt: skip


def offer_of(lease: Lease) -> Offer:
    """Return the offer that a lease was made from."""
    return Offer(
        lease.url, lease.priority, lease.depth, lease.referrer, lease.topic, lease.kind, lease.hops, lease.extra
    )


def repack(lease: Lease, *, visit: int | None = None, attempt: int | None = None, extra: str | None = None) -> str:
    """Encode a lease again, unchanged or for its next visit or attempt."""
    if lease.kind == ROBOTS:
        return pack(Offer(lease.url, ROBOTS_PRIORITY, kind=ROBOTS), "\0", attempt=attempt or lease.attempt)
    offer = offer_of(lease)
    if extra is not None:
        offer = offer._replace(extra=extra)
    return pack(
        offer, lease.host, visit=lease.visit if visit is None else visit,
        attempt=lease.attempt if attempt is None else attempt,
    )  # fmt: skip


def dead_letter(lease: Lease, reason: str) -> str:
    r"""Encode a dead letter: its reason, priority, and its record without the address.

    >>> offer = unpack(pack(Offer("http://a.example/b", 0.5, 2, "http://a.example/"), "a.example"), "a.example", 0.5)
    >>> dead_letter(offer, "http-404")
    'http-404\n0.5\np2\nh/'
    """
    record = repack(lease, attempt=0)
    return "\n".join((reason.replace("\n", " "), repr(lease.priority), record[:1] + record.partition("\n")[2]))


def revive(url: str, host: str, letter: str, *, attempt: int) -> tuple[str, str]:
    r"""Return the priority and the record under which to queue a dead letter again.

    >>> revive("http://a.example/b", "a.example", "http-404\n0.5\np2\nh/", attempt=0)
    ('0.5', 'ph/b\n2\nh/')
    """
    _, priority, rest = (*letter.split("\n", 2), "0.0", PAGE)[:3]  # the first versions stored only the reason
    lease = unpack(f"{rest[:1]}\n{rest[1:]}", host, float(priority))
    return priority, repack(lease._replace(url=url, attempt=attempt))

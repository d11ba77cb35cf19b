"""Define the record of one fetched address that the spool keeps until it is sealed into tables."""

import struct
from dataclasses import dataclass, field
from typing import Any

import orjson

from crawler.frontier.contract import CompletedLease, Lease, Offer

_LENGTH = struct.Struct("<I")


@dataclass(slots=True)
class Entry:
    """The result of a lease. At most one of `page`, `resource` and `reject` is set; it becomes a row.

    A link is (number of its offer, or its target if it was not offered; anchor; rel).
    """

    lease: Lease
    fetched_at: float
    page: dict[str, Any] | None = None
    resource: dict[str, Any] | None = None
    reject: tuple[str, str] | None = None  # reason, detail
    links: list[tuple[int | str, str, str | None]] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    dead: str | None = None
    revisit_in: float | None = None
    extra: str | None = None
    body: bytes = b""
    is_copy: bool | None = None  # as the frontier takes it

    def finished(self) -> CompletedLease:
        """Return the result as the frontier takes it."""
        return CompletedLease(self.lease, self.offers, self.dead, self.revisit_in, self.extra, self.is_copy)


def encode(entry: Entry) -> list[bytes]:
    """Encode the entry, in parts that need not be copied together."""
    head = orjson.dumps((
        tuple(entry.lease), entry.fetched_at, entry.page, entry.resource, entry.reject, entry.links,
        [tuple(offer) for offer in entry.offers], entry.dead, entry.revisit_in, entry.extra,
        entry.is_copy,
    ))  # fmt: skip
    return [_LENGTH.pack(len(head)), head, entry.body]


def decode(data: bytes) -> Entry:
    """Decode an entry."""
    length = _LENGTH.unpack_from(data)[0]
    lease, fetched_at, page, resource, reject, links, offers, dead, revisit_in, extra, *later = orjson.loads(
        data[_LENGTH.size : _LENGTH.size + length]
    )
    return Entry(
        Lease(*lease), fetched_at, page, resource, tuple(reject) if reject else None, [tuple(link) for link in links],
        [Offer(*offer) for offer in offers], dead, revisit_in, extra, data[_LENGTH.size + length :],
        *later,
    )  # fmt: skip

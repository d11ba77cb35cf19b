"""What an answer to a leased address means: rows and new addresses, or another attempt later. No network, no state."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import orjson

from crawler.fetch.directives import canonical_link, page_directives
from crawler.frontier.contract import FEED, NEAR_IDENTICAL, PAGE, SHEET, SITEMAP, Lease, Offer
from crawler.links.canonical import WORD, Canonicals
from crawler.links.copies import Copies
from crawler.links.extract import PageLinks, links_of
from crawler.links.page_types import REASON, PageTypeFilter
from crawler.links.policy import LearningLinkPolicy, LinkPolicy, encode_note, note_of
from crawler.links.revisit import next_visit
from crawler.seeds import read_document
from crawler.sinks.entry import Entry
from parcels.errors import SkipRecord
from parcels.importing.http import media_type
from parcels.urls import canonical, content_hash, host_of

HTML_TYPES = frozenset(["text/html", "application/xhtml+xml"])
MAX_ATTEMPTS = 4
RETRY_SECONDS = 10.0  # before the second attempt; four times as long before each further one
MAX_RETRY_AFTER = 3600.0
MAX_HOPS = 10
MAX_HISTORY = 20
SHEET_PRIORITY = 1e6  # sheets come before pages: the pages that are sealed can name their bytes then
_TRY_AGAIN = frozenset([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524])
_SLOW_DOWN = frozenset([429, 503])
_IMPORT = re.compile(rb"@import\s+(?:url\(\s*)?[\"']?([^\"')\s;]+)", re.I)
_MARKUP = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|title|!--|\?xml)", re.I)


class Response(NamedTuple):
    """What a server sent for an address."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    at: float
    is_truncated: bool = False

    def get(self, name: str) -> str | None:
        """The last value of a header, by its name in lower case."""
        return next((value for key, value in reversed(self.headers) if key.lower() == name), None)


class Retry(NamedTuple):
    """Another attempt after `wait` seconds; `host_wait` asks for peace for the whole host."""

    reason: str
    wait: float
    host_wait: float | None = None


@dataclass(frozen=True, slots=True)
class ReadContext:
    """How answers are read; the same for all of a crawl."""

    link_policy: LinkPolicy
    css: bool = True
    revisit: bool = False
    retry_seconds: float = RETRY_SECONDS
    agent: str = "parcels"
    learning: LearningLinkPolicy | None = None  # the link_policy, where it is one that learns
    canonicals: Canonicals = field(default_factory=Canonicals)
    kept_types: PageTypeFilter | None = None  # pages of other types are followed, not stored
    copies: Copies | None = field(default_factory=Copies)  # None: answers are not compared with each other


def read_response(lease: Lease, answer: Response, context: ReadContext) -> Entry | Retry:
    """The entry for an answer, or the wish for another attempt."""
    if answer.status in _TRY_AGAIN:
        return failed(lease, f"http-{answer.status}", context, at=answer.at, asked=retry_after(answer))
    if answer.status == 304:
        return _unchanged(lease, answer, context)
    if 300 <= answer.status < 400:
        return _redirect(lease, answer)
    if not 200 <= answer.status < 300:
        return buried(lease, f"http-{answer.status}", at=answer.at)
    if lease.kind == SHEET:
        return _sheet(lease, answer)
    if lease.kind in (FEED, SITEMAP):
        return _document(lease, answer, context) or buried(lease, f"not-a-{_NAMES[lease.kind]}", at=answer.at)
    return _page(lease, answer, context)


_NAMES = {FEED: "feed", SITEMAP: "sitemap"}


def failed(
    lease: Lease, reason: str, context: ReadContext, *, at: float, asked: float | None = None, detail: str = ""
) -> Entry | Retry:
    """Another attempt, later each time; a dead letter after the last."""
    if lease.attempt + 1 >= MAX_ATTEMPTS:
        return buried(lease, reason, at=at, detail=detail)
    wait = context.retry_seconds * 4**lease.attempt
    slow = reason.removeprefix("http-") in map(str, _SLOW_DOWN)
    return Retry(reason, max(wait, asked or 0.0), max(wait, asked or 0.0) if slow else None)


def buried(lease: Lease, reason: str, *, at: float, detail: str = "") -> Entry:
    """A dead letter with its row of rejects."""
    return Entry(lease, at, reject=(reason, detail), dead=reason)


def retry_after(answer: Response) -> float | None:
    """Return the seconds that a server asks to be left alone, bounded; None where it does not."""
    text = (answer.get("retry-after") or "").strip()
    if text.isdigit():
        return min(float(text), MAX_RETRY_AFTER)
    try:
        return min(max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0), MAX_RETRY_AFTER)
    except (ValueError, TypeError):
        return None


def _columns(lease: Lease, answer: Response) -> dict[str, object]:
    kind, charset = media_type(answer.get("content-type"))
    return {
        "final_url": lease.url, "status": answer.status, "headers": answer.headers, "content_type": kind,
        "charset": charset, "is_truncated": answer.is_truncated,
    }  # fmt: skip


def _redirect(lease: Lease, answer: Response) -> Entry:
    location = (answer.get("location") or "").strip()
    target = canonical(location, lease.url) if location else None
    if target is None:
        return buried(lease, "redirect-nowhere", at=answer.at, detail=location[:500])
    if target == lease.url:
        return buried(lease, "redirect-loop", at=answer.at, detail=target)
    if lease.hops >= MAX_HOPS:
        return buried(lease, "too-many-redirects", at=answer.at, detail=target)
    offer = Offer(
        target, lease.priority, lease.depth, lease.url, lease.topic, lease.kind, lease.hops + 1,
        encode_note(note_of(lease)),
    )  # fmt: skip
    page = None
    if lease.kind == PAGE:
        page = _columns(lease, answer) | {"final_url": target, "content_hash": content_hash(b"")}
    return Entry(lease, answer.at, page=page, offers=[offer])


def _sheet(lease: Lease, answer: Response) -> Entry:
    kind, charset = media_type(answer.get("content-type"))
    if kind in HTML_TYPES:  # an error page that pretends to be well
        return buried(lease, "not-a-sheet", at=answer.at, detail=kind or "")
    found = {canonical(name.decode("utf-8", "replace"), lease.url) for name in _IMPORT.findall(answer.body)}
    offers = [
        Offer(url, SHEET_PRIORITY, lease.depth, lease.url, kind=SHEET, hops=lease.hops + 1)
        for url in sorted(filter(None, found))
        if lease.hops < MAX_HOPS
    ]
    resource = {
        "content_hash": content_hash(answer.body), "status": answer.status, "content_type": kind, "charset": charset
    }  # fmt: skip
    return Entry(lease, answer.at, resource=resource, offers=offers, body=answer.body)


def _document(lease: Lease, answer: Response, context: ReadContext) -> Entry | None:
    """A feed, site map or list; None where it is none."""
    try:
        document = read_document(answer.body, url=lease.url, content_type=answer.get("content-type"))
    except SkipRecord as skipped:
        return buried(lease, skipped.reason, at=answer.at, detail=skipped.detail)
    if document.kind in ("html", "other"):
        return None
    entry = Entry(lease, answer.at, offers=context.link_policy.from_document(lease, document))
    _plan(entry, content_hash(answer.body), answer, context)
    return entry


def _unchanged(lease: Lease, answer: Response, context: ReadContext) -> Entry:
    known = orjson.loads(lease.extra or "{}")
    entry = Entry(lease, answer.at)
    if lease.kind == PAGE and not known.get("left_out"):
        entry.page = _columns(lease, answer) | {"content_hash": known.get("hash", content_hash(b""))}
    _plan(entry, known.get("hash", ""), answer, context)
    return entry


def _plan(entry: Entry, found: str, answer: Response, context: ReadContext) -> None:
    """When to come again, and what to know then."""
    if not context.revisit:
        return
    known = orjson.loads(entry.lease.extra or "{}")
    history = [*known.get("history", []), [round(answer.at), found[:8]]][-MAX_HISTORY:]
    entry.revisit_in = max(next_visit([(at, hashed) for at, hashed in history]) - answer.at, 0.0)
    notes = {
        "hash": found, "history": history, "etag": answer.get("etag") or known.get("etag"),
        "modified": answer.get("last-modified") or known.get("modified"),
    }  # fmt: skip
    if entry.reject is not None or (answer.status == 304 and known.get("left_out")):
        notes["left_out"] = True  # unchanged, it is to be left out again
    if "note" in known:
        notes["note"] = known["note"]
    entry.extra = orjson.dumps(notes).decode()


def _page(lease: Lease, answer: Response, context: ReadContext) -> Entry:
    kind = media_type(answer.get("content-type"))[0]
    is_html = kind in HTML_TYPES or (kind is None and bool(_MARKUP.match(answer.body[:512])))
    if not is_html or b"<rss" in answer.body[:300]:
        document = _document(lease, answer, context)
        if document is not None or not is_html:
            return document or buried(lease, "content-type", at=answer.at, detail=kind or "")
    if not answer.body:
        return buried(lease, "empty", at=answer.at)
    content_type = answer.get("content-type")
    found = links_of(answer.body, lease.url, content_type)
    asked = page_directives(answer.headers, found.metas, context.agent)
    entry = Entry(lease, answer.at, body=answer.body)
    hashed = content_hash(answer.body)
    repeated = context.copies.compare(entry, found) if context.copies else None
    _add_links(entry, found, context, is_followed=not asked.nofollow and repeated is None)
    target = _stands_elsewhere(lease, answer, found)
    if target is not None and context.canonicals.leads_back(lease.url, target):
        target = None
    if asked.noindex:
        entry.reject, entry.body = ("noindex", ", ".join(asked.said)), b""
    elif target is not None:
        entry.reject, entry.body = (WORD, target), b""
        entry.dead = context.canonicals.leave(lease.url, target)
        extra = orjson.dumps({"canonical": lease.url, "note": note_of(lease)}).decode()
        entry.offers.append(Offer(target, lease.priority, lease.depth, lease.url, lease.topic, extra=extra))
    elif repeated is not None:
        entry.reject, entry.body, entry.dead = (NEAR_IDENTICAL, f"it says the same as {repeated}"), b"", NEAR_IDENTICAL
    elif context.kept_types and (other := context.kept_types.other_type(answer.body, lease.url, content_type)):
        entry.reject, entry.body = (REASON, other), b""
    else:
        entry.page = _columns(lease, answer) | {"content_hash": hashed}
        if orjson.loads(lease.extra or "{}").get("hash") == hashed:
            entry.body = b""  # the same bytes are stored with an earlier visit
        if context.css and found.sheets:
            entry.page["sheets"] = found.sheets
            entry.offers += [Offer(url, SHEET_PRIORITY, lease.depth, lease.url, kind=SHEET) for url in found.sheets]
    _plan(entry, hashed, answer, context)
    return entry


def _stands_elsewhere(lease: Lease, answer: Response, found: PageLinks) -> str | None:
    """The address that a page says it really has, where that is another page of the same host.

    A page that was asked for because another said so is taken as it is; and the front page is nobody's real address
    but its own: sites that say so of all pages are mistaken.
    """
    if lease.extra and "canonical" in orjson.loads(lease.extra):
        return None
    named = [target for rel, _, target in found.heads if "canonical" in rel.split()]
    target = named[0] if named else canonical_link(None, answer.headers, url=lease.url)
    if target is None or target == lease.url or host_of(target) != host_of(lease.url):
        return None
    path = target.partition("://")[2].partition("/")[2]
    return target if path else None


def _add_links(entry: Entry, found: PageLinks, context: ReadContext, *, is_followed: bool) -> None:
    lease = entry.lease
    link_policy = context.link_policy
    numbers: dict[str, int] = {}
    scores: Sequence[float | None] = link_policy.scores(lease, found) if is_followed else [None] * len(found.links)
    for link, score in zip(found.links, scores, strict=True):
        if score is None or (link.rel and "nofollow" in link.rel):
            entry.links.append((link.target, link.anchor, link.rel))
            continue
        if link.target not in numbers:
            numbers[link.target] = len(entry.offers)
            extra = encode_note(context.learning.note(lease, link)) if context.learning else None
            topic = link_policy.topic(lease, link)
            entry.offers.append(Offer(link.target, score, lease.depth + 1, lease.url, topic, extra=extra))
        entry.links.append((numbers[link.target], link.anchor, link.rel))
    if is_followed:
        entry.offers += link_policy.discovered(lease, found)

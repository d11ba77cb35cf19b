"""Interpret the response to a leased address: rows and new addresses, or a retry later. No network, no state."""

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
    """A server's response."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    at: float
    is_truncated: bool = False

    def get(self, name: str) -> str | None:
        """Return the last value of a header, by its name in lower case."""
        return next((value for key, value in reversed(self.headers) if key.lower() == name), None)


class Retry(NamedTuple):
    """Another attempt after `wait` seconds; `host_wait` is the pause that the whole host asks for."""

    reason: str
    wait: float
    host_wait: float | None = None


@dataclass(frozen=True, slots=True)
class ReadContext:
    """The settings and state that reading responses needs, one per crawl."""

    link_policy: LinkPolicy
    css: bool = True
    revisit: bool = False
    retry_seconds: float = RETRY_SECONDS
    agent: str = "parcels"
    learning: LearningLinkPolicy | None = None  # the link policy, if it learns
    canonicals: Canonicals = field(default_factory=Canonicals)
    kept_types: PageTypeFilter | None = None  # pages of other types are followed, not stored
    copies: Copies | None = field(default_factory=Copies)  # None: responses are not compared with each other


def read_response(lease: Lease, response: Response, context: ReadContext) -> Entry | Retry:
    """Return the entry for a response, or a retry."""
    if response.status in _TRY_AGAIN:
        return retry_or_reject(
            lease, f"http-{response.status}", context, at=response.at, least_wait=retry_after(response)
        )
    if response.status == 304:
        return _unchanged(lease, response, context)
    if 300 <= response.status < 400:
        return _redirect(lease, response)
    if not 200 <= response.status < 300:
        return reject_entry(lease, f"http-{response.status}", at=response.at)
    if lease.kind == SHEET:
        return _sheet(lease, response)
    if lease.kind in (FEED, SITEMAP):
        return _document(lease, response, context) or reject_entry(lease, f"not-a-{_NAMES[lease.kind]}", at=response.at)
    return _page(lease, response, context)


_NAMES = {FEED: "feed", SITEMAP: "sitemap"}


def retry_or_reject(
    lease: Lease, reason: str, context: ReadContext, *, at: float, least_wait: float | None = None, detail: str = ""
) -> Entry | Retry:
    """Return a retry, with longer waits each time, or a dead letter after the last attempt."""
    if lease.attempt + 1 >= MAX_ATTEMPTS:
        return reject_entry(lease, reason, at=at, detail=detail)
    wait = context.retry_seconds * 4**lease.attempt
    slow = reason.removeprefix("http-") in map(str, _SLOW_DOWN)
    return Retry(reason, max(wait, least_wait or 0.0), max(wait, least_wait or 0.0) if slow else None)


def reject_entry(lease: Lease, reason: str, *, at: float, detail: str = "") -> Entry:
    """Return a dead letter with its row of rejects."""
    return Entry(lease, at, reject=(reason, detail), dead=reason)


def retry_after(response: Response) -> float | None:
    """Return the seconds of a Retry-After header, at most MAX_RETRY_AFTER, or None."""
    text = (response.get("retry-after") or "").strip()
    if text.isdecimal():
        return min(float(text), MAX_RETRY_AFTER)
    try:
        return min(max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0), MAX_RETRY_AFTER)
    except (ValueError, TypeError):
        return None


def _columns(lease: Lease, response: Response) -> dict[str, object]:
    kind, charset = media_type(response.get("content-type"))
    return {
        "final_url": lease.url, "status": response.status, "headers": response.headers, "content_type": kind,
        "charset": charset, "is_truncated": response.is_truncated,
    }  # fmt: skip


def _redirect(lease: Lease, response: Response) -> Entry:
    location = (response.get("location") or "").strip()
    target = canonical(location, lease.url) if location else None
    if target is None:
        return reject_entry(lease, "redirect-nowhere", at=response.at, detail=location[:500])
    if target == lease.url:
        return reject_entry(lease, "redirect-loop", at=response.at, detail=target)
    if lease.hops >= MAX_HOPS:
        return reject_entry(lease, "too-many-redirects", at=response.at, detail=target)
    offer = Offer(
        target, lease.priority, lease.depth, lease.url, lease.topic, lease.kind, lease.hops + 1,
        encode_note(note_of(lease)),
    )  # fmt: skip
    page = None
    if lease.kind == PAGE:
        page = _columns(lease, response) | {"final_url": target, "content_hash": content_hash(b"")}
    return Entry(lease, response.at, page=page, offers=[offer])


def _sheet(lease: Lease, response: Response) -> Entry:
    kind, charset = media_type(response.get("content-type"))
    if kind in HTML_TYPES:  # an error page with status 200
        return reject_entry(lease, "not-a-sheet", at=response.at, detail=kind or "")
    imports = {canonical(name.decode("utf-8", "replace"), lease.url) for name in _IMPORT.findall(response.body)}
    offers = [
        Offer(url, SHEET_PRIORITY, lease.depth, lease.url, kind=SHEET, hops=lease.hops + 1)
        for url in sorted(filter(None, imports))
        if lease.hops < MAX_HOPS
    ]
    resource = {
        "content_hash": content_hash(response.body), "status": response.status, "content_type": kind, "charset": charset
    }  # fmt: skip
    return Entry(lease, response.at, resource=resource, offers=offers, body=response.body)


def _document(lease: Lease, response: Response, context: ReadContext) -> Entry | None:
    """Return the entry of a feed, site map or list, or None if the response is none."""
    try:
        document = read_document(response.body, url=lease.url, content_type=response.get("content-type"))
    except SkipRecord as skipped:
        return reject_entry(lease, skipped.reason, at=response.at, detail=skipped.detail)
    if document.kind in ("html", "other"):
        return None
    entry = Entry(lease, response.at, offers=context.link_policy.from_document(lease, document))
    _plan(entry, content_hash(response.body), response, context)
    return entry


def _unchanged(lease: Lease, response: Response, context: ReadContext) -> Entry:
    known = orjson.loads(lease.extra or "{}")
    entry = Entry(lease, response.at)
    if lease.kind == PAGE and not known.get("left_out"):
        entry.page = _columns(lease, response) | {"content_hash": known.get("hash", content_hash(b""))}
    _plan(entry, known.get("hash", ""), response, context)
    return entry


def _plan(entry: Entry, new_hash: str, response: Response, context: ReadContext) -> None:
    """Set when to revisit a page, and the validators to send then."""
    if not context.revisit:
        return
    known = orjson.loads(entry.lease.extra or "{}")
    history = [*known.get("history", []), [round(response.at), new_hash[:8]]][-MAX_HISTORY:]
    entry.revisit_in = max(next_visit([(at, hashed) for at, hashed in history]) - response.at, 0.0)
    notes = {
        "hash": new_hash, "history": history, "etag": response.get("etag") or known.get("etag"),
        "modified": response.get("last-modified") or known.get("modified"),
    }  # fmt: skip
    if entry.reject is not None or (response.status == 304 and known.get("left_out")):
        notes["left_out"] = True  # unchanged, it is to be left out again
    if "note" in known:
        notes["note"] = known["note"]
    entry.extra = orjson.dumps(notes).decode()


def _page(lease: Lease, response: Response, context: ReadContext) -> Entry:
    kind = media_type(response.get("content-type"))[0]
    is_html = kind in HTML_TYPES or (kind is None and bool(_MARKUP.match(response.body[:512])))
    if not is_html or b"<rss" in response.body[:300]:
        document = _document(lease, response, context)
        if document is not None or not is_html:
            return document or reject_entry(lease, "content-type", at=response.at, detail=kind or "")
    if not response.body:
        return reject_entry(lease, "empty", at=response.at)
    content_type = response.get("content-type")
    page_links = links_of(response.body, lease.url, content_type)
    directives = page_directives(response.headers, page_links.metas, context.agent)
    entry = Entry(lease, response.at, body=response.body)
    hashed = content_hash(response.body)
    repeated = context.copies.compare(entry, page_links) if context.copies else None
    _add_links(entry, page_links, context, is_followed=not directives.nofollow and repeated is None)
    target = _stands_elsewhere(lease, response, page_links)
    if target is not None and context.canonicals.leads_back(lease.url, target):
        target = None
    if directives.noindex:
        entry.reject, entry.body = ("noindex", ", ".join(directives.words)), b""
    elif target is not None:
        entry.reject, entry.body = (WORD, target), b""
        entry.dead = context.canonicals.leave(lease.url, target)
        extra = orjson.dumps({"canonical": lease.url, "note": note_of(lease)}).decode()
        entry.offers.append(Offer(target, lease.priority, lease.depth, lease.url, lease.topic, extra=extra))
    elif repeated is not None:
        entry.reject, entry.body, entry.dead = (NEAR_IDENTICAL, f"near-identical to {repeated}"), b"", NEAR_IDENTICAL
    elif context.kept_types and (other := context.kept_types.other_type(response.body, lease.url, content_type)):
        entry.reject, entry.body = (REASON, other), b""
    else:
        entry.page = _columns(lease, response) | {"content_hash": hashed}
        if orjson.loads(lease.extra or "{}").get("hash") == hashed:
            entry.body = b""  # the same bytes are stored with an earlier visit
        if context.css and page_links.sheets:
            sheets = page_links.sheets
            entry.page["sheets"] = sheets
            entry.offers += [Offer(url, SHEET_PRIORITY, lease.depth, lease.url, kind=SHEET) for url in sheets]
    _plan(entry, hashed, response, context)
    return entry


def _stands_elsewhere(lease: Lease, response: Response, page_links: PageLinks) -> str | None:
    """Return the canonical address that a page states, if it is another page of the same host.

    A page that was fetched as another page's canonical address is stored as it is. A front page is ignored: some sites
    wrongly state it as the canonical address of all pages.
    """
    if lease.extra and "canonical" in orjson.loads(lease.extra):
        return None
    named = [target for rel, _, target in page_links.heads if "canonical" in rel.split()]
    target = named[0] if named else canonical_link(None, response.headers, url=lease.url)
    if target is None or target == lease.url or host_of(target) != host_of(lease.url):
        return None
    path = target.partition("://")[2].partition("/")[2]
    return target if path else None


def _add_links(entry: Entry, page_links: PageLinks, context: ReadContext, *, is_followed: bool) -> None:
    lease = entry.lease
    link_policy = context.link_policy
    numbers: dict[str, int] = {}
    links = page_links.links
    scores: Sequence[float | None] = link_policy.scores(lease, page_links) if is_followed else [None] * len(links)
    for link, score in zip(links, scores, strict=True):
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
        entry.offers += link_policy.discovered(lease, page_links)

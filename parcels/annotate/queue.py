"""The queue of pages to label: where the views disagree and the model is unsure, spread over sites.

A page that this person has begun comes first, then pages that others have labelled and that need more people, then new
ones. Among new ones a page's need is its mean doubt per block, divided by one more than the pages of its site that were
labelled or stand before it: the tenth page of a site teaches less than the first of another. Of pages that say nearly
the same (`near_duplicates`) one is offered, and none where one has labels.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from parcels.annotate.page_sources import StorePageSource
from parcels.annotate.session import AnnotationSession

UNKNOWN_DOUBT = 0.5  # of a page that no model has labelled yet: about that of an unsure one
BEGUN, SHARED, NEW = "begun", "shared", "new"


@dataclass(frozen=True, slots=True)
class QueuedPage:
    """A page in the queue."""

    page: str
    url: str
    site: str
    why: str  # begun, shared, new
    doubt: float
    need: float
    people: int


def rank_pages(session: AnnotationSession, annotator: str) -> list[QueuedPage]:
    """Return the pages that an annotator has not finished, most needed first."""
    doubts = _doubts(session)
    sites: Counter[str] = Counter()
    waiting: list[tuple[int, QueuedPage]] = []
    for page, entry in session.source.entries.items():
        by_annotator = session.label_index.of_page(page)
        if by_annotator:
            sites[entry.site] += 1
        annotator_count = len(by_annotator)
        if annotator in by_annotator:
            if is_done(session, page, annotator):
                continue
            why, order = BEGUN, 0
        elif annotator_count >= session.max_annotators:
            continue
        else:
            why, order = (SHARED, 1) if annotator_count else (NEW, 2)
        doubt = doubts.get(page, UNKNOWN_DOUBT)
        waiting.append((order, QueuedPage(page, entry.url, entry.site, why, round(doubt, 3), doubt, annotator_count)))
    begun = [page_ for order, page_ in waiting if order == 0]
    shared = sorted(
        (page_ for order, page_ in waiting if order == 1), key=lambda page_: (-page_.people, -page_.doubt, page_.page)
    )
    new = _without_copies(session, [page_ for order, page_ in waiting if order == 2])
    return [*begun, *shared, *_spread(new, sites)]


def _spread(pages: list[QueuedPage], sites: Counter[str]) -> list[QueuedPage]:
    """Return new pages by need, taking turns between sites."""
    ranked = []
    taken = Counter(sites)
    for page in sorted(pages, key=lambda page: (-page.doubt, page.page)):
        need = page.doubt / (1 + taken[page.site])
        taken[page.site] += 1
        ranked.append(QueuedPage(page.page, page.url, page.site, page.why, page.doubt, round(need, 3), page.people))
    return sorted(ranked, key=lambda page: (-page.need, page.page))


def _without_copies(session: AnnotationSession, pages: list[QueuedPage]) -> list[QueuedPage]:
    """Return new pages without near copies of labelled pages or of pages with more doubt."""
    groups = _groups(session)
    taken = {group for page, group in groups.items() if session.label_index.of_page(page)}
    kept = []
    for page in sorted(pages, key=lambda page: (-page.doubt, page.page)):
        group = groups.get(page.page)
        if group is None or group not in taken:
            kept.append(page)
        if group is not None:
            taken.add(group)
    return kept


def _groups(session: AnnotationSession) -> dict[str, str]:
    """Return the representative of each page in a group of near duplicates."""
    if not isinstance(session.source, StorePageSource):
        return {}
    rows = session.source.store.read("near_duplicates", columns=["page_id", "duplicate_of"])
    copies = dict(zip(rows["page_id"].to_pylist(), rows["duplicate_of"].to_pylist(), strict=True))
    return {**{kept: kept for kept in copies.values()}, **copies}


def next_page(session: AnnotationSession, annotator: str, *, after: str = "") -> str | None:
    """Return the next page; `after` is the page on the screen, which is not offered again."""
    session.refresh()
    for queued in rank_pages(session, annotator):
        if queued.page != after and can_be_shown(session, queued.page):
            return queued.page
    return None


def can_be_shown(session: AnnotationSession, page: str) -> bool:
    """Return False for a page that cannot be read, or on which nothing is visible."""
    opening = session.begin(page)
    return opening.exception() is None and len(opening.result().ranges) > 0


def is_done(session: AnnotationSession, page: str, annotator: str) -> bool:
    """Return whether an annotator has labelled every leaf of a page."""
    leaves = session.label_index.of_page(page).get(annotator, {})
    return bool(leaves) and len(leaves) >= session.leaf_count(page)


def progress(session: AnnotationSession, annotator: str) -> dict[str, Any]:
    """Return the number of labelled pages, by number of annotators, and the annotator's own share."""
    pages_by_count: Counter[int] = Counter()
    annotators: set[str] = set()
    own = labels = 0
    for page in session.source.entries:
        by_annotator = session.label_index.of_page(page)
        pages_by_count[len(by_annotator)] += bool(by_annotator)
        annotators |= by_annotator.keys()
        own += annotator in by_annotator
        labels += len({one.block for one in by_annotator.get(annotator, {}).values()})
    return {
        "pages": len(session.source.entries), "labelled": sum(pages_by_count.values()),
        "by_people": dict(sorted(pages_by_count.items())), "own_pages": own, "own_blocks": labels,
        "annotators": len(annotators),
    }  # fmt: skip


def _doubts(session: AnnotationSession) -> dict[str, float]:
    if not isinstance(session.source, StorePageSource):
        return {}
    return {page: mean for page, (mean, _) in session.source.stored.doubts.items()}

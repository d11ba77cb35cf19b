"""What to label next: pages where the views disagree and the model is unsure, spread over sites.

A page that this person has begun comes first, then pages that others have labelled and that need more people, then new
ones. Among new ones a page's need is its mean doubt per block, divided by one more than the pages of its site that were
labelled or stand before it: the tenth page of a site teaches less than the first of another. Of pages that say nearly
the same (`near_duplicates`) one is offered, and none where one has labels.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from parcels.annotate.desk import Desk
from parcels.annotate.shelf import StoreShelf

UNKNOWN_DOUBT = 0.5  # of a page that no model has labelled yet: about that of an unsure one
BEGUN, SHARED, NEW = "begun", "shared", "new"


@dataclass(frozen=True, slots=True)
class Queued:
    """A page that waits."""

    page: str
    url: str
    site: str
    why: str  # begun, shared, new
    doubt: float
    need: float
    people: int


def ranked(desk: Desk, annotator: str) -> list[Queued]:
    """The pages that a person has not finished, most needed first."""
    doubts = _doubts(desk)
    sites: Counter[str] = Counter()
    waiting: list[tuple[int, Queued]] = []
    for page, entry in desk.shelf.entries.items():
        said = desk.said.of_page(page)
        if said:
            sites[entry.site] += 1
        people = len(said)
        if annotator in said:
            if is_done(desk, page, annotator):
                continue
            why, order = BEGUN, 0
        elif people >= desk.most:
            continue
        else:
            why, order = (SHARED, 1) if people else (NEW, 2)
        doubt = doubts.get(page, UNKNOWN_DOUBT)
        waiting.append((order, Queued(page, entry.url, entry.site, why, round(doubt, 3), doubt, people)))
    begun = [one for order, one in waiting if order == 0]
    shared = sorted((one for order, one in waiting if order == 1), key=lambda one: (-one.people, -one.doubt, one.page))
    new = _without_copies(desk, [one for order, one in waiting if order == 2])
    return [*begun, *shared, *_spread(new, sites)]


def _spread(pages: list[Queued], sites: Counter[str]) -> list[Queued]:
    """New pages by need, the sites taking turns."""
    found = []
    taken = Counter(sites)
    for one in sorted(pages, key=lambda one: (-one.doubt, one.page)):
        need = one.doubt / (1 + taken[one.site])
        taken[one.site] += 1
        found.append(Queued(one.page, one.url, one.site, one.why, one.doubt, round(need, 3), one.people))
    return sorted(found, key=lambda one: (-one.need, one.page))


def _without_copies(desk: Desk, pages: list[Queued]) -> list[Queued]:
    """New pages without those that nearly repeat a labelled page, or a page of more doubt."""
    groups = _groups(desk)
    taken = {group for page, group in groups.items() if desk.said.of_page(page)}
    found = []
    for one in sorted(pages, key=lambda one: (-one.doubt, one.page)):
        group = groups.get(one.page)
        if group is None or group not in taken:
            found.append(one)
        if group is not None:
            taken.add(group)
    return found


def _groups(desk: Desk) -> dict[str, str]:
    """The page that stands for each page of a group of near duplicates."""
    if not isinstance(desk.shelf, StoreShelf):
        return {}
    rows = desk.shelf.store.read("near_duplicates", columns=["page_id", "duplicate_of"])
    copies = dict(zip(rows["page_id"].to_pylist(), rows["duplicate_of"].to_pylist(), strict=True))
    return {**{kept: kept for kept in copies.values()}, **copies}


def next_page(desk: Desk, annotator: str, *, after: str = "") -> str | None:
    """The page that comes next; `after` is the one on the screen, which is not offered again at once."""
    desk.refresh()
    for one in ranked(desk, annotator):
        if one.page != after and can_be_shown(desk, one.page):
            return one.page
    return None


def can_be_shown(desk: Desk, page: str) -> bool:
    """False for a page that cannot be read, or on which nothing is visible."""
    found = desk.begin(page)
    return found.exception() is None and len(found.result().ranges) > 0


def is_done(desk: Desk, page: str, annotator: str) -> bool:
    """True where a person has labelled every leaf."""
    leaves = desk.said.of_page(page).get(annotator, {})
    return bool(leaves) and len(leaves) >= desk.leaf_count(page)


def progress(desk: Desk, annotator: str) -> dict[str, Any]:
    """How many pages have labels, by how many people, and this person's share."""
    people: Counter[int] = Counter()
    everybody: set[str] = set()
    own = labels = 0
    for page in desk.shelf.entries:
        said = desk.said.of_page(page)
        people[len(said)] += bool(said)
        everybody |= said.keys()
        own += annotator in said
        labels += len({one.block for one in said.get(annotator, {}).values()})
    return {
        "pages": len(desk.shelf.entries), "labelled": sum(people.values()), "by_people": dict(sorted(people.items())),
        "own_pages": own, "own_blocks": labels, "annotators": len(everybody),
    }  # fmt: skip


def _doubts(desk: Desk) -> dict[str, float]:
    if not isinstance(desk.shelf, StoreShelf):
        return {}
    return {page: mean for page, (mean, _) in desk.shelf.stored.doubts.items()}

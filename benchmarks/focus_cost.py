"""What a focus costs a page beyond parsing and layout: the topic, and the worth of every link."""

import time
from itertools import islice

from benchmarks import corpora
from crawler.frontier.contract import PAGE, Lease
from crawler.links import Link
from crawler.spiders.focused import FocusedGuide
from parcels.inputs import RawPage
from parcels.layout.render import LaidOut
from parcels.page import Page, read_page
from parcels.results import laid_within_bounds
from parcels.topics.examples import read_for_topics
from parcels.urls import canonical

EACH = 10  # every tenth page of webkb
BATCH = 50
MOST_MS = 5.0


def scoring_ms(guide: FocusedGuide) -> tuple[float, float]:
    """Milliseconds of CPU a page for topic and links, and for the parsing and layout before that.

    Pages are taken in batches: to read the clock for every page would cost as much as to score one.
    """
    scoring = before = 0.0
    raws = list(islice(corpora.pages("webkb"), 0, None, EACH))
    for start in range(0, len(raws), BATCH):
        began = time.process_time()
        read = [_read(raw) for raw in raws[start : start + BATCH]]
        read_at = time.process_time()
        for page, laid in read:
            _score(guide, page, laid)
        scoring += time.process_time() - read_at
        before += read_at - began
    return 1000 * scoring / len(raws), 1000 * before / len(raws)


def _read(raw: RawPage) -> tuple[Page, LaidOut | None]:
    page = read_page(raw.html, canonical(raw.url or ""))
    return page, laid_within_bounds(page)


def _score(guide: FocusedGuide, page: Page, laid: LaidOut | None) -> None:
    lease = Lease(0, "", page.url or "", 0.0, 0, None, None, PAGE, 0, None, 1, 1)
    for target in guide.judged(lease, read_for_topics(page, laid)):
        guide.note(lease, Link(target, "", None))

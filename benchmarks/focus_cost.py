"""What a focus costs a page, part by part: links, which every crawl reads, then reading, layout, topic and worths."""

import time
from dataclasses import dataclass, fields
from itertools import islice

from benchmarks import corpora
from crawler.frontier.contract import PAGE, Lease
from crawler.guides import with_note
from crawler.links import Link, links_of
from crawler.spiders.focused import FocusedGuide
from parcels.leaves import walk
from parcels.page import Page
from parcels.results import laid_within_bounds
from parcels.topics.examples import read_for_topics
from parcels.urls import canonical

EACH = 10  # every tenth page of webkb
BATCH = 50
PASSES = 3
MOST_MS = 5.0  # of topic and links


@dataclass
class Costs:
    """Milliseconds of CPU a page."""

    links: float = 0.0  # decoding, parsing and links, as in every crawl
    reading: float = 0.0  # the tree as arrays
    layout: float = 0.0  # styles, boxes and areas
    words: float = 0.0  # what stands where: terms by area, places of links
    judging: float = 0.0  # the topic, the worth of every link, learning, what the queue keeps

    @property
    def scoring(self) -> float:
        """What topic and links take beyond parsing and layout."""
        return self.words + self.judging

    @property
    def seeing(self) -> float:
        """What is spent to know where things stand."""
        return self.reading + self.layout

    def __str__(self) -> str:
        return (
            f"links {self.links:.2f} ms (as in every crawl), reading {self.reading:.2f}, layout {self.layout:.2f}, "
            f"topic and links {self.scoring:.2f} (words and places {self.words:.2f}, judging "
            f"{self.judging:.2f})"
        )


PARTS = [field.name for field in fields(Costs)]


def costs(guide: FocusedGuide) -> Costs:
    """What each part takes, the least of several passes: other work on a machine makes CPU only dearer."""
    found = [_one_pass(guide) for _ in range(PASSES)]
    return Costs(*(min(getattr(one, name) for one in found) for name in PARTS))


def _one_pass(guide: FocusedGuide) -> Costs:
    """Pages are taken in batches: to read the clock for every page would cost as much as to score one."""
    spent, pages, note = [0.0] * len(PARTS), 0, None
    raws = islice(corpora.pages("webkb"), 0, None, EACH)
    while batch := [(raw.html, canonical(raw.url or "") or "") for raw in islice(raws, BATCH)]:
        times = [time.process_time()]
        found = [links_of(html, url) for html, url in batch]
        times.append(time.process_time())
        read = [
            Page("", url, "utf-8", "crawl", links.root, *walk(links.root))
            for (_, url), links in zip(batch, found, strict=True)
            if links.root is not None  # what cannot be read is not judged
        ]
        found = [links for links in found if links.root is not None]
        times.append(time.process_time())
        laid = [laid_within_bounds(page) for page in read]
        times.append(time.process_time())
        seen = [
            read_for_topics(page, on_screen, base=links.base, known=links.known)
            for page, on_screen, links in zip(read, laid, found, strict=True)
        ]
        times.append(time.process_time())
        for page in seen:
            lease = Lease(0, "", page.url or "", 0.0, 0, None, None, PAGE, 0, note, 1, 1)
            for target in guide.judged(lease, page):  # the next page is one that this page links to: it is learned from
                note = with_note(guide.note(lease, Link(target, "", None)))
        times.append(time.process_time())
        spent = [total + end - start for total, start, end in zip(spent, times[:-1], times[1:], strict=True)]
        pages += len(batch)
    return Costs(*(1000 * total / pages for total in spent))

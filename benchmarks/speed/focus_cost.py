"""CPU time per page of a focused crawl, by part: links (read by every crawl), reading, words, layout of doubtful pages,
places and scores of links."""

import time
from dataclasses import dataclass, fields
from itertools import islice

from benchmarks import corpora
from crawler.frontier.contract import PAGE, Lease
from crawler.links.extract import Link, links_of
from crawler.links.policy import encode_note
from crawler.spiders.focused import FocusedLinkPolicy
from parcels.html.leaves import walk
from parcels.html.page import Page
from parcels.processed_page import ProcessedPage
from parcels.topics.examples import TopicReader
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
    words: float = 0.0  # the terms of the page, and what they say alone
    layout: float = 0.0  # styles, boxes and areas of the pages that they leave in doubt
    places: float = 0.0  # what stands where: terms by area, places of links
    judging: float = 0.0  # the topic, the worth of every link, learning, what the queue keeps
    laid: float = 0.0  # share of pages that are laid out: no time

    @property
    def scoring(self) -> float:
        """Return the time of topic and link scores, without parsing and layout."""
        return self.words + self.places + self.judging

    @property
    def seeing(self) -> float:
        """Return the time of reading and layout."""
        return self.reading + self.layout

    def __str__(self) -> str:
        return (
            f"links {self.links:.2f} ms (as in every crawl), reading {self.reading:.2f}, layout {self.layout:.2f} "
            f"({self.laid:.0%} of pages), topic and links {self.scoring:.2f} (words {self.words:.2f}, places "
            f"{self.places:.2f}, judging {self.judging:.2f})"
        )


PARTS = [field.name for field in fields(Costs)]


def costs(link_policy: FocusedLinkPolicy) -> Costs:
    """Return the time of each part: the minimum of several passes, since other work only adds to it."""
    found = [_one_pass(link_policy) for _ in range(PASSES)]
    return Costs(*(min(getattr(one, name) for one in found) for name in PARTS))


def _one_pass(link_policy: FocusedLinkPolicy) -> Costs:
    """Pages are taken in batches: to read the clock for every page would cost as much as to score one."""
    spent, pages, laid_out, note = [0.0] * (len(PARTS) - 1), 0, 0, None
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
        readers = [
            TopicReader(page, base=links.base, known=links.known) for page, links in zip(read, found, strict=True)
        ]
        in_doubt = [
            link_policy.focus.is_doubtful(reader.constituents, leads_on=bool(links.links))
            for reader, links in zip(readers, found, strict=True)
        ]
        times.append(time.process_time())
        laid = [
            ProcessedPage.parsed(reader.page).optional_layout if doubt else None
            for reader, doubt in zip(readers, in_doubt, strict=True)
        ]
        times.append(time.process_time())
        seen = [reader.read(on_screen) for reader, on_screen in zip(readers, laid, strict=True)]
        times.append(time.process_time())
        for page in seen:
            lease = Lease(0, "", page.url or "", 0.0, 0, None, None, PAGE, 0, note, 1, 1)
            for target in link_policy.judged(lease, page):  # it learns from the next page, which this page links to
                note = encode_note(link_policy.note(lease, Link(target, "", None)))
        times.append(time.process_time())
        spent = [total + end - start for total, start, end in zip(spent, times[:-1], times[1:], strict=True)]
        pages += len(batch)
        laid_out += sum(in_doubt)
    return Costs(*(1000 * total / pages for total in spent), laid_out / pages)

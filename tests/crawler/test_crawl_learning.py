"""A guide that learns: the queue follows what it has learned, and a killed crawl goes on with it."""

import itertools
import json
import os
import re
import sqlite3
from collections import Counter

import pytest
from crawl_loop import fetch_all, html, options, site, step

from crawler.links.policy import LearningLinkPolicy, note_of
from crawler.run import CrawlRun
from crawler.spiders.news import NewsLinkPolicy
from parcels.errors import ConfigError

HOME = "http://a.example/"
NAMES = itertools.count()


class WordGuide(NewsLinkPolicy):
    """Learns which words of links lead to pages about ferries; a link is worth the mean of its words."""

    def __init__(self, *, every=5):
        super().__init__()
        self.seen, self.good = Counter(), Counter()
        self.every, self.fresh = every, 0

    def scores(self, lease, found):
        words = (note_of(lease) or "").split()
        is_good = b"ferry" in found.html
        self.seen.update(words)
        self.good.update(words if is_good else ())
        self.fresh += 1
        return [self.worth(link.anchor) for link in found.links]

    def worth(self, words):
        rates = [(self.good[word] + 0.5) / (self.seen[word] + 1) for word in words.split()]
        return sum(rates) / len(rates) if rates else 0.5

    def note(self, lease, link):
        return link.anchor

    def wants_rescore(self):
        if self.fresh < self.every:
            return False
        self.fresh = 0
        return True

    def rescored(self, offers):
        return [self.worth(note_of(offer) or "") for offer in offers]

    def state(self):
        return json.dumps([self.seen, self.good], sort_keys=True).encode()

    def restore(self, state):
        self.seen, self.good = map(Counter, json.loads(state))


def web():
    """A hundred links in one list; those that say `harbour` lead to ferries."""
    names = [f"{'harbour' if n % 10 == 3 else 'garden'} report {n}" for n in range(100)]
    listed = "".join(f'<a href="/p/{n}">{name}</a>' for n, name in enumerate(names))
    pages = {
        f"{HOME}p/{n}": "<p>The ferry sails." if "harbour" in name else "<p>Roses." for n, name in enumerate(names)
    }
    return site({HOME: listed, **pages})


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=pytest.mark.redis)])
def opened(request, tmp_path):
    where = request.getfixturevalue("redis_server").url if request.param == "redis" else None
    name = f"learning{os.getpid()}.{next(NAMES)}"

    def make(link_policy=None, **fields):
        more = options(
            tmp_path, seeds=(HOME,), robots=False, concurrency=1, per_address=0, frontier=where, crawl=name, **fields
        )
        return CrawlRun(more, link_policy)

    return make


def harvest(leases):
    return sum(int(re.search(r"/p/(\d+)", lease.url)[1]) % 10 == 3 for lease in leases if "/p/" in lease.url)


def fetch(run, count):
    leases = []
    while len(leases) < count:
        run.session.tick()
        run.sink.settle()
        run.session._next_lease_at = 0.0
        lease = step(run, web())
        leases += [lease] if lease else []
    return leases


def test_the_queue_follows_what_was_learned(opened):
    link_policy = WordGuide()
    assert isinstance(link_policy, LearningLinkPolicy)
    run = opened(link_policy)
    leases = fetch(run, 60)
    assert harvest(leases) == 10  # all of them; without learning it would be about six
    assert run.session.learning.rescored > 50
    assert harvest(leases[-30:]) == 0  # they came first
    run.close()
    counts = {count["name"]: count["count"] for count in run.store.read("runs").to_pylist()[0]["counts"]}
    assert counts["rescored"] > 50


def test_a_crawl_goes_on_with_what_it_had_learned(opened):
    run = opened(WordGuide())
    fetch(run, 40)
    run.close()
    again = WordGuide()
    run = opened(again)
    assert again.seen["report"] == 39
    assert again.worth("harbour") > 0.8 > 0.3 > again.worth("garden")
    fetch_all(run, web())
    assert again.seen["report"] == 100


def test_notes_come_back_with_the_lease_and_outlive_a_redirect_and_a_revisit(tmp_path):
    moved = site({
        HOME: '<a href="/old">harbour</a>', f"{HOME}old": html("", status=301, Location="/new"),
        f"{HOME}new": html("<p>The ferry sails."),
    })  # fmt: skip
    link_policy = WordGuide()
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False, revisit=True), link_policy)
    leases = fetch_all(run, moved)
    assert [note_of(lease) for lease in leases] == [None, "harbour", "harbour"]
    assert link_policy.good["harbour"] == 1
    db = sqlite3.connect(tmp_path / "store" / "_crawl" / "crawl" / "frontier.sqlite")
    ((extra,),) = db.execute("SELECT extra FROM urls WHERE url = ?", (f"{HOME}new",)).fetchall()
    db.close()
    assert json.loads(extra)["note"] == "harbour"


def test_what_cannot_be_restored_is_told(opened):
    fetch_all(opened(WordGuide()), web())

    class Other(WordGuide):
        def restore(self, state):
            raise ValueError("these are counts of words")

    with pytest.raises(ConfigError, match="does not fit its options"):
        opened(Other())

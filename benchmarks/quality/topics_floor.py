"""One look at topics and focused crawls, for the pinned scores: each university held out once, one crawl a topic."""

from functools import cache
from typing import NamedTuple

import numpy as np

from benchmarks.experiments.focus import tasks
from benchmarks.experiments.focus_crawl import crawled, focused
from benchmarks.experiments.focus_report import AT
from benchmarks.quality.topics_data import webkb
from crawler.spiders.focused import FocusedLinkPolicy


class Unseen(NamedTuple):
    """Universities that were held out: share of pages whose topic is right, mean harvest at a quarter of the pages."""

    right: float
    harvest: float


@cache
def unseen_universities() -> Unseen:
    """Both, from models that were trained on the other universities."""
    found, university = webkb()
    right: dict[str, list[bool]] = {}
    harvests = []
    for name, web, topic, model in tasks(found, university):
        if name not in right:
            own = [e for e in found if university[e.name] == name]
            right[name] = [model.mixture.predict(e.page.constituents).topic == e.topic for e in own]
        order = crawled(web, topic, focused(web, FocusedLinkPolicy(model.focus(topic))))
        harvests.append(order.harvest(AT, len(web.reachable())))
    return Unseen(float(np.mean([hit for hits in right.values() for hit in hits])), float(np.mean(harvests)))

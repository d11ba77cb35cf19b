"""What links are worth, learned before a crawl from a graph of labelled pages: the prior of the link model.

Needs pages that know their address and link to each other. Each site's links are gone through in a random order, as a
crawl would meet them, so that the weights of what came of siblings are learned too; what a page is about is told by
mixtures that have not seen its site, as in a crawl.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from parcels.topics.examples import Example
from parcels.topics.focus import DECAY, HUB_LINKS, LEAST_ODDS, is_open
from parcels.topics.links.model import LinkModel
from parcels.topics.links.rows import LinkReader, LinkRow
from parcels.topics.links.tallies import Tallies
from parcels.topics.mixture import LayoutMixture

LEAST_LINKS = 50  # to pages of known topic, of which some lead to the topic
ROUNDS = 3
BACKUPS = 3  # links that a hub may be away
RATES = (0.2, 0.1, 0.05)
ONLINE_SQUARES = 4.0  # what was learned before a crawl is held on to as if each weight had moved so much


def learn_links(
    found: Sequence[Example], chances: Mapping[str, float], mixture: LayoutMixture, topic: str, *, seed: int = 0
) -> LinkModel | None:
    """The link model for a topic; None where the pages hardly link to each other. `chances` are by address."""
    by_url = {example.page.url: example for example in found if example.page.url}
    hubs, reader = hub_worth(by_url, topic), LinkReader(mixture.term_log_odds(topic))
    links: list[tuple[str, str, LinkRow]] = []  # site, target, row
    for url, example in by_url.items():
        chance = min(max(chances.get(url, 0.0), 1e-9), 1 - 1e-9)
        odds = float(np.clip(np.log(chance / (1 - chance)), -LEAST_ODDS, LEAST_ODDS))
        places = [place for place in example.page.links if place.target in by_url and place.target != url]
        if not is_open(chance):  # a crawl would not lay it out
            places = [place.unlaid() for place in places]
        rows = reader.rows(places, url, odds)
        links += [(example.site, place.target, row) for place, row in zip(places, rows, strict=True)]
    good = sum(by_url[target].topic == topic for _, target, _ in links)
    if len(links) < LEAST_LINKS or not 0 < good < len(links):
        return None
    model = LinkModel()
    rng = np.random.default_rng(seed)
    for rate in RATES[:ROUNDS]:
        tallies: dict[str, Tallies] = {}
        met: set[str] = set()
        for place in rng.permutation(len(links)).tolist():
            site, target, row = links[place]
            tally = tallies.setdefault(site, Tallies())
            tally.ready()
            siblings = tally.of(row.keys)
            model.learn(row, siblings, (float(by_url[target].topic == topic), hubs[target]), rate=rate)
            if target not in met:  # a page is fetched once
                met.add(target)
                tally.add(row.keys, chances.get(target, 0.0))
    inputs, input_squares, marks, mark_squares = model.weights()
    model.restore(inputs, np.maximum(input_squares, ONLINE_SQUARES), marks, mark_squares)
    return model


def hub_worth(by_url: Mapping[str, Example], topic: str) -> dict[str, float]:
    """What each page is worth as a hub: its links to the topic, or the best hub behind it, less by a decay."""
    targets = {url: {place.target for place in e.page.links if place.target in by_url} for url, e in by_url.items()}
    worth = {
        url: min(sum(by_url[target].topic == topic for target in of_page) / HUB_LINKS, 1.0)
        for url, of_page in targets.items()
    }
    for _ in range(BACKUPS):
        worth = {
            url: max([worth[url], *(DECAY * worth[target] for target in of_page)]) for url, of_page in targets.items()
        }
    return worth

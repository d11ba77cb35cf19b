"""Training of the link model before a crawl, from a graph of labelled pages.

Needs pages with addresses that link to each other. The links of each site are visited in random order, as in a crawl,
so that the weights of sibling outcomes are learned too. Topic probabilities of pages come from mixtures of other sites.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from parcels.topics.examples import TopicExample
from parcels.topics.focus import DECAY, HUB_LINKS, LEAST_ODDS, is_open
from parcels.topics.links.model import LinkModel
from parcels.topics.links.rows import LinkReader, LinkRow
from parcels.topics.links.tallies import Tallies
from parcels.topics.mixture import LayoutMixture

LEAST_LINKS = 50  # links to pages of known topic
ROUNDS = 3
BACKUPS = 3  # largest distance to a hub, in links
RATES = (0.2, 0.1, 0.05)
ONLINE_SQUARES = 4.0  # least sum of squared gradients after training, so that a crawl changes the weights slowly


def learn_links(
    examples: Sequence[TopicExample], chances: Mapping[str, float], mixture: LayoutMixture, topic: str, *, seed: int = 0
) -> LinkModel | None:
    """Train the link model for a topic, or return None for too few links; `chances` are by address."""
    by_url = {example.page.url: example for example in examples if example.page.url}
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


def hub_worth(by_url: Mapping[str, TopicExample], topic: str) -> dict[str, float]:
    """Return the hub value of each page: its share of links to the topic, or the decayed value of the best hub."""
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

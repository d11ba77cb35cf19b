"""Explanation of a link's score: its position, the parts of the score, and the outcomes of its siblings."""

from typing import Any

import numpy as np

from parcels.topics.examples import TopicPage
from parcels.topics.focus import Focus
from parcels.topics.links.model import INPUTS, LinkModel
from parcels.topics.links.places import LinkPlace
from parcels.topics.links.rows import LinkRow, mark, mark_names

MOST_MARKS = 8  # marks in an explanation


def explain_link(focus: Focus, page: TopicPage, url: str, target: str) -> dict[str, Any] | None:
    """Return position and score parts of the best link from a page to a target, or None without a link.

    `page` is laid out for the position; the score is that of the page as the crawl read it.
    """
    read = focus.as_crawled(page)
    chance = focus.chance(read.constituents)
    rows = focus.rows(read, url, chance)
    links = [(n, link) for n, link in enumerate(page.links) if link.target == target]
    if not links:
        return None
    worths = focus.worths([rows[n] for n, _ in links], [target] * len(links))
    best = int(np.argmax(worths))
    number, link = links[best]
    row = rows[number]
    siblings = focus.tallies.evidence([row.keys])
    chances = focus.links.chances([row], siblings)[0]
    return {
        "source": url,
        "source_chance": round(chance, 4),
        "place": _place(link),
        "chance": round(float(chances[0]), 4),
        "hub": round(float(chances[1]), 4),
        "worth": round(worths[best], 4),
        "parts": parts_of(focus.links, row, siblings[0].tolist()),
        "marks": _marks(focus.links, read.links[number], url, row),
    }


def parts_of(links: LinkModel, row: LinkRow, siblings: list[float]) -> dict[str, float]:
    """Return the contribution of each input, and of all marks together, to the log-odds."""
    values = (*row.dense, *siblings, 1.0)
    inputs, _, marks, _ = links.topic.weights()
    parts = {name: value * weight for name, value, weight in zip(INPUTS, values, inputs.tolist(), strict=True)}
    parts["marks"] = float(marks[list(row.marks)].sum())
    return {name: round(part, 3) for name, part in parts.items()}


def _place(link: LinkPlace) -> dict[str, Any]:
    return {
        "anchor": link.anchor, "area": link.area, "block": link.item, "heading": " ".join(link.heading),
        "around": " ".join(link.around), "links_in_group": link.group_count,
        "link_density": round(link.group_density, 3),
    }  # fmt: skip


def _marks(links: LinkModel, link: LinkPlace, url: str, row: LinkRow) -> dict[str, float]:
    """Return the marks with the largest weights, by name."""
    odds, marks = row.dense[4], links.topic.weights()[2]
    weights = {name: float(marks[mark(name)]) for name in mark_names(link, url, odds)}
    heaviest = sorted(weights, key=lambda name: -abs(weights[name]))[:MOST_MARKS]
    return {name: round(weights[name], 3) for name in heaviest if weights[name]}

"""Why a link is worth what it is: where it stands, what speaks for it, and what came of its siblings."""

from typing import Any

import numpy as np

from parcels.topics.examples import ReadPage
from parcels.topics.focus import Focus
from parcels.topics.links.model import INPUTS, LinkModel
from parcels.topics.links.places import LinkPlace
from parcels.topics.links.rows import LinkRow, mark, mark_names

MOST_MARKS = 8  # that are told


def explain_link(focus: Focus, page: ReadPage, url: str, target: str) -> dict[str, Any] | None:
    """The place of the best link from a page to a target, and the parts of its score; None where there is no link.

    `page` is laid out, so that the place can be told; its score is that of the page as the crawl has read it.
    """
    read = focus.as_crawled(page)
    chance = focus.chance(read.constituents)
    rows = focus.rows(read, url, chance)
    found = [(n, link) for n, link in enumerate(page.links) if link.target == target]
    if not found:
        return None
    worths = focus.worths([rows[n] for n, _ in found], [target] * len(found))
    best = int(np.argmax(worths))
    number, link = found[best]
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
    """What each number, and all marks together, add to the logarithm of the odds; their sum is the score's."""
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
    """The marks that weigh most, by name."""
    odds, marks = row.dense[4], links.topic.weights()[2]
    weights = {name: float(marks[mark(name)]) for name in mark_names(link, url, odds)}
    heaviest = sorted(weights, key=lambda name: -abs(weights[name]))[:MOST_MARKS]
    return {name: round(weights[name], 3) for name in heaviest if weights[name]}

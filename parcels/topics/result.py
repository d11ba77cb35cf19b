"""What `parcels topic` prints of a page."""

from typing import Any

from parcels.topics.examples import NO_ADDRESS, ReadPage
from parcels.topics.model import TopicModel

DIGITS = 4


def topic_of(page: ReadPage, model: TopicModel, *, focus: str | None = None) -> dict[str, Any]:
    """The topic, its likelihood in all and by area, and the links with the chance that they lead to it.

    Links are scored for the topic that is named, else for the page's own.
    """
    said = model.mixture.predict(page.constituents)
    wanted = focus or said.topic
    chances = link_chances(page, model, wanted)
    return {
        "topic": said.topic,
        "scores": _by_topic(said.topics, said.proba.tolist()),
        "areas": {area: _by_topic(said.topics, proba.tolist()) for area, proba in said.areas.items()},
        "links": [
            {"target": link.target, "anchor": link.anchor, "area": link.area, "score": round(chance, DIGITS)}
            for link, chance in zip(page.links, chances, strict=True)
        ],
        "links_to": wanted,
    }


def link_chances(page: ReadPage, model: TopicModel, topic: str) -> list[float]:
    """The chance of each link to lead to a topic, before anything was crawled."""
    focus = model.focus(topic, explore=0.0)
    rows = focus.rows(page, page.url or NO_ADDRESS, focus.chance(page.constituents))
    return [chance for chance, _ in focus.links.scored(rows, focus.tallies)]


def _by_topic(topics: tuple[str, ...], proba: list[float]) -> dict[str, float]:
    return {topic: round(chance, DIGITS) for topic, chance in zip(topics, proba, strict=True)}

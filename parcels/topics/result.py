"""The topic of a page as `parcels topic` prints it."""

from typing import Any

from parcels.topics.examples import NO_ADDRESS, TopicPage
from parcels.topics.model import TopicModel

DIGITS = 4


def topic_of(page: TopicPage, model: TopicModel, *, focus: str | None = None) -> dict[str, Any]:
    """Return the topic, probabilities overall and by area, and the links with their probability to lead to it.

    Links are scored for the topic `focus`, by default for the page's own.
    """
    prediction = model.mixture.predict(page.constituents)
    wanted = focus or prediction.topic
    chances = link_chances(page, model, wanted)
    return {
        "topic": prediction.topic,
        "scores": _by_topic(prediction.topics, prediction.proba.tolist()),
        "areas": {area: _by_topic(prediction.topics, proba.tolist()) for area, proba in prediction.areas.items()},
        "links": [
            {"target": link.target, "anchor": link.anchor, "area": link.area, "score": round(chance, DIGITS)}
            for link, chance in zip(page.links, chances, strict=True)
        ],
        "links_to": wanted,
    }


def link_chances(page: TopicPage, model: TopicModel, topic: str) -> list[float]:
    """Return the probability of each link to lead to a topic, before any crawling."""
    focus = model.focus(topic, explore=0.0)
    rows = focus.rows(page, page.url or NO_ADDRESS, focus.chance(page.constituents))
    return [chance for chance, _ in focus.links.scored(rows, focus.tallies)]


def _by_topic(topics: tuple[str, ...], proba: list[float]) -> dict[str, float]:
    return {topic: round(chance, DIGITS) for topic, chance in zip(topics, proba, strict=True)}

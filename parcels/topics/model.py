"""The topic model: the mixture and the link models of its topics, stored as plain data."""

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np

from parcels.errors import ModelMismatch
from parcels.learn.naive_bayes import NaiveBayes
from parcels.models.registry import find_model, read_header
from parcels.topics.counts import MOST_TERMS
from parcels.topics.features import CONSTITUENTS
from parcels.topics.focus import Focus
from parcels.topics.links.model import INPUTS, LinkModel
from parcels.topics.mixture import WHOLE, LayoutMixture

KIND, VERSION = "layout-mixture", 2
SHIPPED = "news_topics"
MOST_TOPICS = 1000
_AGAIN = "\nTrain it again: parcels train layout-mixture --data ... --out MODELDIR"


@dataclass
class TopicModel:
    """A mixture, link models by topic, and further fields of model.json."""

    mixture: LayoutMixture
    links: dict[str, LinkModel] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def topics(self) -> list[str]:
        """Return the topics, in alphabetical order."""
        return [str(topic) for topic in self.mixture.topics]

    def focus(self, topic: str, **settings: Any) -> Focus:
        """Return a new focus on one topic; its link model is a copy that may learn."""
        known = self.links.get(topic)
        links = LinkModel.from_bytes(known.to_bytes()) if known is not None else LinkModel()
        return Focus(self.mixture, topic, links, **settings)

    def save(self, folder: Path) -> None:
        """Write the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, learner in (*self.mixture.parts.items(), (WHOLE, self.mixture.whole)):
            learner.save(folder / name)
        terms = sorted(self.mixture.vocabulary, key=self.mixture.vocabulary.__getitem__)
        (folder / "vocabulary.txt").write_text("\n".join(terms), "utf-8")
        for topic, links in self.links.items():
            (folder / f"links{self.topics.index(topic)}.npz").write_bytes(links.to_bytes())
        stated = {
            "kind": KIND, "version": VERSION, "topics": self.topics, "constituents": CONSTITUENTS,
            "weights": self.mixture.weights, "sharpness": self.mixture.sharpness, "links": sorted(self.links),
            "link_inputs": INPUTS, **self.meta,
        }  # fmt: skip
        (folder / "model.json").write_text(json.dumps(stated, indent=1, ensure_ascii=False) + "\n", "utf-8")


def open_topic_model(folder: Traversable) -> TopicModel:
    """Open a model folder; raises ModelMismatch where it is invalid or of another version."""
    stated = read_header(folder, KIND)
    try:
        _check_header(stated)
        topics = stated["topics"]
        vocabulary = _vocabulary((folder / "vocabulary.txt").read_text("utf-8"))
        learners = {name: NaiveBayes.load(folder / name) for name in (*CONSTITUENTS, WHOLE)}
        for name, learner in learners.items():
            if learner.n_words_ != len(vocabulary) or learner.classes_.tolist() != topics:
                raise ModelMismatch(f"its part '{name}' does not fit its topics and vocabulary")
        whole = learners.pop(WHOLE)
        shares, sharpness = _weights(stated["weights"]), _weights(stated["sharpness"])
        mixture = LayoutMixture(vocabulary, np.array(topics), learners, whole, shares, sharpness)
        links = {
            topic: LinkModel.from_bytes((folder / f"links{topics.index(topic)}.npz").read_bytes())
            for topic in stated["links"]
        }
        meta: dict[str, Any] = {
            name: stated[name] for name in ("data", "scores", "made_by", "command") if name in stated
        }
    except ModelMismatch as error:
        raise ModelMismatch(f"the model at {folder} cannot be used: {error}{_AGAIN}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error
    return TopicModel(mixture, links, meta)


def _check_header(stated: dict[str, Any]) -> None:
    if stated.get("version") != VERSION:
        raise ModelMismatch(f"it is {KIND}@{stated.get('version')!s:.40}, this code reads {KIND}@{VERSION}")
    topics = stated["topics"]
    is_plain = isinstance(topics, list) and all(isinstance(topic, str) and topic for topic in topics)
    if not is_plain or sorted(set(topics)) != topics or not 2 <= len(topics) <= MOST_TOPICS:
        raise ModelMismatch("its topics are not a sorted list of at least two names")
    if stated["constituents"] != list(CONSTITUENTS):
        raise ModelMismatch(f"it was trained on other constituents: {stated['constituents']!r:.100}")
    if stated["link_inputs"] != list(INPUTS):
        raise ModelMismatch(f"its link models read other numbers: {stated['link_inputs']!r:.200}")
    if not isinstance(stated["links"], list) or not set(stated["links"]) <= set(topics):
        raise ModelMismatch("it has link models for topics that it does not have")


def _vocabulary(text: str) -> dict[str, int]:
    terms = text.split("\n") if text else []
    places = {term: place for place, term in enumerate(terms)}
    if len(places) != len(terms) or len(terms) > MOST_TERMS:
        raise ModelMismatch(f"its vocabulary has duplicates or more than {MOST_TERMS:,} terms")
    return places


def _weights(stated: Any) -> dict[str, float]:
    weights = {name: float(stated[name]) for name in CONSTITUENTS}
    if not all(0 <= weight <= 1 for weight in weights.values()) or not sum(weights.values()) > 0:
        raise ModelMismatch(f"its weights must be from 0 to 1 and not all 0, got {stated!r:.200}")
    return weights


@cache
def topic_model_at(path: str = SHIPPED) -> TopicModel:
    """Open a model by its folder, or a shipped one by its name; once per process."""
    return open_topic_model(find_model(path, KIND))

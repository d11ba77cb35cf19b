"""From labelled pages to a topic model: counts, weights on held-out sites, link models on held-out chances."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from parcels.learn.words import Floats
from parcels.topics.counts import counted
from parcels.topics.examples import Example, as_rows
from parcels.topics.links.train import learn_links
from parcels.topics.mixture import PAPER_SHARPNESS, PAPER_WEIGHTS, LayoutMixture, tempered
from parcels.topics.model import TopicModel
from parcels.topics.weights import held_out, learn_sharpness, learn_weights

WEIGHTS = ("learned", "paper")


def train_topics(
    found: Sequence[Example], *, weights: str = "learned", link_topics: Collection[str] | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> TopicModel:  # fmt: skip
    """Train on the pages; `weights` are the paper's, or learned on pages whose sites were held out.

    `link_topics` are the topics whose links are learned too, where the pages link to each other (None: all).
    """
    pages, topics = [e.page.constituents for e in found], [e.topic for e in found]
    mixture = LayoutMixture.from_counts(counted(zip(pages, topics, strict=True)))
    proba, present = held_out(pages, topics, [e.site for e in found])
    tell(f"{len(found)} pages, {len(mixture.vocabulary)} terms; weights on held-out sites")
    scores = weighed(mixture, proba, present, topics)
    if weights == "paper":
        mixture.weights, mixture.sharpness = dict(PAPER_WEIGHTS), dict(PAPER_SHARPNESS)
    mixed = mixture.mix(proba, present)
    links = {}
    urls = [example.page.url or "" for example in found]
    for column, topic in enumerate(mixture.topics.tolist()):
        if link_topics is None or topic in link_topics:
            chances = dict(zip(urls, mixed[:, column].tolist(), strict=True))
            model = learn_links(found, chances, mixture, topic)
            if model is not None:
                links[topic] = model
                tell(f"links to '{topic}' learned")
    return TopicModel(mixture, links, {"data": as_rows(found), "scores": scores})


def weighed(mixture: LayoutMixture, proba: Floats, present: Floats, topics: Sequence[str]) -> dict[str, float]:
    """Give a mixture the sharpness and weights that held-out pages speak for; returns the accuracy on them.

    `proba` is page x constituent x topic in the order of the mixture's topics, untempered. The accuracy of the paper's
    weights is told as well.
    """
    place = np.searchsorted(mixture.topics, np.array(topics))
    mixture.sharpness = learn_sharpness(proba, present, place)
    of_truth = tempered(proba, mixture.sharpness)[np.arange(len(proba)), :, place]
    mixture.weights = learn_weights(of_truth, present)
    by = {
        "accuracy": mixture.mix(proba, present),
        "accuracy_of_paper_weights": mixture.mix(proba, present, PAPER_WEIGHTS, PAPER_SHARPNESS),
    }
    return {name: round(float((mixed.argmax(axis=1) == place).mean()), 4) for name, mixed in by.items()}

"""Training of a topic model: counts, weights on held-out sites, link models on held-out probabilities."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from parcels.common.output import Log, log_nothing, log_to_stderr
from parcels.learn.words import Floats
from parcels.models.card import Source, Trained, examples_hash
from parcels.topics.counts import counted
from parcels.topics.examples import TopicExample, as_rows, checked, read_source
from parcels.topics.links.train import learn_links
from parcels.topics.mixture import PAPER_SHARPNESS, PAPER_WEIGHTS, LayoutMixture, tempered
from parcels.topics.model import TopicModel
from parcels.topics.weights import held_out_probabilities, learn_sharpness, learn_weights

CARD = """# Topics of pages by layout

Predicts which of {count} topics a page is about, from six constituents (header, footer, left and right menu, centre,
title with meta tags), with one Naive Bayes each, mixed by weights (Kovacevic et al. 2003, section 5). Predicts also the
probability that a link leads to a topic.

{made}- Topics, with the number of their pages: {topics}.
- Weights: {weights}; sharpness: {sharpness}.
- Accuracy on held-out sites, by folds: {accuracy} (with the paper's weights: {paper}).
- Link models: {links}.
- Limits: a page about anything else gets one of these topics too; words are stemmed as English; text written by scripts
  is not read.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages and write the model folder."""
    left_out: Counter[str] = Counter()
    of_source = [(source, read_source(source, left_out=left_out)) for source in data]
    examples = checked([example for _, own in of_source for example in own])
    model = train_topics(examples, log=log_to_stderr)
    trained = Trained(
        "layout-mixture",
        [Source(source, len(own), len({e.site for e in own})) for source, own in of_source],
        out,
        _hash(examples),
    )
    stated = trained.stated(**model.meta["data"])
    model.meta.update({name: stated[name] for name in ("data", "made_by", "command")})
    model.save(out)
    write_card(model, out, made=trained.lines())
    lost = f"; not read: {dict(left_out)}" if left_out else ""
    scores = model.meta["scores"]
    return (
        f"{len(examples)} pages, {len(model.topics)} topics{lost}\nweights: {format_weights(model.mixture.weights)}\n"
        f"accuracy on held-out sites {scores['accuracy']:.3f}, with the paper's weights "
        f"{scores['accuracy_of_paper_weights']:.3f}"
    )


def format_weights(numbers: Mapping[str, float]) -> str:
    """Format weights for reading.

    >>> format_weights({"header": 0.1, "centre": 0.5})
    'header 0.10, centre 0.50'
    """
    return ", ".join(f"{name} {number:.2f}" for name, number in numbers.items())


def write_card(model: TopicModel, out: Path, *, made: str) -> None:
    """Write the model's card; `made` are its lines about the command and the data."""
    about, scores = model.meta["data"], model.meta["scores"]
    card = CARD.format(
        count=len(model.topics), made=made, topics=", ".join(f"{name} ({n})" for name, n in about["topics"].items()),
        weights=format_weights(model.mixture.weights), sharpness=format_weights(model.mixture.sharpness),
        accuracy=scores.get("accuracy", "not measured"), paper=scores.get("accuracy_of_paper_weights", "not measured"),
        links=", ".join(sorted(model.links)) or "none (the pages hardly link to each other); words alone decide",
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")


def _hash(examples: Sequence[TopicExample]) -> str:
    return examples_hash(
        f"{one.site} {one.name} {one.topic} {sorted(one.page.constituents.whole().items())}" for one in examples
    )


def train_topics(
    examples: Sequence[TopicExample], *, weights: str = "learned", link_topics: Collection[str] | None = None,
    log: Log = log_nothing,
) -> TopicModel:  # fmt: skip
    """Train on labelled pages; `weights` is "paper", or "learned" for weights learned on held-out sites.

    `link_topics` are the topics with a link model (None: all), where the pages link to each other.
    """
    pages, topics = [e.page.constituents for e in examples], [e.topic for e in examples]
    mixture = LayoutMixture.from_counts(counted(zip(pages, topics, strict=True)))
    proba, present = held_out_probabilities(pages, topics, [e.site for e in examples])
    log(f"{len(examples)} pages, {len(mixture.vocabulary)} terms; weights on held-out sites")
    scores = weighed(mixture, proba, present, topics)
    if weights == "paper":
        mixture.weights, mixture.sharpness = dict(PAPER_WEIGHTS), dict(PAPER_SHARPNESS)
    mixed = mixture.mix(proba, present)
    links = {}
    urls = [example.page.url or "" for example in examples]
    for column, topic in enumerate(mixture.topics.tolist()):
        if link_topics is None or topic in link_topics:
            chances = dict(zip(urls, mixed[:, column].tolist(), strict=True))
            model = learn_links(examples, chances, mixture, topic)
            if model is not None:
                links[topic] = model
                log(f"links to '{topic}' learned")
    return TopicModel(mixture, links, {"data": as_rows(examples), "scores": scores})


def weighed(mixture: LayoutMixture, proba: Floats, present: Floats, topics: Sequence[str]) -> dict[str, float]:
    """Learn sharpness and weights of a mixture on held-out pages; returns the accuracy on them.

    `proba` is page x constituent x topic in the order of the mixture's topics, untempered. The result includes the
    accuracy with the paper's weights.
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

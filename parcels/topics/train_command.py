"""`parcels train layout-mixture`: from pages with topics to a topic model's folder."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from parcels.models.card import Source, Trained, examples_hash
from parcels.topics.examples import Example, checked, read_source
from parcels.topics.model import TopicModel
from parcels.topics.train import train_topics

CARD = """# Topics of pages by layout

Predicts which of {count} topics a page is about, from six constituents (header, footer, left and right menu, centre,
title with meta tags), each read by a Naive Bayes of its own and mixed by weights (Kovacevic et al. 2003, section 5);
and how likely a link leads to a topic.

{made}- Topics, with the number of their pages: {topics}.
- Weights: {weights}; sharpness: {sharpness}.
- Accuracy on sites that were held out, by folds: {accuracy} (with the paper's weights: {paper}).
- Link models: {links}.
- Limits: a page about anything else gets one of these topics all the same; words are stemmed as English ones; what
  scripts write into a page is not seen.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages and write the model."""
    left_out: Counter[str] = Counter()
    of_source = [(source, read_source(source, left_out=left_out)) for source in data]
    found = checked([example for _, own in of_source for example in own])
    model = train_topics(found, tell=_tell)
    trained = Trained(
        "layout-mixture",
        [Source(source, len(own), len({e.site for e in own})) for source, own in of_source],
        out,
        _hash(found),
    )
    stated = trained.stated(**model.meta["data"])
    model.meta.update({name: stated[name] for name in ("data", "made_by", "command")})
    model.save(out)
    write_card(model, out, made=trained.lines())
    lost = f"; not read: {dict(left_out)}" if left_out else ""
    scores = model.meta["scores"]
    return (
        f"{len(found)} pages, {len(model.topics)} topics{lost}\nweights: {told(model.mixture.weights)}\n"
        f"accuracy on held-out sites {scores['accuracy']:.3f}, with the paper's weights "
        f"{scores['accuracy_of_paper_weights']:.3f}"
    )


def told(numbers: Mapping[str, float]) -> str:
    """Weights in words.

    >>> told({"header": 0.1, "centre": 0.5})
    'header 0.10, centre 0.50'
    """
    return ", ".join(f"{name} {number:.2f}" for name, number in numbers.items())


def write_card(model: TopicModel, out: Path, *, made: str) -> None:
    """Write the model's card; `made` are its lines about the command and the data."""
    about, scores = model.meta["data"], model.meta["scores"]
    card = CARD.format(
        count=len(model.topics), made=made, topics=", ".join(f"{name} ({n})" for name, n in about["topics"].items()),
        weights=told(model.mixture.weights), sharpness=told(model.mixture.sharpness),
        accuracy=scores.get("accuracy", "not measured"), paper=scores.get("accuracy_of_paper_weights", "not measured"),
        links=", ".join(sorted(model.links)) or "none (the pages hardly link to each other); words alone decide",
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")


def _hash(found: Sequence[Example]) -> str:
    return examples_hash(
        f"{one.site} {one.name} {one.topic} {sorted(one.page.constituents.whole().items())}" for one in found
    )


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

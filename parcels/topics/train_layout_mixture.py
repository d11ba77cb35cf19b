"""`parcels train layout-mixture`: from pages with topics to a topic model's folder."""

import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from parcels import __version__
from parcels.topics.examples import examples
from parcels.topics.model import TopicModel
from parcels.topics.training import train_topics

CARD = """# Topics of pages by layout

Says which of {count} topics a page is about, from six constituents (header, footer, left and right menu, centre, title
with meta tags), each read by a Naive Bayes of its own and mixed by weights (Kovacevic et al. 2003, section 5); and how
likely a link leads to a topic.

- Trained by: `parcels train layout-mixture --data {data} --out {out}` (parcels {version}), on {pages} pages of {sites}
  sites.
- Topics: {topics}.
- Weights: {weights}; sharpness: {sharpness}.
- Accuracy on sites that were held out, by folds: {accuracy} (with the paper's weights: {paper}).
- Link models: {links}.
- Limits: words are stemmed as English ones; what scripts write into a page is not seen.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages and write the model."""
    left_out: Counter[str] = Counter()
    found = examples(data, left_out=left_out)
    model = train_topics(found, tell=_tell)
    model.meta["made_by"] = f"parcels {__version__}"
    model.save(out)
    write_card(model, out, data=" ".join(folder.name for folder in data))
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


def write_card(model: TopicModel, out: Path, *, data: str) -> None:
    """Say where the model comes from."""
    about, scores = model.meta["data"], model.meta["scores"]
    card = CARD.format(
        count=len(model.topics), data=data, out=out.name, version=__version__, pages=about["pages"],
        sites=about["sites"], topics=", ".join(f"{name} ({n})" for name, n in about["topics"].items()),
        weights=told(model.mixture.weights), sharpness=told(model.mixture.sharpness),
        accuracy=scores.get("accuracy", "not measured"), paper=scores.get("accuracy_of_paper_weights", "not measured"),
        links=", ".join(sorted(model.links)) or "none (the pages hardly link to each other); words alone decide",
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

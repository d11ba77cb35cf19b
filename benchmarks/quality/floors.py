"""Pinned scores on the labelled corpora: `python -m benchmarks.quality.floors` fails where one is below its floor.

A floor holds for the corpus whose hash stands beside it, and only rises: raise it in the commit that earns it.
"""

import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq

from benchmarks import corpora
from benchmarks.experiments.train_areas import Trainer, layouts_of
from benchmarks.quality.area_gold import gold_pages
from benchmarks.quality.area_scores import summary
from benchmarks.quality.topics_floor import unseen_universities
from parcels.articles.examples import gold_rows
from parcels.articles.scores import word_f1
from parcels.cli.commands.extract import EXTRACTORS
from parcels.divide import coarse, fine
from parcels.divide.division import Division
from parcels.errors import InputMissing
from parcels.html.page import Page, read_page
from parcels.labels.evaluate import evaluate
from parcels.labels.examples import read_examples
from parcels.labels.gold import INSIDE_TEXT, Gold, find, read_gold
from parcels.labels.model import model_at
from parcels.labels.scores import Score
from parcels.labels.train_command import LEAVE_OUT
from parcels.learn.folds import fold_of_group
from parcels.pagetypes.evaluate import type_scores
from parcels.pagetypes.examples import typed_page
from parcels.pagetypes.train import OWN, predicted
from parcels.segments.evaluate import fold_scores
from parcels.segments.examples import read_marked
from parcels.segments.report import mean_of
from parcels.segments.segmenters import DEFAULT


class Floor(NamedTuple):
    """The least that a score may be, and the corpus it was seen on."""

    corpus: str
    fingerprint: str
    least: float


def gold(page: Page) -> Gold:
    """The page's gold leaves and where they are in the page."""
    return find(page, read_gold(corpora.folder() / "news17" / "gold" / f"{page.name}.json"))


LEVELS = dict.fromkeys(
    ["title", "maincontent", "contentimage", "subheaders", "timestamp", "reporter", "source", "country"], "important"
) | {"suppcontent": "related", "relatedlinks": "related"}


def purity(divide: Callable[[Page], Division], value: Callable[[str], str]) -> float:
    """Share of the gold's characters that have the commonest label of their block: the best that labels can reach."""
    total = right = 0
    for raw in corpora.pages("news17"):
        page = read_page(raw.html, name=raw.name)
        votes: list[Counter[str]] = []
        block_of = {}
        for number, (first, end) in enumerate(divide(page).ranges()):
            votes.append(Counter())
            block_of.update(dict.fromkeys(range(first, end), number))
        labelled = gold(page)
        for leaf, at in zip(labelled.leaves, labelled.at, strict=True):
            if at >= 0:
                votes[block_of[at]][value(INSIDE_TEXT.get(leaf.label, leaf.label))] += leaf.size
        total += sum(vote.total() for vote in votes)
        right += sum(max(vote.values()) for vote in votes if vote)
    return right / total


def leaves_found() -> float:
    """Share of the gold leaves that the walk finds, in order."""
    places = [at for raw in corpora.pages("news17") for at in gold(_page(raw)).at]
    return sum(at >= 0 for at in places) / len(places)


def _page(raw: corpora.RawPage) -> Page:
    return read_page(raw.html, name=raw.name)


@cache
def unseen_labels() -> Score:
    """The shipped model's labels on the pages of news17 that it was not trained on, each of another site."""
    folder = corpora.folder() / "news17"
    examples = [example for example in read_examples(folder) if example.page.startswith(LEAVE_OUT)]
    return evaluate(model_at("news"), examples).score()


def unseen_articles(extractor: str) -> float:
    """F1 of words of a shipped extractor on L3S-GN1, which none was trained on."""
    chosen, scores = EXTRACTORS[extractor], []
    for row in gold_rows(corpora.folder() / "l3s-gn1"):
        page = read_page(row["html"], row["url"], name=row["page"])
        scores.append(word_f1(row["text"], chosen.extract(page, chosen.open(chosen.shipped)).text))
    return sum(scores) / len(scores)


@cache
def area_trainer() -> Trainer:
    pages = gold_pages()
    return Trainer(pages, layouts_of(pages))


def unseen_areas() -> float:
    """Macro F1 of the areas on the virtual screen's boxes, with weights that were learned from other sites."""
    trainer = area_trainer()
    return summary(list(trainer.scores(trainer.folds(), "virtual").values())).macro_f1


def unseen_area_marks() -> float:
    """Share of the pages that are good or excellent by the paper's mark, likewise, mean over several draws of folds."""
    return float(np.mean([draw.good for draw in area_trainer().draws("virtual")]))


def unseen_segments() -> float:
    """ARI at level 1 of the first of four folds of sites, by weights that were learned from the other three."""
    marked, _ = read_marked(corpora.folder() / "segments")
    return mean_of(fold_scores(marked, 0, level=1, segmenters=[DEFAULT])[DEFAULT], "ari")


def unseen_page_types() -> float:
    """Share of types right on a fourth of the sites of every other page of wcxb, learned from the other three."""
    rows = pq.read_table(corpora.folder() / "wcxb" / "pages.parquet", columns=["page", "page_type"]).to_pylist()
    types = {str(row["page"]): row["page_type"] for row in rows[::2]}
    pages = [typed_page(raw, types[raw.name]) for raw in corpora.pages("wcxb") if raw.name in types]
    fold = fold_of_group(np.array([page.site for page in pages]), folds=4)
    seen = [page for page, own in zip(pages, fold, strict=True) if own]
    held_out = [page for page, own in zip(pages, fold, strict=True) if not own]
    return type_scores([page.page_type for page in held_out], predicted(seen, held_out, OWN)).accuracy


SCORES: dict[str, Callable[[], float]] = {
    "leaves found": leaves_found,
    "fine blocks, purity of 17 labels": lambda: purity(fine.divide, str),
    "coarse blocks, purity of 3 levels": lambda: purity(coarse.divide, lambda label: LEVELS.get(label, "unrelated")),
    "labels of unseen sites, blocks right": lambda: 1 - unseen_labels().block_error,
    "labels of unseen sites, chars right": lambda: 1 - unseen_labels().char_error,
    "areas of unseen sites, macro F1": unseen_areas,
    "areas of unseen sites, good pages": unseen_area_marks,
    "articles of unseen sites, words": lambda: unseen_articles("parcels"),
    "articles of unseen sites, words, svm": lambda: unseen_articles("svm"),
    "topics of unseen universities, right": lambda: unseen_universities().right,
    "focused crawls, harvest at a quarter": lambda: unseen_universities().harvest,
    "segments of unseen sites, ARI": unseen_segments,
    "page types of unseen sites, right": unseen_page_types,
}
NEWS17, L3S, WEBKB = "4e8c181ebed91678", "3e998091806195b3", "597487aebacb90cb"
FLOORS = {
    "leaves found": Floor("news17", NEWS17, 0.9995),
    "fine blocks, purity of 17 labels": Floor("news17", NEWS17, 0.9945),
    "coarse blocks, purity of 3 levels": Floor("news17", NEWS17, 0.973),
    "labels of unseen sites, blocks right": Floor("news17", NEWS17, 0.9),
    "labels of unseen sites, chars right": Floor("news17", NEWS17, 0.905),
    "areas of unseen sites, macro F1": Floor("segments", "71e64440c60fb5e2", 0.78),
    "areas of unseen sites, good pages": Floor("segments", "71e64440c60fb5e2", 0.845),
    "articles of unseen sites, words": Floor("l3s-gn1", L3S, 0.94),
    "articles of unseen sites, words, svm": Floor("l3s-gn1", L3S, 0.88),
    "topics of unseen universities, right": Floor("webkb", WEBKB, 0.735),
    "focused crawls, harvest at a quarter": Floor("webkb", WEBKB, 0.5),
    "segments of unseen sites, ARI": Floor("segments", "71e64440c60fb5e2", 0.785),
    "page types of unseen sites, right": Floor("wcxb", "23afca70b1c9725e", 0.80),
}


def main() -> int:
    missed = 0
    for name, floor in FLOORS.items():
        seen = corpora.fingerprint(floor.corpus)
        if seen != floor.fingerprint:
            print(
                f"{name}: {floor.corpus} is {seen}, the floor was set on {floor.fingerprint}: measure and set it anew"
            )
            missed += 1
            continue
        score = SCORES[name]()
        is_below = score < floor.least
        missed += is_below
        print(
            f"{'BELOW' if is_below else 'ok':<6} {name:<36} {score:.4f}  floor {floor.least}  ({floor.corpus} {seen})"
        )
    return 4 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputMissing as error:
        sys.exit(f"quality: {error}")

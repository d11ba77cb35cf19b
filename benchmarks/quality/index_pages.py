"""Article or index page on news-pool, by five folds of sites: right by the corpus' answers, and by answers checked.

    python -m benchmarks index_pages
    python -m benchmarks.quality.index_pages --doubtful

Models learn from pages read for this project (`benchmarks.labels.index_labels`), wcxb and news17, without the sites on
which they are scored. The corpus has one bit per page, also for pages that are neither, such as products and threads.
*Checked* is the answer of a reader where there is one; pages that a reader calls neither are left out. *Drawn* are the
pages read without the corpus' answers, weighted by the layers from which they were drawn. `--doubtful`
prints the pages that the corpus calls an article and a reader an index page, or the reverse.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchmarks.corpora import fingerprint, folder
from benchmarks.labels import index_labels
from benchmarks.speed.timing import cpu_ms
from parcels.articles.article import Heading, heading_of
from parcels.articles.body.parts import content_parts
from parcels.articles.examples import site_of
from parcels.errors import SkipRecord
from parcels.html.page import read_page
from parcels.html.structured import Claim, claims
from parcels.index_pages.evaluate import article_scores
from parcels.index_pages.examples import ANSWERS, ARTICLE, OTHER, IndexExample, read_examples
from parcels.index_pages.features import as_rows, index_features
from parcels.index_pages.model import Chances, index_model_at
from parcels.index_pages.train import fitted
from parcels.index_pages.types import settled_types
from parcels.learn.folds import fold_of_group
from parcels.pagetypes.features import tokens_of
from parcels.pagetypes.model import page_types_at

CORPUS, FOLDS = "news-pool", 5
RIGHT, CHECKED = 0.92, 0.95  # marks: by the corpus' answers, and by answers checked
GROUPS = {
    "en": "English", "de": "German", "nl": "German", "sv": "Scandinavian", "no": "Scandinavian", "da": "Scandinavian",
    "fr": "Romance", "es": "Romance", "it": "Romance", "pt": "Romance", "ca": "Romance", "ro": "Romance",
    "zh": "Chinese, Japanese, Korean", "ja": "Chinese, Japanese, Korean", "ko": "Chinese, Japanese, Korean",
    "th": "Thai", "ru": "Cyrillic", "uk": "Cyrillic", "bg": "Cyrillic", "sr": "Cyrillic", "mk": "Cyrillic",
    "ar": "Arabic, Persian", "fa": "Arabic, Persian",
}  # fmt: skip
FURTHER = "further languages"
TIMED, REPEATS = 40, 3
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class PoolPage:
    """One page of news-pool: its answers, its features, and its types by the page-type model."""

    name: str
    site: str
    group: str
    is_article: bool  # the corpus' answer
    row: list[float]
    types: dict[str, float]


def pool_pages() -> Iterator[PoolPage]:
    """Yield the pages of news-pool; the page-type model has seen none of them."""
    machine = page_types_at().by_names
    file = pq.ParquetFile(folder() / CORPUS / "pages.parquet")
    for batch in file.iter_batches(batch_size=32, columns=["page", "url", "html", "language", "is_article"]):
        for row in batch.to_pylist():
            try:
                page = read_page(row["html"], row["url"], name=row["page"])
            except SkipRecord:
                continue
            parts, page_claims = content_parts(page), claims(page)
            heading = heading_of(parts, page_claims)
            names = dict.fromkeys(tokens_of(parts, page_claims, page.url), 1)
            proba = machine.probabilities(machine.scores([names]))[0].tolist()
            yield PoolPage(
                row["page"], site_of(row["url"], row["page"]), GROUPS.get(row["language"], FURTHER), row["is_article"],
                index_features(heading.lines, heading.line, page_claims, page.url),
                dict(zip(machine.types, proba, strict=True)),
            )  # fmt: skip


def chances_of(pages: list[PoolPage], examples: list[IndexExample]) -> list[Chances]:
    """Return the chances of each page, by a model that has not seen its site."""
    fold = fold_of_group(np.array([page.site for page in pages]), folds=FOLDS)
    chances = [Chances(0.0, 0.0, 0.0)] * len(pages)
    for number in range(FOLDS):
        rows = np.flatnonzero(fold == number).tolist()
        sites = {pages[row].site for row in rows}
        model = fitted([example for example in examples if example.site not in sites])
        proba = model.trees.predict_proba(as_rows([pages[row].row for row in rows]), None)
        for row, own in zip(rows, proba.tolist(), strict=True):
            chances[row] = Chances(*own)
        print(f"fold {number + 1} of {FOLDS} done")
    return chances


def examples_of_all() -> list[IndexExample]:
    """Return the examples that the shipped model learns from, read anew."""
    build = index_labels.BUILD
    index_labels.write(build)
    return [example for path in (build, folder() / "wcxb", folder() / "news17") for example in read_examples(path)[0]]


def main() -> bool:
    pages = list(pool_pages())
    print(f"-- {CORPUS} ({fingerprint(CORPUS)}): {len(pages)} pages of {len({page.site for page in pages})} sites")
    chances = chances_of(pages, examples_of_all())
    alone = np.array([ANSWERS[int(np.argmax(own))] == ARTICLE for own in chances])
    settled = [settled_types(page.types, own) for page, own in zip(pages, chances, strict=True)]
    with_types = np.array([max(types, key=types.__getitem__) == ARTICLE for types in settled])
    gold, read = np.array([page.is_article for page in pages]), index_labels.own_answers()
    is_either = np.array([read.get(page.name) != OTHER for page in pages])
    checked = np.array([read.get(page.name, ARTICLE if page.is_article else "") == ARTICLE for page in pages])
    both = np.array([page.name in read for page in pages]) & is_either
    print(
        f"{len(read)} pages read: {(~is_either).sum()} neither; {(gold != checked)[both].sum()} of {both.sum()} differ"
    )
    reached = []
    for name, decided in (("index model", alone), ("crawler", with_types)):
        raw = article_scores(gold.tolist(), decided.tolist())
        own = article_scores(checked[is_either].tolist(), decided[is_either].tolist())
        print(f"{name:11} by the corpus: {raw}\n{'':11} checked:       {own}")
        print(f"{'':11} drawn:         right {drawn_right(pages, checked == decided, is_either):.4f}")
        reached += [raw.right >= RIGHT, own.right >= CHECKED]
    print(f"answers of the corpus, drawn: right {drawn_right(pages, checked == gold, is_either):.4f}")
    _print_groups(pages, checked, with_types, is_either)
    print_cost()
    return all(reached)


def drawn_right(pages: list[PoolPage], is_right: Bools, is_either: Bools) -> float:
    """Return the share of articles and index pages decided right, estimated from the pages drawn at random."""
    drawn, shares, weights = index_labels.drawn(), [], []
    for layer, size in index_labels.LAYERS.items():
        rows = np.array([drawn.get(page.name) == layer for page in pages])
        shares.append(is_right[rows & is_either].mean())
        weights.append(size * is_either[rows].mean())
    return float(np.average(shares, weights=weights))


def _print_groups(pages: list[PoolPage], gold: Bools, decided: Bools, is_either: Bools) -> None:
    groups = np.array([page.group for page in pages])
    for name in sorted(set(groups), key=lambda name: -(groups == name).sum()):
        rows = (groups == name) & is_either
        print(f"  {name:26} {article_scores(gold[rows].tolist(), decided[rows].tolist())}")


def print_cost() -> None:
    """Print the CPU time of the decision on pages whose lines and title are known."""
    model, read = index_model_at(), []
    for row in pq.read_table(folder() / CORPUS / "pages.parquet").slice(0, TIMED).to_pylist():
        page = read_page(row["html"], row["url"])
        page_claims = claims(page)
        read.append((heading_of(content_parts(page), page_claims), page_claims, page.url))

    def decided(item: tuple[Heading, list[Claim], str | None]) -> object:
        heading, page_claims, url = item
        return model.chances(index_features(heading.lines, heading.line, page_claims, url))

    took = cpu_ms({"decision": decided}, read, repeats=REPEATS)
    print(f"decision: {took['decision']:.2f} ms of CPU per page, lines and title known")


def print_doubtful() -> None:
    """Print the pages on which the corpus and a reader differ."""
    table = pq.read_table(folder() / CORPUS / "pages.parquet", columns=["page", "url", "is_article"])
    read = index_labels.own_answers()
    for row in table.to_pylist():
        answer = read.get(row["page"], OTHER)
        if answer != OTHER and (answer == ARTICLE) != row["is_article"]:
            print(f"{'article' if row['is_article'] else 'no article':10} read: {answer:8} {row['url']}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.index_pages", description=__doc__)
    parser.add_argument("--doubtful", action="store_true", help="print the corpus' answers that a reader contradicts")
    if parser.parse_args().doubtful:
        print_doubtful()
    else:
        raise SystemExit(0 if main() else 4)

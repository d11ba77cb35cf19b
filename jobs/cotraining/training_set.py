"""What co-training learns from: blocks that people labelled, some sites held out, and the words that count."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash

from jobs.engine.rows import NEEDED, views_of
from jobs.engine.views import frame, having
from jobs.featurize import feature_list
from parcels.annotate.vote import vote
from parcels.errors import InputMissing
from parcels.labels.gold import IMAGE_CHARS, INSIDE_TEXT
from parcels.learn.learner import Labelled
from parcels.store import Store
from parcels.urls import registered

MOST_TERMS = 20_000  # of the vocabulary: the terms on most pages, so that it does not grow with the crawl
LEAST_TERM_PAGES = 2
NO_LABEL = "none"


@dataclass(frozen=True)
class TrainingSet:
    """Labelled blocks with their features (columns of `features`, and `label`, `site`), and the vocabulary."""

    labelled: pa.Table
    held_out: pa.Table
    vocabulary: dict[str, int]

    def rows(self, *, is_held_out: bool = False) -> Labelled:
        """The arrays that learners read."""
        return arrays(self.held_out if is_held_out else self.labelled, self.vocabulary)


def arrays(rows: pa.Table, vocabulary: Mapping[str, int]) -> Labelled:
    """Rows with a `label` as arrays."""
    ids = np.array(rows["block_id"].to_pylist(), dtype=str)
    return Labelled(ids, np.array(rows["label"].to_pylist(), dtype=str), views_of(rows, vocabulary))


def annotated_pages(spark: Any, store: Store, crawl: str) -> Any:
    """The pages that somebody labelled."""
    return frame(spark, store, "annotations").where(having(crawl=crawl)).select("page_id").distinct()


def make_training_set(spark: Any, store: Store, crawl: str, *, held_out: float) -> TrainingSet:
    """Gather the labelled blocks of a crawl; `held_out` is the share of the sites that nothing is learned from."""
    labels = block_labels(spark, store, crawl)
    if not labels:
        raise InputMissing(
            f"crawl '{crawl}' has no labelled blocks: label some (parcels annotate, or parcels import annotations), "
            "then parcels run divide"
        )
    rows = _features(spark, store, crawl, labels)
    is_held_out = np.array([_is_held_out(site, held_out) for site in rows["site"].to_pylist()], bool)
    if is_held_out.all() or len(set(rows["site"].to_pylist())) < 2:
        is_held_out[:] = False  # one site cannot tell how others will do
    vocabulary = _vocabulary(spark, store, crawl, rows)
    return TrainingSet(rows.filter(pa.array(~is_held_out)), rows.filter(pa.array(is_held_out)), vocabulary)


def block_labels(spark: Any, store: Store, crawl: str) -> dict[str, str]:
    """For each block the label with most characters among its labelled leaves, as people said it last and voted.

    Labels name leaves by ordinal and text: where the page has another text there now, the label is not used.
    """
    from pyspark.sql import functions as f

    said = frame(spark, store, "annotations").where(having(crawl=crawl, unit="leaf"))
    last = said.groupBy("page_id", "n", "annotator").agg(f.max(f.struct("annotated_at", "label", "text")).alias("said"))
    last = last.select("page_id", "n", "said.label", "said.text").where(f.col("label") != NO_LABEL)
    blocks = frame(spark, store, "blocks").where(having(crawl=crawl)).where(f.col("divider").startswith("fine@"))
    leaves = blocks.join(f.broadcast(last.select("page_id").distinct()), "page_id").select(
        "block_id", "page_id", f.explode("leaves").alias("leaf")
    )  # fmt: skip
    leaves = leaves.select("block_id", "page_id", "leaf.n", "leaf.kind", f.col("leaf.text").alias("now"))
    rows = leaves.join(last, ["page_id", "n"]).where(f.col("now") == f.col("text"))
    return majority(voted(rows.select("block_id", "n", "kind", "text", "label").collect()))


def voted(rows: Iterable[Any]) -> Iterator[tuple[str, str, str, str]]:
    """One label a leaf from the rows (block_id, n, kind, text, label) of all people; where they are at odds, none.

    >>> list(voted([("a", 1, "text", "x", "ads"), ("a", 1, "text", "x", "title"), ("a", 2, "text", "y", "ads")]))
    [('a', 'text', 'y', 'ads')]
    """
    labels: dict[tuple[str, int, str, str], list[str]] = {}
    for block, n, kind, text, label in rows:
        labels.setdefault((block, n, kind, text), []).append(label)
    for (block, _, kind, text), said in labels.items():
        label = vote(said)
        if label is not None:
            yield block, kind, text, label


def majority(leaves: Iterable[Any]) -> dict[str, str]:
    """The label of each block from its leaves' (block_id, kind, text, label); between equals the first by name.

    >>> majority([("a", "text", "long text", "title"), ("a", "text", "x", "ads"), ("b", "img", "", "ads")])
    {'a': 'title', 'b': 'ads'}
    """
    votes: dict[str, Counter[str]] = {}
    for block, kind, text, label in leaves:
        size = max(1, len(text)) if kind == "text" else IMAGE_CHARS
        votes.setdefault(block, Counter())[INSIDE_TEXT.get(label, label)] += size
    return {block: min(vote, key=lambda label: (-vote[label], label)) for block, vote in sorted(votes.items())}


def _features(spark: Any, store: Store, crawl: str, labels: Mapping[str, str]) -> pa.Table:
    from pyspark.sql import functions as f

    known = spark.createDataFrame(list(labels.items()), "block_id string, label string")
    features = frame(spark, store, "features").where(having(crawl=crawl, feature_list=feature_list()))
    hosts = frame(spark, store, "pages").where(having(crawl=crawl)).select("page_id", "host", "url").distinct()
    rows = features.join(f.broadcast(known), "block_id").join(hosts, "page_id")
    found = rows.select(*NEEDED, "label", f.coalesce("host", "url").alias("site")).toArrow().sort_by("block_id")
    if not len(found):
        raise InputMissing(f"the labelled blocks of crawl '{crawl}' have no features: parcels run featurize")
    sites = pa.array([registered(site) for site in found["site"].to_pylist()], pa.string())
    return found.set_column(found.column_names.index("site"), "site", sites)


def _is_held_out(site: str, share: float) -> bool:
    """Decided by the site's name alone, so that a site never changes sides when others are labelled."""
    return xxhash.xxh64_intdigest(f"held-out {site}".encode()) < share * 2**64


def _vocabulary(spark: Any, store: Store, crawl: str, rows: pa.Table) -> dict[str, int]:
    from pyspark.sql import functions as f

    counted = frame(spark, store, "document_frequencies").where(having(crawl=crawl))
    best = counted.where(f.col("page_count") >= LEAST_TERM_PAGES).orderBy(f.desc("page_count"), "term")
    terms = {row[0] for row in best.select("term").limit(MOST_TERMS).collect()}
    if not terms:
        terms = {one["term"] for row in rows["terms"].to_pylist() for one in row}
    return {term: place for place, term in enumerate(sorted(terms))}

"""The training set of co-training: labelled blocks, held-out sites and the vocabulary."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash

from jobs.engine.rows import NEEDED, views_of
from jobs.engine.spark_tables import frame, having
from jobs.featurize import feature_list
from parcels.annotate.vote import vote
from parcels.errors import InputMissing
from parcels.labels.gold import IMAGE_CHARS, INSIDE_TEXT
from parcels.learn.learner import Labelled
from parcels.store import Store
from parcels.urls import registered

MOST_TERMS = 20_000  # of the vocabulary: the terms of most pages, so that it does not grow with the crawl
LEAST_TERM_PAGES = 2
NO_LABEL = "none"


@dataclass(frozen=True)
class TrainingSet:
    """Labelled blocks with their features (columns of `features`, and `label`, `site`), and the vocabulary."""

    labelled: pa.Table
    held_out: pa.Table
    vocabulary: dict[str, int]

    def rows(self, *, is_held_out: bool = False) -> Labelled:
        """Return the rows as arrays for learners."""
        return arrays(self.held_out if is_held_out else self.labelled, self.vocabulary)


def arrays(rows: pa.Table, vocabulary: Mapping[str, int]) -> Labelled:
    """Return rows with a `label` as arrays."""
    ids = np.array(rows["block_id"].to_pylist(), dtype=str)
    return Labelled(ids, np.array(rows["label"].to_pylist(), dtype=str), views_of(rows, vocabulary))


def annotated_pages(spark: Any, store: Store, crawl: str) -> Any:
    """Return the ids of pages with labels."""
    return frame(spark, store, "annotations").where(having(crawl=crawl)).select("page_id").distinct()


def make_training_set(spark: Any, store: Store, crawl: str, *, held_out: float) -> TrainingSet:
    """Return the labelled blocks of a crawl. `held_out` is the share of sites that are not trained on."""
    labels = block_labels(spark, store, crawl)
    if not labels:
        raise InputMissing(
            f"crawl '{crawl}' has no labelled blocks: label some with parcels annotate or parcels import annotations, "
            "then run parcels run divide"
        )
    rows = _features(spark, store, crawl, labels)
    is_held_out = np.array([_is_held_out(site, held_out) for site in rows["site"].to_pylist()], bool)
    if is_held_out.all() or len(set(rows["site"].to_pylist())) < 2:
        is_held_out[:] = False  # an estimate for other sites needs more than one site
    vocabulary = _vocabulary(spark, store, crawl, rows)
    return TrainingSet(rows.filter(pa.array(~is_held_out)), rows.filter(pa.array(is_held_out)), vocabulary)


def block_labels(spark: Any, store: Store, crawl: str) -> dict[str, str]:
    """Return for each block the label with the most characters among its leaves, by the vote of the annotators.

    The last label of each annotator counts. Labels refer to leaves by ordinal and text: a label of a text that is no
    longer there is not used.
    """
    from pyspark.sql import functions as f

    given = frame(spark, store, "annotations").where(having(crawl=crawl, unit="leaf"))
    newest = f.max(f.struct("annotated_at", "label", "text")).alias("newest")
    last = given.groupBy("page_id", "n", "annotator").agg(newest)
    last = last.select("page_id", "n", "newest.label", "newest.text").where(f.col("label") != NO_LABEL)
    blocks = frame(spark, store, "blocks").where(having(crawl=crawl)).where(f.col("divider").startswith("fine@"))
    leaves = blocks.join(f.broadcast(last.select("page_id").distinct()), "page_id").select(
        "block_id", "page_id", f.explode("leaves").alias("leaf")
    )  # fmt: skip
    leaves = leaves.select("block_id", "page_id", "leaf.n", "leaf.kind", f.col("leaf.text").alias("now"))
    rows = leaves.join(last, ["page_id", "n"]).where(f.col("now") == f.col("text"))
    return majority(voted(rows.select("block_id", "n", "kind", "text", "label").collect()))


def voted(rows: Iterable[Any]) -> Iterator[tuple[str, str, str, str]]:
    """Yield one label per leaf from the rows (block_id, n, kind, text, label) of all annotators; none for a tie.

    >>> list(voted([("a", 1, "text", "x", "ads"), ("a", 1, "text", "x", "title"), ("a", 2, "text", "y", "ads")]))
    [('a', 'text', 'y', 'ads')]
    """
    labels: dict[tuple[str, int, str, str], list[str]] = {}
    for block, n, kind, text, label in rows:
        labels.setdefault((block, n, kind, text), []).append(label)
    for (block, _, kind, text), votes in labels.items():
        label = vote(votes)
        if label is not None:
            yield block, kind, text, label


def majority(leaves: Iterable[Any]) -> dict[str, str]:
    """Return the label of each block from its leaves' (block_id, kind, text, label). Ties go to the first name.

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
    table = rows.select(*NEEDED, "label", f.coalesce("host", "url").alias("site")).toArrow().sort_by("block_id")
    if not len(table):
        raise InputMissing(f"the labelled blocks of crawl '{crawl}' have no features: run parcels run featurize")
    sites = pa.array([registered(site) for site in table["site"].to_pylist()], pa.string())
    return table.set_column(table.column_names.index("site"), "site", sites)


def _is_held_out(site: str, share: float) -> bool:
    """Decide by the site's name alone, so that a site stays where it is when other sites are labelled."""
    return xxhash.xxh64_intdigest(f"held-out {site}".encode()) < share * 2**64


def _vocabulary(spark: Any, store: Store, crawl: str, rows: pa.Table) -> dict[str, int]:
    from pyspark.sql import functions as f

    counted = frame(spark, store, "document_frequencies").where(having(crawl=crawl))
    best = counted.where(f.col("page_count") >= LEAST_TERM_PAGES).orderBy(f.desc("page_count"), "term")
    terms = {row[0] for row in best.select("term").limit(MOST_TERMS).collect()}
    if not terms:
        terms = {one["term"] for row in rows["terms"].to_pylist() for one in row}
    return {term: place for place, term in enumerate(sorted(terms))}

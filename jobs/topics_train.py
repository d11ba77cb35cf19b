"""The training of topic models on Spark, in two passes over the pages.

The first pass counts terms by fold of sites, topic and constituent, within each task and then over all tasks. The sums
give the mixture, and for each fold a mixture of the other folds. The second pass scores held-out sites, from which
weights are learned. Pages never come to the driver.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash

from jobs.engine.job_context import JobContext
from jobs.engine.scratch import Scratch
from jobs.engine.spark_tables import frame, having
from parcels.errors import ConfigError, InputMissing, SkipRecord
from parcels.inputs import RawPage
from parcels.learn.folds import FOLDS
from parcels.models.registry import KEPT, find_model
from parcels.topics.counts import LEAST_PAGES, TopicCounts
from parcels.topics.examples import TopicPage, read_raw, site_of
from parcels.topics.features import CONSTITUENTS
from parcels.topics.mixture import LayoutMixture
from parcels.topics.model import TopicModel
from parcels.topics.train import weighed, write_card

COUNTS = "kind string, fold int, topic string, part string, term string, count bigint"
SCORED = "topic string, proba array<double>, present array<double>"
PAGE, ON_PAGE, TERM, SKIPPED = "page", "on-page", "term", "skipped"
MOST_HELD_OUT = 20_000  # pages from which weights are learned
_COLUMNS = ("page_id", "url", "html", "topic")
_COUNTED = pa.schema([(name, pa.int32() if name == "fold" else pa.int64() if name == "count" else pa.string())
                      for name in ("kind", "fold", "topic", "part", "term", "count")])  # fmt: skip


def train_topics_job(context: JobContext, name: str) -> None:
    """Train a topic model on the pages that have a topic, and store its folder."""
    with context.run("topics-train", model=name) as run:
        rows = frame(context.spark, context.store, "pages").where(having(crawl=context.crawl))
        pages = rows.where("topic IS NOT NULL AND byte_count > 0 AND status = 200").select(*_COLUMNS)
        folds, skipped = counts_by_fold(pages)
        total = total_of(folds.values())
        if len(total.pages) < 2:
            raise InputMissing(
                f"crawl '{context.crawl}' has pages of {len(total.pages)} topics, and training needs at least 2: "
                "crawl a directory first (parcels crawl urls.tsv --spider directory), or give a --topic-model"
            )
        mixture = LayoutMixture.from_counts(total)
        scores = _weigh(context, pages, folds, mixture)
        about = {"pages": total.pages.total(), "sites": len(folds), "topics": dict(total.pages)}
        model = TopicModel(mixture, {}, {"data": about, "scores": scores})
        run.counts.update({"pages": total.pages.total(), **skipped})
        _put(context, name, model)
    context.report(f"topics: learned {', '.join(model.topics)} from {total.pages.total()} pages")


def have_topic_model(context: JobContext, *, is_requested: bool) -> bool:
    """Return whether there is a topic model, after training one if pages have topics. Raise if it was requested."""
    name = context.options.topic_model
    try:
        find_model(name, store=context.store)
        return True
    except ConfigError:
        if not name.replace("-", "_").isidentifier():
            raise
    topics = context.store.read("pages", columns=["topic"], crawl=context.crawl)["topic"].unique().drop_null()
    if len(topics) < 2 and not is_requested:
        context.report(
            "topics: nothing to learn from: no pages with topics (parcels crawl urls.tsv --spider directory)"
        )
        return False
    if not context.can_use_spark("training a topic model", is_requested=is_requested):
        return False
    train_topics_job(context, name)
    return True


def counts_by_fold(pages: Any) -> tuple[dict[int, TopicCounts], Counter[str]]:
    """Return the counts by fold of sites, and the skipped pages by reason. Terms of a single page never leave Spark."""
    from pyspark.sql import functions as f

    keys = ["kind", "fold", "topic", "part", "term"]
    summed = pages.mapInArrow(count_pages, COUNTS).groupBy(*keys).agg(f.sum("count").alias("count")).cache()
    try:
        frequent = summed.where(f.col("kind") == ON_PAGE).groupBy("term").agg(f.sum("count").alias("pages"))
        terms = summed.join(frequent.where(f.col("pages") >= LEAST_PAGES).select("term"), "term", "left_semi")
        others = summed.where(f.col("kind").isin(PAGE, SKIPPED))
        sums = terms.select(*keys, "count").union(others.select(*keys, "count"))
        folds: dict[int, TopicCounts] = {}
        skipped: Counter[str] = Counter()
        for kind, fold, topic, part, term, count in sums.toLocalIterator():
            if kind == SKIPPED:
                skipped[f"rejected: {term}"] += count
                continue
            counts = folds.setdefault(fold, TopicCounts())
            if kind == PAGE:
                counts.pages[topic] += count
            elif kind == ON_PAGE:
                counts.on_pages[term] += count
            else:
                counts.terms[topic, part, term] += count
        return folds, skipped
    finally:
        summed.unpersist()


def count_pages(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count the pages of a task (`mapInArrow`)."""
    folds: dict[int, TopicCounts] = {}
    skipped: Counter[str] = Counter()
    for fold, topic, page in _read(batches, skipped):
        folds.setdefault(fold, TopicCounts()).add(page.constituents, topic)
    rows: list[tuple[str, int, str, str, str, int]] = [(SKIPPED, 0, "", "", why, n) for why, n in skipped.items()]
    for fold, counts in folds.items():
        rows += [(PAGE, fold, topic, "", "", n) for topic, n in counts.pages.items()]
        rows += [(ON_PAGE, fold, "", "", term, n) for term, n in counts.on_pages.items()]
        rows += [(TERM, fold, topic, part, term, n) for (topic, part, term), n in counts.terms.items()]
    columns = list(zip(*rows, strict=True)) or [()] * len(_COUNTED)
    yield pa.record_batch(
        [pa.array(column, field.type) for column, field in zip(columns, _COUNTED, strict=True)], schema=_COUNTED
    )


def fold_of(site: str) -> int:
    """Return the fold of a site, which is equal in all tasks."""
    return xxhash.xxh32_intdigest(site.encode()) % FOLDS


def total_of(parts: Iterable[TopicCounts]) -> TopicCounts:
    """Return the sum of counts."""
    total = TopicCounts()
    for part in parts:
        total.update(part)
    return total


def _read(batches: Iterable[pa.RecordBatch], skipped: Counter[str]) -> Iterator[tuple[int, str, TopicPage]]:
    for batch in batches:
        for row in batch.to_pylist():
            try:
                page = read_raw(RawPage(row["page_id"], row["html"], row["url"]))
            except SkipRecord as error:
                skipped[error.reason] += 1
                continue
            yield fold_of(site_of(row["url"], row["page_id"])), row["topic"], page


@dataclass(frozen=True)
class FoldScorer:
    """Score the constituents of pages by the mixture that was not trained on their fold (`mapInArrow`)."""

    mixtures: Any  # a broadcast: one mixture per fold
    topics: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield one row per page: its topic, its scores (constituent x topic, in one list), and its constituents."""
        mixtures: Mapping[int, LayoutMixture] = self.mixtures.value
        names, scores, has_constituent = [], [], []
        for fold, topic, page in _read(batches, Counter()):
            if fold not in mixtures:
                continue
            proba, present = mixtures[fold].by_constituent([page.constituents])
            wide = np.zeros((len(CONSTITUENTS), len(self.topics)))
            wide[:, np.searchsorted(self.topics, mixtures[fold].topics)] = proba[0]
            names.append(topic)
            scores.append(wide.ravel().tolist())
            has_constituent.append(present[0].tolist())
        lists = pa.list_(pa.float64())
        yield pa.record_batch({
            "topic": pa.array(names, pa.string()), "proba": pa.array(scores, lists),
            "present": pa.array(has_constituent, lists),
        })  # fmt: skip


def _weigh(
    context: JobContext, pages: Any, folds: Mapping[int, TopicCounts], mixture: LayoutMixture
) -> dict[str, float]:
    """Learn the mixture's weights on held-out sites. If all pages are of one fold, the paper's weights stay."""
    if len(folds) < 2:
        return {}
    mixtures = {
        fold: LayoutMixture.from_counts(total_of(part for other, part in folds.items() if other != fold))
        for fold in folds
    }
    broadcast = context.spark.sparkContext.broadcast(mixtures)
    topics = tuple(map(str, mixture.topics))
    try:
        rows = pages.mapInArrow(FoldScorer(broadcast, topics), SCORED).limit(MOST_HELD_OUT).collect()
    finally:
        broadcast.destroy()
    proba = np.array([row["proba"] for row in rows]).reshape(len(rows), len(CONSTITUENTS), len(topics))
    present = np.array([row["present"] for row in rows]).reshape(len(rows), len(CONSTITUENTS))
    return weighed(mixture, proba, present, [row["topic"] for row in rows])


def _put(context: JobContext, name: str, model: TopicModel) -> None:
    """Write the model's folder to the store, model.json last: without it there is no model."""
    place = Scratch(context.store, f"{KEPT}/{name}")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        model.save(folder)
        made = f"- Trained by: `parcels run topics`, on the pages of crawl '{context.crawl}' that have a topic.\n"
        write_card(model, folder, made=made)
        paths = sorted(
            (path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.name == "model.json"
        )
        for path in paths:
            place.put(path.relative_to(folder).as_posix(), path.read_bytes())

"""The quality of stored labels on pages that people have labelled too."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds

from parcels.annotate.label_index import LabelIndex, block_label, stored_rows
from parcels.annotate.vote import vote_page
from parcels.labels import label_set
from parcels.labels.gold import Gold, GoldLeaf
from parcels.labels.scores import PageScore, Score, interval, score, score_page
from parcels.store import Store
from parcels.urls import host_of, registered

SAMPLES = 300  # of the bootstrap over sites
BINS = 10


@dataclass(slots=True)
class JudgedPage:
    """One page with its score, and its blocks with both labels."""

    page_id: str
    url: str
    score: PageScore
    blocks: list[dict[str, Any]] = field(default_factory=list)  # n, box, text, gold, said, confidence


@dataclass(frozen=True, slots=True)
class Quality:
    """The labels of a model compared with labels by people."""

    model: str
    pages: list[JudgedPage]
    total: Score
    spread: dict[str, tuple[float, float]]
    label_spread: dict[str, tuple[float, float]]  # of each label's F1
    pairs: Counter[tuple[str, str]]
    bins: list[tuple[float, float, int]]  # mean confidence, share that is right, blocks
    calibration_error: float


def judge(store: Store, model: str, *, crawl: str | None = None) -> Quality | None:
    """Compare stored labels with voted ones; return None if no page has both."""
    index = LabelIndex.of(stored_rows(store, crawl=crawl))
    wanted = sorted(page for page in index.pages if index.of_page(page))
    if not wanted:
        return None
    where = ds.field("page_id").isin(pa.array(wanted, pa.string()))
    addresses = {
        row["page_id"]: row["url"]
        for row in store.read("pages", columns=["page_id", "url"], filter=where, crawl=crawl).to_pylist()
    }
    blocks = _by_page(store.read("blocks", columns=["page_id", "block_id", "n", "leaves", "box", "text"], filter=where,
                                 crawl=crawl).to_pylist())  # fmt: skip
    predicted = _by_page(store.read("labels", columns=["page_id", "block_id", "n", "label", "confidence", "leaves"],
                               filter=where, crawl=crawl, model=model).to_pylist())  # fmt: skip
    pages = []
    for page in wanted:
        if page in blocks and page in predicted:
            judged = _judged(page, addresses.get(page, page), index, blocks[page], predicted[page])
            if judged.score.blocks:
                pages.append(judged)
    return _summed(model, pages) if pages else None


def _by_page(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["page_id"], []).append(row)
    return groups


def _judged(
    page: str, url: str, index: LabelIndex, blocks: list[dict[str, Any]], predictions: list[dict[str, Any]]
) -> JudgedPage:
    voted = vote_page(index.of_page(page)).leaves
    labels = {row["block_id"]: row for row in predictions}
    texts: dict[int, str] = {}
    own: dict[int, str | None] = {}
    leaves, at, blocks_ = [], [], []
    for block in sorted(blocks, key=lambda row: row["n"]):
        row = labels.get(block["block_id"])
        if row is None:  # another divider's
            continue
        other = {leaf["n"]: leaf["label"] for leaf in row["leaves"]}
        kept = []
        for leaf in block["leaves"]:
            texts[leaf["n"]] = leaf["text"]
            own[leaf["n"]] = other.get(leaf["n"], row["label"])
            gold = voted.get(leaf["n"])
            if gold is not None and gold.text == leaf["text"]:
                kept.append(gold)
                leaves.append(GoldLeaf(block["n"], gold.kind, gold.text, gold.label))
                at.append(leaf["n"])
        blocks_.append({"n": block["n"], "box": block["box"], "text": block["text"], "gold": block_label(kept),
                      "said": row["label"], "confidence": row["confidence"]})  # fmt: skip
    listed = [own.get(n) for n in range(max(own, default=-1) + 1)]
    site = registered(host_of(url) or url)
    return JudgedPage(page, url, score_page(page, site, Gold(leaves, at), listed), blocks_)


def _summed(model: str, pages: list[JudgedPage]) -> Quality:
    names = label_set().names
    scores = [page.score for page in pages]
    pairs: Counter[tuple[str, str]] = Counter()
    for one in scores:
        pairs.update(one.pairs)
    bins, error = _calibration([block for page in pages for block in page.blocks if block["gold"]])
    return Quality(model, pages, score(scores, names), interval(scores, names), label_intervals(scores, names), pairs,
                   bins, error)  # fmt: skip


def label_intervals(
    pages: Sequence[PageScore], labels: Sequence[str], *, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Return 95 % intervals of each label's F1 by bootstrap over sites; draws without the label do not count."""
    sites = sorted({page.site for page in pages})
    by_site = {site: [page for page in pages if page.site == site] for site in sites}
    draws = np.random.default_rng(seed)
    seen: dict[str, list[float]] = {}
    for _ in range(SAMPLES):
        drawn = [page for n in draws.integers(len(sites), size=len(sites)).tolist() for page in by_site[sites[n]]]
        for label, value in score(drawn, labels).f1.items():
            seen.setdefault(label, []).append(value)
    intervals = {}
    for label, values in seen.items():
        low, high = np.percentile(values, [2.5, 97.5]).tolist()
        intervals[label] = low, high
    return intervals


def _calibration(blocks: list[dict[str, Any]]) -> tuple[list[tuple[float, float, int]], float]:
    """Return mean confidence, share correct and blocks of ten bins, and the mean difference between the two."""
    rows = [
        (block["confidence"], block["gold"] == block["said"]) for block in blocks if block["confidence"] is not None
    ]
    if not rows:
        return [], 0.0
    sure = np.array([row[0] for row in rows], float)
    right = np.array([row[1] for row in rows], float)
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    bins = []
    for step in range(BINS):
        chosen = place == step
        if chosen.any():
            bins.append((float(sure[chosen].mean()), float(right[chosen].mean()), int(chosen.sum())))
    error = sum(abs(one[0] - one[1]) * one[2] for one in bins) / len(rows)
    return bins, float(error)

"""Freeze what PARCELS computes of real pages, and compare it with what it computes after a change.

    python -m benchmarks.quality.frozen write before.parquet
    python -m benchmarks.quality.frozen write after.parquet [--corpora news17,webkb] [--every 4]
    python -m benchmarks.quality.frozen compare before.parquet after.parquet

Pages of news17, news-unlabelled and segments, and every fourth of wcxb and webkb; `compare` reads the pages that both
files have. Leaves, blocks, boxes, areas, articles and segments must be identical, labels on 99.99 % of the blocks,
confidences and topic scores within 0.0001. Otherwise `compare` exits with 4.
"""

import argparse
import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import corpora
from parcels.articles.article import extract_page
from parcels.articles.model import SHIPPED as CONTENT
from parcels.articles.model import content_model_at
from parcels.errors import SkipRecord
from parcels.models.registry import model_path
from parcels.processed_page import ProcessedPage
from parcels.results import DEFAULT_MODEL, blocks_of
from parcels.segments.model import segmenter_at
from parcels.segments.result import segments_of_page
from parcels.topics.examples import read_for_topics
from parcels.topics.model import KIND, topic_model_at
from parcels.topics.model import SHIPPED as TOPICS
from parcels.topics.result import topic_of

CORPORA = {"news17": 1, "news-unlabelled": 1, "segments": 1, "wcxb": 4, "webkb": 4}  # name: every how many pages
EXACT = ("leaves", "blocks", "boxes", "areas", "article", "segments")
SAME_LABELS = 0.9999  # of the blocks
MOST_APART = 1.0001e-4  # of confidences, which have four digits
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("corpus", "page", *EXACT)),
        ("labels", pa.list_(pa.string())),
        ("confidences", pa.list_(pa.float64())),
        ("topics", pa.list_(pa.float64())),
    ]
)


def frozen_page(raw: Any) -> dict[str, Any]:
    """Return digests of the exact parts of a page, and its labels and scores; a refused page has its reason."""
    row: dict[str, Any] = dict.fromkeys(EXACT, "")
    row |= {"labels": [], "confidences": [], "topics": []}
    try:
        processed = ProcessedPage(raw)
        page = processed.page
        row["article"] = _digest(_without_confidence(extract_page(page, content_model_at(CONTENT)).to_json()))
        laid = processed.optional_layout
        blocks = blocks_of(processed, model=DEFAULT_MODEL).to_json()["blocks"]
    except SkipRecord as refused:
        return row | {"leaves": refused.reason}
    kinds = [[leaf["kind"], leaf["text"], leaf.get("hidden_reason")] for block in blocks for leaf in block["leaves"]]
    confidences = [[block["confidence"], *(vote["confidence"] for vote in block["views"].values())] for block in blocks]
    row |= {
        "leaves": _digest(kinds),
        "blocks": _digest([[block["n"], len(block["leaves"]), block["tag_path"], block["text"]] for block in blocks]),
        "boxes": _digest([block["box"] for block in blocks]),
        "areas": _digest([block["area"] for block in blocks]),
        "labels": [block["label"] for block in blocks],
        "confidences": [value for values in confidences for value in values],
    }
    topic = topic_of(read_for_topics(page, laid), topic_model_at(model_path(TOPICS, None, KIND)))
    row["topics"] = [*topic["scores"].values(), *(link["score"] for link in topic["links"])]
    if laid is not None:
        found = segments_of_page(laid, segmenter_at()).to_json()
        row["segments"] = _digest([found["segments"], found["informative"]])
    return row


def _without_confidence(article: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in article.items() if name != "confidence"}


def _digest(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value)).hexdigest()[:16]


def rows(names: list[str], every: int) -> Iterator[dict[str, Any]]:
    """Yield one row per page."""
    for corpus in names:
        for raw in islice(corpora.pages(corpus), 0, None, CORPORA[corpus] * every):
            yield {"corpus": corpus, "page": raw.name, **frozen_page(raw)}


def compare(before: str, after: str) -> bool:
    """Print how two frozen files differ; return whether they are the same as far as they must be."""
    old, new = (
        {(row["corpus"], row["page"]): row for row in pq.read_table(path).to_pylist()} for path in (before, after)
    )
    both = sorted(old.keys() & new.keys())
    print(f"{len(both):,} pages, {len(old.keys() ^ new.keys()):,} in one file only")
    is_same = bool(both)
    for name in EXACT:
        changed = [key for key in both if old[key][name] != new[key][name]]
        print(f"  {name:<12} differ on {len(changed)} pages {' '.join('/'.join(key) for key in changed[:3])}")
        is_same = is_same and not changed
    pairs = [pair for key in both for pair in zip(old[key]["labels"], new[key]["labels"], strict=False)]
    same = sum(one == other for one, other in pairs) / max(1, len(pairs))
    print(f"  labels       the same on {100 * same:.4f} % of {len(pairs):,} blocks (must be {100 * SAME_LABELS:g})")
    is_same = is_same and same >= SAME_LABELS
    for name in ("confidences", "topics"):
        scores = [pair for key in both for pair in zip(old[key][name], new[key][name], strict=False)]
        apart = [abs((one or 0.0) - (other or 0.0)) for one, other in scores]
        most, count = max(apart, default=0.0), sum(one > 0 for one in apart)
        print(f"  {name:<12} {count:,} of {len(apart):,} differ, by at most {most:.4f} (must be {MOST_APART:.4f})")
        is_same = is_same and most <= MOST_APART
    return is_same


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.frozen", description=__doc__)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("files", nargs="+", metavar="FILE", help="write: one; compare: before and after")
    parser.add_argument("--corpora", default=",".join(CORPORA), help="write: only these (default: %(default)s)")
    parser.add_argument("--every", type=int, default=1, help="write: only every Nth page (default: 1)")
    chosen = parser.parse_args()
    if len(chosen.files) != (1 if chosen.action == "write" else 2):
        parser.error("write takes one file, compare two")
    if chosen.action == "compare":
        return 0 if compare(*chosen.files) else 4
    names = chosen.corpora.split(",")
    if unknown := set(names) - set(CORPORA):
        parser.error(f"--corpora must be of {', '.join(CORPORA)}, got {', '.join(unknown)}")
    table = pa.Table.from_pylist(list(rows(names, chosen.every)), SCHEMA)
    pq.write_table(table, chosen.files[0])
    print(f"wrote {table.num_rows:,} pages to {chosen.files[0]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Freeze what PARCELS computes of real pages, and compare it with what it computes after a change.

    python -m benchmarks.frozen write before.parquet
    python -m benchmarks.frozen write after.parquet
    python -m benchmarks.frozen compare before.parquet after.parquet

Pages of news17, news-unlabelled and segments, and every fourth of wcxb and webkb. Leaves, blocks, boxes and areas must
be identical, labels on 99.99 % of the blocks, and confidences within 0.0001. Otherwise `compare` exits with 4.
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
from parcels.errors import SkipRecord
from parcels.page import read_page
from parcels.results import DEFAULT_MODEL, blocks_to_json, laid_within_bounds

CORPORA = {"news17": 1, "news-unlabelled": 1, "segments": 1, "wcxb": 4, "webkb": 4}  # name: every how many pages
EXACT = ("leaves", "blocks", "boxes", "areas")
SAME_LABELS = 0.9999  # of the blocks
MOST_APART = 1.0001e-4  # of confidences, which have four digits
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("corpus", "page", *EXACT)),
        ("labels", pa.list_(pa.string())),
        ("confidences", pa.list_(pa.float64())),
    ]
)


def frozen_page(raw: Any) -> dict[str, Any]:
    """Return digests of the exact parts of a page, and its labels and confidences; a refused page has its reason."""
    try:
        page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
        laid = laid_within_bounds(page, css=raw.css, folder=raw.folder)
        blocks = blocks_to_json(page, laid=laid, model=DEFAULT_MODEL)["blocks"]
    except SkipRecord as refused:
        return dict.fromkeys(EXACT, refused.reason) | {"labels": [], "confidences": []}
    kinds = [[leaf["kind"], leaf["text"], leaf.get("hidden_reason")] for block in blocks for leaf in block["leaves"]]
    confidences = [[block["confidence"], *(vote["confidence"] for vote in block["views"].values())] for block in blocks]
    return {
        "leaves": _digest(kinds),
        "blocks": _digest([[block["n"], len(block["leaves"]), block["tag_path"], block["text"]] for block in blocks]),
        "boxes": _digest([block["box"] for block in blocks]),
        "areas": _digest([block["area"] for block in blocks]),
        "labels": [block["label"] for block in blocks],
        "confidences": [value for values in confidences for value in values],
    }


def _digest(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value)).hexdigest()[:16]


def rows() -> Iterator[dict[str, Any]]:
    """Yield one row per page."""
    for corpus, every in CORPORA.items():
        for raw in islice(corpora.pages(corpus), 0, None, every):
            yield {"corpus": corpus, "page": raw.name, **frozen_page(raw)}


def compare(before: str, after: str) -> bool:
    """Print how two frozen files differ; return whether they are the same as far as they must be."""
    old, new = (
        {(row["corpus"], row["page"]): row for row in pq.read_table(path).to_pylist()} for path in (before, after)
    )
    is_same = old.keys() == new.keys()
    print(f"{len(old):,} pages" + ("" if is_same else f", {len(old.keys() ^ new.keys())} of them in one file only"))
    both = sorted(old.keys() & new.keys())
    for name in EXACT:
        changed = [key for key in both if old[key][name] != new[key][name]]
        print(f"  {name:<12} differ on {len(changed)} pages {' '.join('/'.join(key) for key in changed[:3])}")
        is_same = is_same and not changed
    pairs = [pair for key in both for pair in zip(old[key]["labels"], new[key]["labels"], strict=False)]
    same = sum(one == other for one, other in pairs) / max(1, len(pairs))
    apart = [
        abs((one or 0.0) - (other or 0.0))
        for key in both
        for one, other in zip(old[key]["confidences"], new[key]["confidences"], strict=False)
    ]
    print(f"  labels       the same on {100 * same:.4f} % of {len(pairs):,} blocks (mark {100 * SAME_LABELS:g})")
    print(f"  confidences  differ by at most {max(apart, default=0.0):.4f} (mark {MOST_APART:.4f})")
    return is_same and same >= SAME_LABELS and max(apart, default=0.0) <= MOST_APART


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frozen", description=__doc__)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("files", nargs="+", metavar="FILE", help="write: one; compare: before and after")
    chosen = parser.parse_args()
    if len(chosen.files) != (1 if chosen.action == "write" else 2):
        parser.error("write takes one file, compare two")
    if chosen.action == "compare":
        return 0 if compare(*chosen.files) else 4
    found = pa.Table.from_pylist(list(rows()), SCHEMA)
    pq.write_table(found, chosen.files[0])
    print(f"wrote {found.num_rows:,} pages to {chosen.files[0]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Labels of 1,545 varied pages, read from nothing by the rubric: news of many years and languages, blogs, index pages.

    python -m benchmarks.labels.varied_labels OUT [--without wcxb]
    python -m benchmarks.labels.varied_labels --agreement

`varied_labels.jsonl` has one line per page: corpus, page, address, SHA-256 of the bytes, a hash of the leaves' texts
and the labels as runs `[count, label]`. The pages are of news-pool, text-extra, multilingual, dates and wcxb, of sites
that neither news17 nor read_labels.jsonl has. `OUT` gets `pages.parquet` and `gold/PAGE.json`, for `--data` of `train
blocks` and `train content`; the column `page_type` follows from the labels. `varied_labels_again.jsonl` has 150 of the
pages as a second reader labelled them, who saw nothing of the first; `--agreement` compares the two.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.labels.more_labels import labelled_runs, write

LABELS = Path(__file__).with_suffix(".jsonl")
AGAIN = Path(__file__).with_name("varied_labels_again.jsonl")
FORUMS = "harvest"  # pages of this source are forum threads: their names begin with it


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.labels.varied_labels", description=__doc__)
    parser.add_argument("out", type=Path, nargs="?", metavar="OUT", help="folder to write")
    parser.add_argument("--without", default="", metavar="CORPUS", help="leave the pages of a corpus out")
    parser.add_argument("--agreement", action="store_true", help="print how far two readers agree, per label")
    args = parser.parse_args()
    if args.agreement:
        print(agreement(LABELS, AGAIN))
    if args.out:
        left_out = {args.without: labelled_runs(LABELS).get(args.without, {})}
        count = write(args.out, LABELS, without=left_out)
        with_types(args.out / "pages.parquet")
        print(f"{count} labelled pages written to {args.out}")
    return 0


def page_type(page: str, labels: list[list[Any]]) -> str:
    """Return the type of a page that its labels imply: a page with a headline of its own is an article.

    >>> page_type("x", [[3, "sitenav"], [1, "title"], [9, "maincontent"]]), page_type("x", [[30, "sitenav"]])
    ('article', 'index')
    """
    if page.startswith(FORUMS):
        return "forum"
    names = {label for _, label in labels}
    return "article" if "title" in names or "maincontent" in names else "index"


def with_types(file: Path) -> None:
    """Add the column `page_type` to the pages of a folder."""
    types = {
        name: page_type(name, row["labels"]) for rows in labelled_runs(LABELS).values() for name, row in rows.items()
    }
    table = pq.read_table(file)
    column = pa.array([types[name] for name in table.column("page").to_pylist()])
    pq.write_table(table.append_column("page_type", column), file)


def agreement(first: Path, second: Path) -> str:
    """Return a table of how far two readings of the same pages agree, leaf by leaf."""
    pairs = Counter(_pairs(first, second))
    count, labels = pairs.total(), sorted({label for pair in pairs for label in pair})
    same = sum(pairs[label, label] for label in labels)
    ours = {label: sum(pairs[label, other] for other in labels) for label in labels}
    theirs = {label: sum(pairs[other, label] for other in labels) for label in labels}
    chance = sum(ours[label] * theirs[label] for label in labels) / count**2
    lines = [f"{count:,} leaves, {same / count:.1%} alike, kappa {(same / count - chance) / (1 - chance):.3f}", ""]
    lines += ["| label | leaves | F1 of one reader against the other |", "|---|---:|---:|"]
    for label in labels:
        f1 = 2 * pairs[label, label] / (ours[label] + theirs[label])
        lines.append(f"| {label} | {ours[label]:,} | {f1:.3f} |")
    differing = [(pair, n) for pair, n in pairs.most_common() if pair[0] != pair[1]][:10]
    return "\n".join([*lines, "", *(f"{one} / {other}: {n}" for (one, other), n in differing)])


def _pairs(first: Path, second: Path) -> Iterator[tuple[str, str]]:
    own = labelled_runs(first)
    for corpus, pages in labelled_runs(second).items():
        for name, row in pages.items():
            yield from zip(_labels(own[corpus][name]), _labels(row), strict=True)


def _labels(row: dict[str, Any]) -> list[str]:
    return [label for count, label in row["labels"] for _ in range(count)]


if __name__ == "__main__":
    raise SystemExit(main())

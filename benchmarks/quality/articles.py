"""`parcels extract` and trafilatura on news-fields and wcxb, in one run: quality by folds of sites, and speed.

Every page is scored by models that were trained on other sites, on these corpora, news17 and the pages labelled for
this project (`benchmarks.labels`), as the shipped model is. Speed is that of the shipped model, in processor time.
"""

import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from benchmarks.corpora import fingerprint, folder
from benchmarks.labels import read_labels, varied_labels
from benchmarks.labels.more_labels import labelled_runs, write
from parcels.articles.evaluate import Result, as_text, by_folds, by_model, measured
from parcels.articles.examples import NEWS, site_of
from parcels.articles.model import SHIPPED
from parcels.articles.peers import peer

FOLDS = 3
NEWS_SHINGLE, ALL_WORDS, WORST_TYPE, FASTER = 0.94, 0.87, 0.68, 1.5
TIMED = 100  # pages
BUILD = Path(__file__).parents[2] / "build"


def main() -> bool:
    corpora = ("news-fields", "wcxb")
    own = by_folds([*(folder() / name for name in (*corpora, "news17")), *labelled_pages()], FOLDS)
    other = peer("trafilatura")
    found = {}
    for name in corpora:
        rows = pq.read_table(folder() / name / "pages.parquet").to_pylist()
        sites = [site_of(row.get("url"), str(row["page"])) for row in rows]
        types = [row.get("page_type") or NEWS for row in rows]
        results = [
            measured("parcels", own, rows),
            measured("trafilatura", lambda row: other(row["html"], row.get("url")), rows),
        ]
        found[name] = {result.name: _without_speed(result, sites, types) for result in results}
        print(f"-- {name} ({fingerprint(name)}), {len(rows)} pages, {FOLDS} folds of sites")
        print(as_text(found[name]))
    ratio = _speed()
    print(f"trafilatura takes {ratio:.2f} times the processor time of parcels")
    wcxb = found["wcxb"]["parcels"]
    return (
        found["news-fields"]["parcels"]["shingle_f1"] >= NEWS_SHINGLE
        and wcxb["word_f1"] >= ALL_WORDS
        and min(wcxb["by_type"].values()) >= WORST_TYPE
        and ratio >= FASTER
    )


def labelled_pages() -> list[Path]:
    """Return the folders of pages labelled for this project, without those of wcxb; missing ones are made."""
    folders = []
    for labels in (read_labels.LABELS, varied_labels.LABELS):
        out = BUILD / f"{labels.stem}-content"
        if not (out / "pages.parquet").is_file():
            write(out, labels, without={"wcxb": labelled_runs(labels).get("wcxb", {})})
            if labels == varied_labels.LABELS:
                varied_labels.with_types(out / "pages.parquet")
        folders.append(out)
    return folders


def _without_speed(result: Result, sites: list[str], types: list[str]) -> dict[str, Any]:
    summary = result.summary(sites, types)
    return {name: value for name, value in summary.items() if not name.endswith(("ms", "ms_a_page"))}


def _speed() -> float:
    """How many times the shipped model's processor time trafilatura takes, the two taking turns on each page."""
    own, other, spent = by_model(SHIPPED), peer("trafilatura"), [0.0, 0.0]
    for row in pq.read_table(folder() / "news-fields" / "pages.parquet").to_pylist()[:TIMED]:
        start = time.process_time()
        own(row)
        between = time.process_time()
        other(row["html"], row["url"])
        spent = [spent[0] + between - start, spent[1] + time.process_time() - between]
    return spent[1] / spent[0]

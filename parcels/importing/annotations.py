"""Import of gold labels into `annotations`: one JSON file per page, with a label for every visible leaf.

`{"leaves": [{"i": 0, "kind": "text", "text": "Home", "label": "sitenav", "link": true, "block": 0}, ...]}`; `page`,
`annotator`, `rubric` and `annotated_at` are optional keys next to `leaves`. A file is matched by its name to the page
imported under that name into the same crawl, unless it has a `page_id` of that crawl. JSON Lines hold one such object
per line; a list holds tasks of Label Studio (`parcels.annotate.exchange`).
"""

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from parcels.annotate.exchange import documents
from parcels.errors import InputMissing, SkipRecord
from parcels.importing.archive import date_of
from parcels.importing.run_record import RunRecord
from parcels.labels import label_set
from parcels.store import Store

STEP = "import-annotations"
SUFFIX, LINES = ".json", ".jsonl"
KINDS = frozenset(["text", "img", "video", "audio", "iframe", "embed", "input", "textarea", "select"])

Key = tuple[str, int, str]  # page, leaf, annotator
Values = tuple[str, str, str, str]  # kind, text, label, rubric


def import_annotations(
    store: Store,
    sources: Sequence[str],
    *,
    crawl: str,
    annotator: str,
    rubric: str,
    labels: Collection[str] | None = None,
    each: Callable[[], None] = lambda: None,
) -> RunRecord:
    """Import gold files; an unchanged label adds nothing, a changed one adds a later row.

    Valid labels are those of the rubric's label set (`news17` of `news17@1`), unless given.
    """
    files = gold_files(sources)
    labels = label_set(rubric.partition("@")[0]).names if labels is None else labels
    settings = {"sources": list(sources), "annotator": annotator, "rubric": rubric, "labels": sorted(labels)}
    with RunRecord(store, step=STEP, crawl=crawl, settings=settings) as run:
        gold = _GoldImporter(run, annotator, rubric, frozenset(labels))
        for path in files:
            run.counts["files"] += 1
            for place, data in enumerate(documents(path)):
                try:
                    gold.add(path, data)
                except SkipRecord as error:
                    run.counts["records"] += 1
                    record = str(path) if place == 0 else f"{path}#{place}"
                    run.reject(record, error.reason, detail=error.detail, source=str(path))
            each()
    return run


def gold_files(sources: Sequence[str]) -> list[Path]:
    """Return the JSON files in the given files and folders."""
    files: list[Path] = []
    for source in sources:
        path = Path(source)
        if not path.exists():
            raise InputMissing(f"File or folder not found: {source}")
        inside = sorted(file for end in (SUFFIX, LINES) for file in path.rglob(f"*{end}")) if path.is_dir() else [path]
        if not inside:
            raise InputMissing(f"The folder {source} has no {SUFFIX} or {LINES} files.")
        files += inside
    return files


class _GoldImporter:
    """The importer's state: the pages by name and the labels in the store."""

    def __init__(self, run: RunRecord, annotator: str, rubric: str, labels: frozenset[str]):
        self.run, self.annotator, self.rubric, self.labels = run, annotator, rubric, labels
        self.pages: dict[str, list[str]] = {}
        self.ids: set[str] = set()
        for batch in run.store.batches("pages", columns=["name", "page_id"], crawl=run.crawl):
            for row in batch.to_pylist():
                self.ids.add(row["page_id"])
                if row["name"] is not None:
                    self.pages.setdefault(row["name"], []).append(row["page_id"])
        if not self.ids:
            raise InputMissing(
                f"Crawl '{run.crawl}' of {run.store.location.uri} has no pages. "
                "Import the pages first, into the same --crawl: parcels import html …"
            )
        self.known = dict(_stored_labels(run.store, run.crawl))

    def add(self, path: Path, data: dict[str, Any] | SkipRecord) -> None:
        if isinstance(data, SkipRecord):
            raise data
        name = str(data.get("page") or path.name.removesuffix(SUFFIX))
        stated = str(data.get("page_id") or "")
        pages = [stated] if stated in self.ids else self.pages.get(name, [])
        if len(pages) != 1:
            reason = "ambiguous-page" if pages else "no-such-page"
            raise SkipRecord(reason, detail=f"crawl '{self.run.crawl}' has {len(pages)} pages named '{name}'")
        when = date_of(data.get("annotated_at")) or dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC)
        about: dict[str, Any] = {
            "page_id": pages[0],
            "unit": "leaf",
            "annotator": str(data.get("annotator") or self.annotator),
            "rubric": str(data.get("rubric") or self.rubric),
            "annotated_at": when,
            "source": str(path),
        }
        seen: set[int] = set()
        for place, leaf in enumerate(data["leaves"]):
            self.run.counts["records"] += 1
            try:
                row = about | self._leaf(leaf)
                if row["n"] in seen:
                    raise SkipRecord("leaf-twice", detail=f"leaf {row['n']}")
                seen.add(row["n"])
            except SkipRecord as error:
                record = f"{path}#{place}"
                self.run.reject(record, error.reason, detail=error.detail, page=pages[0], source=str(path))
                continue
            self._add(row)

    def _leaf(self, leaf: Any) -> dict[str, Any]:
        if not isinstance(leaf, dict):
            raise SkipRecord("bad-leaf", detail=f"not an object: {leaf!r}")
        n, kind, text, label = (leaf.get(name) for name in ("i", "kind", "text", "label"))
        if not isinstance(n, int) or isinstance(n, bool) or n < 0 or not isinstance(text, str):
            raise SkipRecord("bad-leaf", detail=f"`i` must be a number and `text` a string: {leaf!r}")
        if kind not in KINDS:
            raise SkipRecord("unknown-kind", detail=f"leaf {n}: {kind!r}")
        if label not in self.labels:
            raise SkipRecord("unknown-label", detail=f"leaf {n}: {label!r}")
        block, link = leaf.get("block"), leaf.get("link")
        return {
            "n": n, "kind": kind, "text": text, "label": label,
            "block": block if isinstance(block, int) else None, "is_link": link if isinstance(link, bool) else None,
        }  # fmt: skip

    def _add(self, row: dict[str, Any]) -> None:
        key: Key = (row["page_id"], row["n"], row["annotator"])
        values: Values = (row["kind"], row["text"], row["label"], row["rubric"])
        if self.known.get(key) == values:
            self.run.skip("already in the store")
            return
        self.known[key] = values
        self.run.counts["annotations"] += 1
        self.run.add("annotations", row, weight=len(row["text"]) + 300)


def _stored_labels(store: Store, crawl: str) -> Iterator[tuple[Key, Values]]:
    """Yield the latest label of each leaf."""
    columns = ["annotated_at", "page_id", "n", "annotator", "kind", "text", "label", "rubric", "unit"]
    known = store.read("annotations", columns=columns, crawl=crawl).sort_by("annotated_at")
    for batch in known.to_batches():
        for row in batch.to_pylist():
            if row["unit"] == "leaf":
                values = (row["kind"], row["text"], row["label"], row["rubric"])
                yield (row["page_id"], row["n"], row["annotator"]), values

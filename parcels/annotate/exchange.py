"""Labels in other formats: JSON Lines (one page and annotator per line) and Label Studio, both directions.

A line of JSON Lines is a gold file as `parcels import annotations` reads it. For Label Studio a page is a task whose
`leaves` are shown as paragraphs; `label-studio-config` is the labelling set-up that fits.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from parcels.annotate.journal import SUFFIX, journal_folder, read_journal
from parcels.annotate.label_index import LabelIndex, stored_rows
from parcels.annotate.vote import agreement, vote_page
from parcels.errors import ConfigError, SkipRecord
from parcels.labels import label_set
from parcels.store import Store

VOTE = "vote"  # the annotator of what was voted
FROM, TO = "label", "leaves"  # the names of Label Studio's two parts
MAX_BYTES = 2_000_000_000  # of a file to import

Document = dict[str, Any]


def lines(store: Store, crawl: str | None, *, is_voted: bool = False) -> Iterator[Document]:
    """Yield one gold document per page and annotator; with `is_voted` one per page, with the voted labels."""
    about = _pages(store, crawl)
    index, rubrics = _label_index(store, crawl)
    for page in sorted(index.pages):
        by_annotator = index.of_page(page)
        if is_voted and by_annotator:
            by_annotator = {VOTE: vote_page(by_annotator).leaves}
        for annotator, leaves in sorted(by_annotator.items()):
            yield {
                **about.get(page, {"page_id": page}), "annotator": annotator, "rubric": rubrics.get(page),
                "annotated_at": max((leaf.at.isoformat() for leaf in leaves.values() if leaf.at), default=None),
                "leaves": [_leaf(n, leaf) for n, leaf in sorted(leaves.items())],
            }  # fmt: skip


def _label_index(store: Store, crawl: str | None) -> tuple[LabelIndex, dict[str, str]]:
    """Return all labels of a store, those included that are still in a journal of the annotator."""
    index, rubrics = LabelIndex(), {}
    for row in chain(stored_rows(store, crawl=crawl), _journal_rows(store, crawl)):
        index.add([row])
        rubrics[row["page_id"]] = row["rubric"]
    return index, rubrics


def _journal_rows(store: Store, crawl: str | None) -> Iterator[Document]:
    if store.location.is_local:
        for path in sorted(journal_folder(store, None).glob(f"*{SUFFIX}")):
            with contextlib.suppress(FileNotFoundError):  # put into the table meanwhile
                yield from (row for row in read_journal(path) if crawl in (None, row["crawl"]))


def _pages(store: Store, crawl: str | None) -> dict[str, Document]:
    pages = {}
    for batch in store.batches("pages", columns=["page_id", "name", "url", "crawl"], crawl=crawl):
        for row in batch.to_pylist():
            pages[row["page_id"]] = {"page": row["name"] or row["page_id"], **row}
    return pages


def _leaf(n: int, leaf: Any) -> Document:
    return {"i": n, "kind": leaf.kind, "text": leaf.text, "label": leaf.label, "block": leaf.block}


def json_lines(store: Store, crawl: str | None, *, is_voted: bool = False) -> Iterator[bytes]:
    """Yield the labels as JSON Lines."""
    for line in lines(store, crawl, is_voted=is_voted):
        yield orjson.dumps(line) + b"\n"


def label_studio(store: Store, crawl: str | None) -> Iterator[bytes]:
    """Yield the labels as tasks of Label Studio, with the annotations of one page in one task."""
    tasks: dict[str, list[Document]] = {}
    for line in lines(store, crawl):
        tasks.setdefault(line["page_id"], []).append(line)
    yield b"["
    for number, of_page in enumerate(tasks.values()):
        yield (b",\n" if number else b"\n") + orjson.dumps(_task(of_page))
    yield b"\n]\n"


def _task(of_page: list[Document]) -> Document:
    leaves: dict[int, Document] = {}
    for line in of_page:
        for leaf in line["leaves"]:
            leaves.setdefault(leaf["i"], leaf)
    order = {n: place for place, n in enumerate(sorted(leaves))}
    shown = [
        {"n": n, "kind": leaves[n]["kind"], "text": _shown(leaves[n]), "leaf": leaves[n]["text"],
         "block": leaves[n]["block"]}
        for n in order
    ]  # fmt: skip
    first = of_page[0]
    about = {name: first.get(name) for name in ("page", "page_id", "url", "crawl", "rubric")}
    return {"data": about | {TO: shown}, "annotations": [_annotation(line, order) for line in of_page]}


def _annotation(line: Document, order: Mapping[int, int]) -> Document:
    return {
        "completed_by": {"email": line["annotator"]},
        "created_at": line["annotated_at"],
        "result": [_result(leaf, order[leaf["i"]], line["page_id"]) for leaf in line["leaves"]],
    }


def _result(leaf: Document, place: int, page: str) -> Document:
    text = _shown(leaf)
    name = hashlib.sha256(f"{page} {leaf['i']}".encode()).hexdigest()[:10]
    value = {
        "start": str(place), "end": str(place), "startOffset": 0, "endOffset": len(text), "text": text,
        "paragraphlabels": [leaf["label"]],
    }  # fmt: skip
    return {"id": name, "from_name": FROM, "to_name": TO, "type": "paragraphlabels", "value": value}


def _shown(leaf: Document) -> str:
    """Return a leaf as a paragraph; images get a text that can be marked."""
    text: str = leaf["text"]
    return text if leaf["kind"] == "text" else f"[{leaf['kind']}] {text}".rstrip()


def label_studio_config(store: Store | None = None, crawl: str | None = None) -> Iterator[bytes]:
    """Yield the labelling configuration of Label Studio."""
    labels = "\n".join(
        f'    <Label value="{escape(one.name)}" background="{escape(one.colour)}" hotkey="{escape(one.key)}"/>'
        for one in label_set().labels
    )
    yield (
        f'<View>\n  <ParagraphLabels name="{FROM}" toName="{TO}">\n{labels}\n  </ParagraphLabels>\n'
        f'  <Paragraphs name="{TO}" value="${TO}" layout="dialogue" nameKey="kind" textKey="text"/>\n</View>\n'
    ).encode()


def agreement_json(store: Store, crawl: str | None) -> Iterator[bytes]:
    """Yield the agreement between annotators as one JSON object."""
    measured = agreement(_label_index(store, crawl)[0])
    pairs = [{"people": list(pair), "cohen": kappa} for pair, kappa in measured.pairs.items()]
    plain = {
        "blocks": measured.items,
        "agreed": measured.agreed,
        "cohen": measured.cohen,
        "fleiss": measured.fleiss,
        "pairs": pairs,
    }
    yield orjson.dumps(plain, option=orjson.OPT_INDENT_2) + b"\n"


def votes_json_lines(store: Store, crawl: str | None) -> Iterator[bytes]:
    """Yield the voted labels as JSON Lines."""
    return json_lines(store, crawl, is_voted=True)


EXPORTS: dict[str, tuple[str, Callable[[Store, str | None], Iterator[bytes]]]] = {
    "annotations": ("jsonl", json_lines),
    "votes": ("jsonl", votes_json_lines),
    "label-studio": ("json", label_studio),
    "label-studio-config": ("xml", label_studio_config),
    "agreement": ("json", agreement_json),
}


def documents(path: Path) -> Iterator[Document | SkipRecord]:
    """Yield the gold documents of a file (one object, JSON Lines, or Label Studio tasks); SkipRecord for bad ones."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SkipRecord("too-large", detail=f"more than {MAX_BYTES:,} bytes")
        if path.suffix == ".jsonl":
            with path.open("rb") as file:
                yield from (_line(line, number) for number, line in enumerate(file, 1) if line.strip())
            return
        data = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        yield SkipRecord("bad-json", detail=str(error))
        return
    except OSError as error:
        yield SkipRecord("unreadable", detail=error.strerror or str(error))
        return
    except SkipRecord as skipped:
        yield skipped
        return
    if isinstance(data, list) and data:
        for number, task in enumerate(data, 1):
            yield from _from_task(task, number)
    else:
        yield _document(data, "")


def voted_documents(path: Path) -> Iterator[Document]:
    """Yield one gold document per page of an export, with the labels on which most people agree."""
    index, about = LabelIndex(), {}
    for number, document in enumerate(documents(path), 1):
        if isinstance(document, SkipRecord):
            raise ConfigError(f"{path} is not an export of labels ({document.reason}: {document.detail})")
        key, who = (
            str(document.get("page_id") or document.get("page") or path.stem),
            str(document.get("annotator") or number),
        )
        about[key] = {name: document.get(name) for name in ("page", "page_id", "url", "rubric")}
        try:
            index.add(
                {**leaf, "n": leaf["i"], "page_id": key, "annotator": who, "annotated_at": document.get("annotated_at")}
                for leaf in document["leaves"]
            )
        except (KeyError, TypeError) as error:
            raise ConfigError(f"{path}: a leaf of document {number} lacks {error}") from error
    for key, of_page in about.items():
        leaves = vote_page(index.of_page(key)).leaves
        yield {**of_page, "annotator": VOTE, "leaves": [_leaf(n, document) for n, document in sorted(leaves.items())]}


def _line(line: bytes, number: int) -> Document | SkipRecord:
    try:
        return _document(orjson.loads(line), f"line {number}")
    except orjson.JSONDecodeError as error:
        return SkipRecord("bad-json", detail=f"line {number}: {error}")


def _document(data: Any, where: str) -> Document | SkipRecord:
    if not isinstance(data, dict) or not isinstance(data.get("leaves"), list):
        return SkipRecord("bad-json", detail=f'{where} is not {{"leaves": [...]}}'.strip())
    return data


def _from_task(task: Any, number: int) -> Iterator[Document | SkipRecord]:
    """Yield the annotations of one Label Studio task as gold documents."""
    try:
        about, shown = task["data"], task["data"][TO]
        documents = [_from_annotation(one, about, shown) for one in task["annotations"]]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        detail = f"task {number} is not one that parcels exported ({type(error).__name__}: {error!s:.100})"
        yield SkipRecord("bad-task", detail=detail)
        return
    yield from documents


def _from_annotation(annotation: Any, about: Any, shown: Any) -> Document:
    leaves = []
    for result in annotation["result"]:
        if result.get("type") != "paragraphlabels":
            continue
        value = result["value"]
        for place in range(int(value["start"]), int(value["end"]) + 1):
            leaf = shown[place]
            leaves.append({"i": leaf["n"], "kind": leaf["kind"], "text": leaf["leaf"], "block": leaf["block"],
                           "label": value["paragraphlabels"][0]})  # fmt: skip
    known = {name: about.get(name) for name in ("page", "page_id", "url", "rubric")}
    who, when = _person(annotation.get("completed_by")), annotation.get("created_at")
    return {**known, "leaves": leaves, "annotator": who, "annotated_at": when}


def _person(completed_by: Any) -> str | None:
    if isinstance(completed_by, dict):
        return str(completed_by.get("email") or completed_by.get("username") or "") or None
    return f"user{completed_by}" if isinstance(completed_by, int) else None


def export(store: Store, what: str, crawl: str | None) -> Iterator[bytes]:
    """Return the bytes of an export."""
    if what not in EXPORTS:
        raise ConfigError(f"Unknown export '{what}'. Use one of: {', '.join(EXPORTS)}.")
    return EXPORTS[what][1](store, crawl)

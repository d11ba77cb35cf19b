"""Labels for other programs and from them: JSON Lines (a page and a person a line) and Label Studio.

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
from parcels.annotate.said import Everything, stored_rows
from parcels.annotate.vote import agreement, vote_page
from parcels.errors import ConfigError, SkipRecord
from parcels.labels import label_set
from parcels.store import Store

VOTE = "vote"  # the annotator of what was voted
FROM, TO = "label", "leaves"  # the names of Label Studio's two parts
MOST_BYTES = 2_000_000_000  # of a file to import

Line = dict[str, Any]


def lines(store: Store, crawl: str | None, *, is_voted: bool = False) -> Iterator[Line]:
    """A page and a person a line; with `is_voted` a page a line, with the labels that most agree on."""
    about = _pages(store, crawl)
    everything, rubrics = _everything(store, crawl)
    for page in sorted(everything.pages):
        said = everything.of_page(page)
        if is_voted and said:
            said = {VOTE: vote_page(said).leaves}
        for who, leaves in sorted(said.items()):
            yield {
                **about.get(page, {"page_id": page}), "annotator": who, "rubric": rubrics.get(page),
                "annotated_at": max((one.at.isoformat() for one in leaves.values() if one.at), default=None),
                "leaves": [_leaf(n, one) for n, one in sorted(leaves.items())],
            }  # fmt: skip


def _everything(store: Store, crawl: str | None) -> tuple[Everything, dict[str, str]]:
    """Return all labels of a store, those included that are still in a journal of the annotator."""
    everything, rubrics = Everything(), {}
    for row in chain(stored_rows(store, crawl=crawl), _journal_rows(store, crawl)):
        everything.add([row])
        rubrics[row["page_id"]] = row["rubric"]
    return everything, rubrics


def _journal_rows(store: Store, crawl: str | None) -> Iterator[Line]:
    if store.place.is_local:
        for path in sorted(journal_folder(store, None).glob(f"*{SUFFIX}")):
            with contextlib.suppress(FileNotFoundError):  # put into the table meanwhile
                yield from (row for row in read_journal(path) if crawl in (None, row["crawl"]))


def _pages(store: Store, crawl: str | None) -> dict[str, Line]:
    found = {}
    for batch in store.batches("pages", columns=["page_id", "name", "url", "crawl"], crawl=crawl):
        for row in batch.to_pylist():
            found[row["page_id"]] = {"page": row["name"] or row["page_id"], **row}
    return found


def _leaf(n: int, one: Any) -> Line:
    return {"i": n, "kind": one.kind, "text": one.text, "label": one.label, "block": one.block}


def json_lines(store: Store, crawl: str | None, *, is_voted: bool = False) -> Iterator[bytes]:
    """The labels as JSON Lines."""
    for line in lines(store, crawl, is_voted=is_voted):
        yield orjson.dumps(line) + b"\n"


def label_studio(store: Store, crawl: str | None) -> Iterator[bytes]:
    """The labels as tasks of Label Studio, all people's annotations of a page in one task."""
    tasks: dict[str, list[Line]] = {}
    for line in lines(store, crawl):
        tasks.setdefault(line["page_id"], []).append(line)
    yield b"["
    for number, of_page in enumerate(tasks.values()):
        yield (b",\n" if number else b"\n") + orjson.dumps(_task(of_page))
    yield b"\n]\n"


def _task(of_page: list[Line]) -> Line:
    leaves: dict[int, Line] = {}
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


def _annotation(line: Line, order: Mapping[int, int]) -> Line:
    return {
        "completed_by": {"email": line["annotator"]},
        "created_at": line["annotated_at"],
        "result": [_result(leaf, order[leaf["i"]], line["page_id"]) for leaf in line["leaves"]],
    }


def _result(leaf: Line, place: int, page: str) -> Line:
    text = _shown(leaf)
    name = hashlib.sha256(f"{page} {leaf['i']}".encode()).hexdigest()[:10]
    value = {
        "start": str(place), "end": str(place), "startOffset": 0, "endOffset": len(text), "text": text,
        "paragraphlabels": [leaf["label"]],
    }  # fmt: skip
    return {"id": name, "from_name": FROM, "to_name": TO, "type": "paragraphlabels", "value": value}


def _shown(leaf: Line) -> str:
    """A leaf as a paragraph: an image has to show something that can be marked."""
    text: str = leaf["text"]
    return text if leaf["kind"] == "text" else f"[{leaf['kind']}] {text}".rstrip()


def label_studio_config(store: Store | None = None, crawl: str | None = None) -> Iterator[bytes]:
    """The labelling set-up for Label Studio."""
    labels = "\n".join(
        f'    <Label value="{escape(one.name)}" background="{escape(one.colour)}" hotkey="{escape(one.key)}"/>'
        for one in label_set().labels
    )
    yield (
        f'<View>\n  <ParagraphLabels name="{FROM}" toName="{TO}">\n{labels}\n  </ParagraphLabels>\n'
        f'  <Paragraphs name="{TO}" value="${TO}" layout="dialogue" nameKey="kind" textKey="text"/>\n</View>\n'
    ).encode()


def agreement_json(store: Store, crawl: str | None) -> Iterator[bytes]:
    """How far people agree, as one object."""
    found = agreement(_everything(store, crawl)[0])
    pairs = [{"people": list(pair), "cohen": kappa} for pair, kappa in found.pairs.items()]
    plain = {
        "blocks": found.items,
        "agreed": found.agreed,
        "cohen": found.cohen,
        "fleiss": found.fleiss,
        "pairs": pairs,
    }
    yield orjson.dumps(plain, option=orjson.OPT_INDENT_2) + b"\n"


def votes_json_lines(store: Store, crawl: str | None) -> Iterator[bytes]:
    """The voted labels as JSON Lines."""
    return json_lines(store, crawl, is_voted=True)


EXPORTS: dict[str, tuple[str, Callable[[Store, str | None], Iterator[bytes]]]] = {
    "annotations": ("jsonl", json_lines),
    "votes": ("jsonl", votes_json_lines),
    "label-studio": ("json", label_studio),
    "label-studio-config": ("xml", label_studio_config),
    "agreement": ("json", agreement_json),
}


def documents(path: Path) -> Iterator[Line | SkipRecord]:
    """The gold documents of a file, or why one is none: an object of its own, a line each, or Label Studio's tasks."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SkipRecord("too-large", detail=f"more than {MOST_BYTES:,} bytes")
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


def voted_documents(path: Path) -> Iterator[Line]:
    """Yield one gold document per page of an export, with the labels on which most people agree."""
    everything, about = Everything(), {}
    for number, one in enumerate(documents(path), 1):
        if isinstance(one, SkipRecord):
            raise ConfigError(f"{path} is not an export of labels ({one.reason}: {one.detail})")
        key, who = str(one.get("page_id") or one.get("page") or path.stem), str(one.get("annotator") or number)
        about[key] = {name: one.get(name) for name in ("page", "page_id", "url", "rubric")}
        try:
            everything.add(
                {**leaf, "n": leaf["i"], "page_id": key, "annotator": who, "annotated_at": one.get("annotated_at")}
                for leaf in one["leaves"]
            )
        except (KeyError, TypeError) as error:
            raise ConfigError(f"{path}: a leaf of document {number} lacks {error}") from error
    for key, of_page in about.items():
        leaves = vote_page(everything.of_page(key)).leaves
        yield {**of_page, "annotator": VOTE, "leaves": [_leaf(n, one) for n, one in sorted(leaves.items())]}


def _line(line: bytes, number: int) -> Line | SkipRecord:
    try:
        return _document(orjson.loads(line), f"line {number}")
    except orjson.JSONDecodeError as error:
        return SkipRecord("bad-json", detail=f"line {number}: {error}")


def _document(data: Any, where: str) -> Line | SkipRecord:
    if not isinstance(data, dict) or not isinstance(data.get("leaves"), list):
        return SkipRecord("bad-json", detail=f'{where} is not {{"leaves": [...]}}'.strip())
    return data


def _from_task(task: Any, number: int) -> Iterator[Line | SkipRecord]:
    """The annotations of one task of Label Studio as gold documents."""
    try:
        about, shown = task["data"], task["data"][TO]
        found = [_from_annotation(one, about, shown) for one in task["annotations"]]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        detail = f"task {number} is not one that parcels exported ({type(error).__name__}: {error!s:.100})"
        yield SkipRecord("bad-task", detail=detail)
        return
    yield from found


def _from_annotation(one: Any, about: Any, shown: Any) -> Line:
    leaves = []
    for result in one["result"]:
        if result.get("type") != "paragraphlabels":
            continue
        value = result["value"]
        for place in range(int(value["start"]), int(value["end"]) + 1):
            leaf = shown[place]
            leaves.append({"i": leaf["n"], "kind": leaf["kind"], "text": leaf["leaf"], "block": leaf["block"],
                           "label": value["paragraphlabels"][0]})  # fmt: skip
    known = {name: about.get(name) for name in ("page", "page_id", "url", "rubric")}
    who, when = _person(one.get("completed_by")), one.get("created_at")
    return {**known, "leaves": leaves, "annotator": who, "annotated_at": when}


def _person(completed_by: Any) -> str | None:
    if isinstance(completed_by, dict):
        return str(completed_by.get("email") or completed_by.get("username") or "") or None
    return f"user{completed_by}" if isinstance(completed_by, int) else None


def export(store: Store, what: str, crawl: str | None) -> Iterator[bytes]:
    """The bytes of an export."""
    if what not in EXPORTS:
        raise ConfigError(f"there is no export '{what}'; known: {', '.join(EXPORTS)}")
    return EXPORTS[what][1](store, crawl)

"""Have pages labelled from nothing: write pages as numbered leaves, check and collect what readers answer.

    python -m benchmarks.labels.reading write LIST OUT     # LIST: one `corpus page` per line; OUT gets PAGE.txt
    python -m benchmarks.labels.reading check OUT          # reports answers that do not cover a page
    python -m benchmarks.labels.reading collect OUT LABELS.jsonl

A reader sees the rubric (docs/rubric.md) and `PAGE.txt`: each visible leaf with its number, its text and the names of
the elements around it, and nothing that a model or another person said. The answer, `PAGE.lab`, has one line per range:
`FIRST-LAST label` or `N label`; a later line overrides an earlier one.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from itertools import groupby, takewhile
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow.compute as pc
import pyarrow.dataset as ds

from benchmarks import corpora
from parcels.errors import SkipRecord
from parcels.html.page import Page, read_page
from parcels.labels import label_set

LABELS = frozenset(label_set("news17").names)
LONGEST_TEXT = 90  # characters of a leaf that are shown
LONGEST_LINE = 170  # leaves of one element share a line up to this length
PATH_NAMES = 3  # the nearest of the elements that the line before was not in
PLAIN_TAGS = frozenset(
    [
        "html",
        "body",
        "div",
        "span",
        "table",
        "tbody",
        "thead",
        "tr",
        "td",
        "center",
        "font",
        "p",
        "a",
        "b",
        "i",
        "em",
        "strong",
        "br",
        "img",
        "li",
        "u",
        "small",
    ]
)


def pages(names: list[tuple[str, str]]) -> Iterator[tuple[str, dict[str, object], Page]]:
    """Yield corpus, row and page of each name."""
    for corpus, group in groupby(sorted(names), key=lambda name: name[0]):
        wanted = [page for _, page in group]
        source = ds.dataset(corpora.folder() / corpus / "pages.parquet")
        table = source.to_table(columns=["page", "url", "html"], filter=pc.field("page").isin(wanted))
        for row in table.to_pylist():
            yield corpus, row, read_page(row["html"], row["url"], name=row["page"])


def page_text(page: Page) -> str:
    """Return the numbered leaves of a page with the names of the elements around them."""
    lines = [f"address: {page.url or 'unknown'}"]
    path: tuple[str, ...] = ()
    line = ""
    for number, (kind, text) in enumerate(zip(page.leaves.kind, page.leaves.text, strict=True)):
        here = path_of(page, int(page.leaves.node[number]))
        shown = f"{number}:{leaf_text(page, number, kind, text)}"
        if here != path:
            lines.append(line)
            line = f"<{' '.join(here[common(here, path) :][-PATH_NAMES:])}> {shown}"
            path = here
        elif len(line) + len(shown) > LONGEST_LINE:
            lines.append(line)
            line = shown
        else:
            line = f"{line}  {shown}"
    return "\n".join([*lines, line]).replace("\n\n", "\n").replace("<> ", "") + "\n"


def common(here: tuple[str, ...], there: tuple[str, ...]) -> int:
    """Return how many names two paths share from their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False)))


def path_of(page: Page, row: int) -> tuple[str, ...]:
    """Return the names of the elements around a row that say something, the nearest last."""
    names = []
    while row > 0:
        tag, attributes = page.nodes.tags[row], page.nodes.attributes[row]
        marks = [f"#{attributes['id'][:20]}"] if attributes.get("id") else []
        marks += [f".{name[:20]}" for name in (attributes.get("class") or "").split()[:1]]
        if (marks and tag not in ("body", "a", "img")) or tag not in PLAIN_TAGS:
            names.append(tag + "".join(marks))
        row = int(page.nodes.parent[row])
    return tuple(reversed(names))


def leaf_text(page: Page, number: int, kind: str, text: str) -> str:
    """Return how a leaf is shown: media and controls with their kind, links with a mark and a foreign host."""
    row = int(page.leaves.node[number])
    shown = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 22]}…{text[-18:]}"
    if kind != "text":
        source = (page.nodes.attributes[row].get("src") or "").split("?")[0][-24:]
        shown = f"[{kind} {shown}|{source}]" if kind in ("img", "iframe") else f"[{kind} {shown}]"
    link = int(page.nodes.link[row])
    if link >= 0:
        host = urlsplit_host(page.nodes.attributes[link].get("href") or "")
        own = urlsplit_host(page.url or "")
        foreign = host and own and ".".join(host.split(".")[-2:]) != ".".join(own.split(".")[-2:])
        shown = f"→{host} {shown}" if foreign else f"→{shown}"
    return shown


def urlsplit_host(address: str) -> str:
    """Return the host of an address; empty where it has none."""
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def answer_labels(answer: str, count: int) -> list[str]:
    """Return the label of each leaf; raises ValueError where the answer is not complete."""
    labels = [""] * count
    for line in filter(None, (line.split("#")[0].strip() for line in answer.splitlines())):
        place, _, label = line.partition(" ")
        first, _, last = place.partition("-")
        label = label.strip()
        if label not in LABELS:
            raise ValueError(f"no such label: {line!r}")
        if not first.isdigit() or not (last or "0").isdigit():
            raise ValueError(f"no range: {line!r}")
        start, end = int(first), int(last or first)
        if not 0 <= start <= end < count:
            raise ValueError(f"a range beyond the page's {count} leaves: {line!r}")
        labels[start : end + 1] = [label] * (end + 1 - start)
    if "" in labels:
        raise ValueError(f"leaf {labels.index('')} of {count} has no label")
    return labels


def with_links(page: Page, labels: list[str]) -> list[str]:
    """Label links inside the main text `contentlink`, as the rubric has it."""
    pairs = zip(labels, page.leaves.is_link.tolist(), page.leaves.kind, strict=True)
    return [
        "contentlink" if label == "maincontent" and link and kind == "text" else label for label, link, kind in pairs
    ]


def write_pages(listed: Path, out: Path) -> None:
    """Write the pages of a list as texts to read, with an index."""
    out.mkdir(parents=True, exist_ok=True)
    names = [tuple(line.split(" ", 1)) for line in listed.read_text("utf-8").splitlines() if line]
    index = {}
    for corpus, row, page in pages(names):  # type: ignore[arg-type]
        name = hashlib.blake2b(f"{corpus}/{row['page']}".encode(), digest_size=5).hexdigest()
        (out / f"{name}.txt").write_text(page_text(page), "utf-8")
        index[name] = {"corpus": corpus, "page": row["page"], "count": len(page.leaves)}
    (out / "index.json").write_text(json.dumps(index, indent=0), "utf-8")


def check(out: Path) -> int:
    """Print what is wrong with the answers in a folder; return how many are missing or wrong."""
    index = json.loads((out / "index.json").read_text("utf-8"))
    wrong = 0
    for name, entry in index.items():
        answer = out / f"{name}.lab"
        try:
            if not answer.is_file():
                raise ValueError("no answer yet")
            answer_labels(answer.read_text("utf-8"), entry["count"])
        except ValueError as error:
            print(f"{name}: {error}")
            wrong += 1
    print(f"{len(index) - wrong} of {len(index)} pages are labelled completely")
    return wrong


def collect(out: Path, target: Path) -> int:
    """Append the complete answers of a folder to a file of labels; return their number."""
    index = json.loads((out / "index.json").read_text("utf-8"))
    by_page = {(entry["corpus"], entry["page"]): name for name, entry in index.items()}
    rows = []
    for corpus, row, page in pages(list(by_page)):
        name = by_page[corpus, row["page"]]
        try:
            labels = with_links(page, answer_labels((out / f"{name}.lab").read_text("utf-8"), len(page.leaves)))
        except (OSError, ValueError, SkipRecord) as error:
            print(f"{name}: left out, {error}")
            continue
        runs = [[len(list(group)), label] for label, group in groupby(labels)]
        texts = "\n".join(page.leaves.text).encode()
        rows.append(
            {
                "corpus": corpus,
                "page": row["page"],
                "url": row["url"],
                "sha256": hashlib.sha256(row["html"]).hexdigest(),  # type: ignore[call-overload]
                "leaves": hashlib.blake2b(texts, digest_size=8).hexdigest(),
                "labels": runs,
            }
        )
    with target.open("a", encoding="utf-8") as file:
        for entry in rows:
            file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")
    return len(rows)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.labels.reading", description=__doc__)
    parser.add_argument("step", choices=["write", "check", "collect"])
    parser.add_argument("paths", type=Path, nargs="+")
    args = parser.parse_args()
    if args.step == "write":
        write_pages(*args.paths)
    elif args.step == "check":
        return check(*args.paths) > 0
    else:
        print(f"{collect(*args.paths)} labelled pages written to {args.paths[1]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

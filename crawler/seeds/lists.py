"""Read lists of addresses: one per line, or a table (TSV, CSV) of address and category, with a header or without."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from crawler.seeds.markup import clean_text
from crawler.seeds.seed import Seed, seed

MAX_LINE = 100_000  # characters
LOOK_ROWS = 50  # rows that decide which column is which
_URL_NAMES = frozenset(["url", "uri", "link", "address", "page", "website", "site", "homepage", "href", "loc"])
_TOPIC_NAMES = frozenset(["topic", "category", "categories", "class", "label", "section", "subject", "cat"])
_TITLE_NAMES = frozenset(["title", "name", "headline"])
_DATE_NAMES = frozenset(["date", "published", "publication_date", "pubdate", "lastmod"])
_CELLS = re.compile(r"[\t,;|]")
_ADDRESS = re.compile(r"https?:[/\\]{2}\S", re.I)
BARE = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z][a-z0-9-]{1,62}(?::\d{1,5})?(?:[/?#]\S*)?", re.I)


def read_list(
    chunks: Iterable[bytes], *, charset: str | None = None, left_out: Counter[str] | None = None
) -> Iterator[Seed]:
    """Yield the addresses of a list or table; `example.com/a` counts as an address, `#` begins a comment.

    >>> [(s.url, s.topic) for s in read_list([b"url\\tcategory\\nhttp://a.example/\\tArts\\nb.example\\tNews\\n"])]
    [('http://a.example/', 'Arts'), ('http://b.example/', 'News')]
    """
    rows = _rows(_lines(clean_text(chunks, charset=charset), left_out))
    first: list[list[str]] = []
    for row in rows:
        first.append(row)
        if len(first) == LOOK_ROWS:
            break
    if not first:
        return
    columns, has_header = _columns(first)
    yield from _seeds(first[1:] if has_header else first, columns, left_out)
    yield from _seeds(rows, columns, left_out)


def _lines(texts: Iterable[str], left_out: Counter[str] | None) -> Iterator[str]:
    held = ""
    for text in texts:
        *whole, held = (held + text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        yield from whole
        if len(held) > MAX_LINE:
            if left_out is not None:
                left_out["line too long"] += 1
            held = ""
    yield held


def _rows(lines: Iterator[str]) -> Iterator[list[str]]:
    """Yield the cells of each line; the first line that is not a comment decides what separates them."""
    mark: str | None = None
    for line in lines:
        line = line.strip(" \ufeff")
        if not line.strip() or line.startswith(("#", "//")):
            continue
        if mark is None:
            mark = _separator(line)
        cells = next(csv.reader([line], delimiter=mark), []) if mark else [line]
        yield [cell.strip() for cell in cells]


def _separator(line: str) -> str:
    """Return the first separator that the line has outside its addresses: tabs never occur in one.

    >>> _separator("http://a.example/b,c"), _separator("http://a.example/,Arts"), _separator("url;topic")
    ('', ',', ';')
    """
    if "\t" in line:
        return "\t"
    for mark in (",", ";", "|"):
        cells = line.split(mark)
        others = [cell for cell in cells if not _ADDRESS.match(cell.strip(' "'))]
        is_header = any(cell.strip(' "').lower() in _URL_NAMES for cell in cells)
        if len(cells) > 1 and (is_header or '"' in line or cells[0].endswith("/") or any(" " in c for c in others)):
            return mark
        if len(cells) > 1 and len(others) == len(cells) - 1 and _is_name(others):
            return mark
    return ""


def _is_name(cells: list[str]) -> bool:
    """Return True if the cells after an address are a category: it begins with a capital (`Arts`, `Top/Arts`)."""
    return bool(cells) and all(cell.strip()[:1].isupper() for cell in cells)


def _columns(rows: list[list[str]]) -> tuple[dict[str, int], bool]:
    names = {"url": _URL_NAMES, "topic": _TOPIC_NAMES, "title": _TITLE_NAMES, "published": _DATE_NAMES}
    header = [cell.lower().strip(' "') for cell in rows[0]]
    numbers = {what: n for what, known in names.items() for n, cell in reversed([*enumerate(header)]) if cell in known}
    if "url" in numbers and not _is_address(rows[0][numbers["url"]]):
        return numbers, True
    width = max(map(len, rows))
    shares = [sum(_is_address(row[n]) for row in rows if n < len(row)) for n in range(width)]
    url = shares.index(max(shares))
    others = [n for n in range(width) if n != url]
    columns = {"url": url} | ({"topic": others[0]} if others else {})
    return columns, not _is_address(rows[0][url] if url < len(rows[0]) else "") and max(shares) > 0


def looks_like_list(text: str) -> bool:
    """Return True if a line of the text is an address, or a table row with one; prose with an address is no list.

    >>> looks_like_list("# ours\\nhttp://a.example/ Arts"), looks_like_list("See http://a.example/ for more.")
    (True, False)
    """
    lines = text.splitlines()[:LOOK_ROWS]
    return any(_is_address(cell.strip(' "\ufeff')) for line in lines for cell in _CELLS.split(line[:MAX_LINE]))


def _is_address(cell: str) -> bool:
    return bool(_ADDRESS.match(cell) or BARE.fullmatch(cell))


def _seeds(rows: Iterable[list[str]], columns: dict[str, int], left_out: Counter[str] | None) -> Iterator[Seed]:
    for row in rows:
        cells = {what: row[n] for what, n in columns.items() if n < len(row)}
        address = cells.pop("url", None)
        if address and not _ADDRESS.match(address) and BARE.fullmatch(address):
            address = f"http://{address}"
        listed = seed(address, kind="home" if not cells else "page", left_out=left_out, **cells)
        if listed is not None:
            yield listed

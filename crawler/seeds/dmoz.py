"""Read dumps of the Open Directory as streams: `content.rdf.u8` (sites by topic), `structure.rdf.u8` (topics).

The dumps are called RDF but contain control characters, broken UTF-8, stray ampersands and, in some years, truncated
records, so XML parsers fail on them. The records are flat: each is parsed alone, between its tags, and a broken one
affects no other. Only one piece of the stream is in memory.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crawler.seeds.markup import clean_text, unescaped
from crawler.seeds.seed import Seed, folded, seed

MAX_RECORD = 1 << 20  # characters; a topic that lists ten thousand links is cut out by its end all the same
_PAGE = re.compile(
    r"<ExternalPage\s+(?:r:)?about\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')([^<]*(?:<(?!/?ExternalPage\b)[^<]*)*)"
)
_TOPIC_OF_PAGE = re.compile(r"<topic>([^<]*)</topic>")
_TITLE = re.compile(r"<d:Title>(.{0,2000}?)</d:Title>", re.S)
_TOPIC = re.compile(r"<Topic\s+r:id\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')([^<]*(?:<(?!/?Topic\b)[^<]*)*)")
_BELOW = re.compile(r"<(narrow\d?|symbolic\d?|altlang\d?|related)\s+r:resource\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')")
_ROOT = "Top/"


class Topic(NamedTuple):
    """A topic of the directory: its path without `Top/`, and the topics that it refers to, by kind of reference."""

    path: str
    title: str | None
    narrow: tuple[str, ...]
    symbolic: tuple[str, ...]


def read_content(
    chunks: Iterable[bytes], *, charset: str | None = None, left_out: Counter[str] | None = None
) -> Iterator[Seed]:
    """Yield the sites of `content.rdf.u8`, each with its topic as a path (`Arts/Movies`).

    >>> xml = b'<ExternalPage about="http://a.example/?b&c"><d:Title>A \\x07one</d:Title><topic>Top/Arts</topic>'
    >>> list(read_content([xml + b'</ExternalPage>']))
    [Seed(url='http://a.example/?b&c', kind='page', topic='Arts', title='A one', published_at=None)]
    """
    for about, other, body in _records(chunks, _PAGE, "<ExternalPage", charset, left_out):
        topic, title = _TOPIC_OF_PAGE.search(body), _TITLE.search(body)
        site = seed(
            unescaped(about or other), topic=path_of(topic[1]) if topic else None,
            title=unescaped(title[1]) if title else None, left_out=left_out,
        )  # fmt: skip
        if site is not None:
            yield site


def read_structure(
    chunks: Iterable[bytes], *, charset: str | None = None, left_out: Counter[str] | None = None
) -> Iterator[Topic]:
    """Yield the topics of `structure.rdf.u8`.

    >>> xml = b'<Topic r:id="Top/Arts"><d:Title>Arts</d:Title><narrow1 r:resource="Top/Arts/Dance"/></Topic>'
    >>> list(read_structure([xml]))
    [Topic(path='Arts', title='Arts', narrow=('Arts/Dance',), symbolic=())]
    """
    for about, other, body in _records(chunks, _TOPIC, "<Topic", charset, left_out):
        path = path_of(about or other)
        if path is None:
            continue
        below: dict[str, list[str]] = {"narrow": [], "symbolic": []}
        for how, one, two in _BELOW.findall(body):
            target = path_of((one or two).rpartition(":")[2])  # a symbolic link is `name:Top/…`
            if target and (kind := how.rstrip("0123456789")) in below:
                below[kind].append(target)
        title = _TITLE.search(body)
        yield Topic(path, folded(unescaped(title[1])) if title else None, *(tuple(paths) for paths in below.values()))


def path_of(written: str) -> str | None:
    """Return a topic's path without its root.

    >>> path_of("Top/Arts/Movies &amp; Film"), path_of("Top") is None
    ('Arts/Movies & Film', True)
    """
    text = unescaped(written).strip().strip("/")
    return None if text in ("", "Top") else text.removeprefix(_ROOT)


def _records(
    chunks: Iterable[bytes], pattern: re.Pattern[str], start: str, charset: str | None, left_out: Counter[str] | None
) -> Iterator[tuple[str, str, str]]:
    """Yield the attribute (in one of two groups) and the inside of every record; the last waits for the next piece."""
    held = ""
    for text in clean_text(chunks, charset=charset):
        held += text
        last = held.rfind(start)
        if last < 0:
            held = held[-len(start) :]
            continue
        yield from _records_of(pattern, held[:last], start, left_out)
        held = held[last:]
        if len(held) > MAX_RECORD:
            if left_out is not None:
                left_out["record too long"] += 1
            held = ""
    yield from _records_of(pattern, held, start, left_out)


def _records_of(
    pattern: re.Pattern[str], text: str, start: str, left_out: Counter[str] | None
) -> list[tuple[str, str, str]]:
    records = pattern.findall(text)
    if left_out is not None and len(records) != (begun := text.count(start)):
        left_out["broken record"] += begun - len(records)
    return records

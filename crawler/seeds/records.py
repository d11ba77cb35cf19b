"""Read the records of a flat XML file (items of a feed, urls of a site map) one at a time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from crawler.seeds.markup import Token, tokens

MAX_FIELDS = 500  # of one record
MAX_CHARS = 20_000  # of one field
# Fields that stand beside each other, never inside: where one begins, one before it that was not closed has ended.
_BESIDE = frozenset(
    ["link", "guid", "id", "pubdate", "published", "updated", "date", "category", "description", "summary", "author",
     "loc", "lastmod", "changefreq", "priority", "publication_date"]
)  # fmt: skip
_OF_ANOTHER = frozenset(["source"])  # a part of the entry that describes where it was copied from


@dataclass(slots=True)
class Record:
    """A record: its tag, and its fields with the text between their tags and their attributes."""

    tag: str
    attributes: dict[str, str]
    fields: list["Field"] = field(default_factory=list)

    def text(self, *names: str) -> str | None:
        """Return the text of the first field with one of these names that has text, in the order of the names."""
        for name in names:
            for one in self.fields:
                if one.name == name and (text := one.text.strip()):
                    return text
        return None

    def all(self, name: str) -> Iterator["Field"]:
        """Yield all fields of a name."""
        return (one for one in self.fields if one.name == name)


@dataclass(slots=True)
class Field:
    """One field of a record; its name has a prefix if `keep_prefix` contains it."""

    name: str
    attributes: dict[str, str]
    text: str = ""


def records(
    chunks: Iterable[bytes], tags: frozenset[str], *, charset: str | None = None, keep_prefix: frozenset[str]
) -> Iterator[Record]:
    """Yield every element with one of the tags. One that is not closed ends where the next begins.

    `keep_prefix`: prefixes whose fields differ from those without a prefix (`media:title` is a picture's title).

    >>> [r.text("loc") for r in records([b"<url><loc> a </loc><url><loc>b</loc>"], frozenset(["url"]),
    ...                                 keep_prefix=frozenset())]
    ['a', 'b']
    """
    record: Record | None = None
    opened: list[Field] = []
    aside = ""  # the part of another thing that the stream is in
    for token in tokens(chunks, charset=charset):
        if token.kind == "start" and token.name in tags and not _is_field(token, keep_prefix):
            if record is not None:
                yield record
            record, opened, aside = Record(token.name, token.attributes), [], ""
        elif record is None:
            continue
        elif token.kind == "end":
            if token.name == record.tag and not _is_field(token, keep_prefix):
                yield record
                record, opened, aside = None, [], ""
            elif token.name == aside:
                aside = ""
            else:
                _close(opened, _name(token, keep_prefix))
        elif aside:
            continue
        elif token.kind == "start":
            if token.name in _OF_ANOTHER:
                aside = token.name
                continue
            if token.name in _BESIDE:
                opened.clear()
            if len(record.fields) < MAX_FIELDS:
                opened.append(Field(_name(token, keep_prefix), token.attributes))
                record.fields.append(opened[-1])
        else:
            for outer in opened:  # a title may hold markup of its own
                if len(outer.text) < MAX_CHARS:
                    outer.text += token.name
    if record is not None:
        yield record


def _is_field(token: Token, keep_prefix: frozenset[str]) -> bool:
    return token.prefix in keep_prefix


def _name(token: Token, keep_prefix: frozenset[str]) -> str:
    return f"{token.prefix}:{token.name}" if token.prefix in keep_prefix else token.name


def _close(opened: list[Field], name: str) -> None:
    """End the innermost field of this name, and the unclosed fields inside it."""
    for n in range(len(opened) - 1, -1, -1):
        if opened[n].name == name:
            del opened[n:]
            return

"""Read articles from text files: a header, an empty line, then pieces separated by empty lines.

A file `content/SITE/SLUG.txt` begins with `key: value` lines. After them, the first character of a piece tells what it
is; a piece without such a mark is a paragraph:

    ## header inside the text        - list item (one a line)       + key point (one a line)
    > quotation, last line `-- who`  >> pull quote repeated          | table row | cells (the first row is its head)
    ! alt | caption | credit         !! video title | duration       ? fact box (first line is its head)
    ~ 14:05 | live entry             % slug of a "read more" card    = note or correction at the end
    @ name | when | reader's comment

Inside a line `[text](target)` is a link and `*text*` is emphasis. A target is a slug of the same site, `site/slug`, or
an address.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

SITES = ("harbourcourier", "meridianpost", "lumen")
MARKS = {
    "## ": "header",
    ">> ": "pull",
    "!! ": "video",
    "- ": "list",
    "+ ": "keys",
    "> ": "quote",
    "| ": "table",
    "! ": "image",
    "? ": "facts",
    "~ ": "live",
    "% ": "card",
    "= ": "note",
    "@ ": "comment",
}
# Kinds whose words are the article's own text; captions, fact boxes and comments stand beside it.
MAIN_TEXT = frozenset({"paragraph", "list", "keys", "quote", "table", "note"})

LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
EMPHASIS = re.compile(r"\*(\S(?:[^*]*\S)?)\*")


@dataclass(frozen=True)
class Piece:
    """One part of an article: its kind and its lines (items of a list, rows of a table, one line of a paragraph)."""

    kind: str
    lines: tuple[str, ...]

    def cells(self, line: int = 0) -> list[str]:
        """Return the parts between `|` of one line.

        >>> Piece("image", ("a pier | The pier. | Photo: D. Marsh",)).cells()
        ['a pier', 'The pier.', 'Photo: D. Marsh']
        """
        return [cell.strip() for cell in self.lines[line].split("|")]


@dataclass(frozen=True)
class Picture:
    """The lead picture of an article."""

    alt: str
    caption: str
    credit: str


@dataclass(frozen=True)
class Story:
    """One article as its file describes it."""

    site: str
    slug: str
    title: str
    section: str
    published: str
    number: int = 0
    kind: str = "story"
    updated: str = ""
    authors: tuple[str, ...] = ()
    emails: dict[str, str] = field(default_factory=dict)
    source: str = ""
    place: str = ""
    dateline: str = "none"
    style: str = ""
    standfirst: str = ""
    picture: Picture | None = None
    tags: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    is_dated: bool = True

    @property
    def day(self) -> str:
        """Return the date alone, YYYY-MM-DD."""
        return self.published[:10]

    @property
    def body(self) -> tuple[Piece, ...]:
        """Return the pieces without the readers' comments."""
        return tuple(piece for piece in self.pieces if piece.kind != "comment")

    @property
    def comments(self) -> list[list[str]]:
        """Return the readers' comments as [name, when, text]."""
        return [piece.cells(n) for piece in self.pieces if piece.kind == "comment" for n in range(len(piece.lines))]

    @property
    def lead(self) -> str:
        """Return the text of a teaser, plain: the standfirst, else the first paragraph that is not a result line."""
        long = (line for piece in self.pieces if piece.kind == "paragraph" for line in piece.lines if len(line) > 60)
        return plain(self.standfirst or next(long))

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Return the article's text in reading order, plain: standfirst, paragraphs, items, quotations, rows, notes."""
        texts = [self.standfirst] if self.standfirst else []
        for piece in self.pieces:
            if piece.kind in MAIN_TEXT:
                for line in piece.lines:
                    text = " ".join(cell.strip() for cell in line.split("|")) if piece.kind == "table" else line
                    texts.append(text.removeprefix("-- "))
        return tuple(plain(text).strip() for text in texts)


def plain(text: str) -> str:
    """Remove the link and emphasis marks of a line.

    >>> plain("the [sea wall](flood-wall) of *Kittiwake*")
    'the sea wall of Kittiwake'
    """
    return EMPHASIS.sub(r"\1", LINK.sub(r"\1", text))


def curly(text: str) -> str:
    """Replace typewriter quotes by typographic ones.

    >>> curly('"It is Jem\\'s," he said.')
    '“It is Jem’s,” he said.'
    """
    text = re.sub(r'(^|[\s(\[*])"', r"\1“", text)
    return text.replace('"', "”").replace("'", "’")


def parse(site: str, slug: str, text: str) -> Story:
    """Parse one content file; raise an error that names the file if its header is invalid."""
    head, _, rest = text.partition("\n\n")
    header: dict[str, str] = {}
    for line in head.splitlines():
        key, colon, value = line.partition(": ")
        if not colon:
            raise ValueError(f"content/{site}/{slug}.txt: header line {line!r} is not `key: value`")
        header[key] = value.strip()
    is_curly = site != "harbourcourier" or header.get("quotes") == "curly"

    def typed(text: str) -> str:
        return curly(text) if is_curly else text

    picture = None
    if header.get("image", "none") != "none":
        picture = Picture(*(typed(cell.strip()) for cell in header["image"].split("|")))
    people = [re.match(r"([^<]+?)\s*(?:<(.+)>)?$", name.strip()) for name in header.get("author", "").split(";")]
    named = [(match[1], match[2]) for match in people if match]
    return Story(
        site=site,
        slug=slug,
        title=typed(header["title"]),
        section=header["section"],
        published=header["published"],
        number=int(header.get("id", "0")),
        kind=header.get("kind", "story"),
        updated=header.get("updated", ""),
        authors=tuple(name for name, _ in named),
        emails={name: email for name, email in named if email},
        source=header.get("source", ""),
        place=header.get("place", ""),
        dateline=header.get("dateline", "none"),
        style=header.get("style", ""),
        standfirst=typed(header.get("standfirst", "")),
        picture=picture,
        tags=tuple(tag.strip() for tag in header.get("tags", "").split(",") if tag.strip()),
        related=tuple(name.strip() for name in header.get("related", "").split(",") if name.strip()),
        pieces=tuple(_piece(typed(part.strip("\n"))) for part in rest.split("\n\n") if part.strip()),
        is_dated=header.get("undated") != "yes",
    )


def _piece(text: str) -> Piece:
    for mark, kind in MARKS.items():
        if text.startswith(mark):
            return Piece(kind, tuple(line[len(mark) :].strip(" ") for line in text.splitlines()))
    return Piece("paragraph", (" ".join(text.splitlines()),))


@cache
def stories(site: str) -> dict[str, Story]:
    """Return all articles of a site by slug, newest first."""
    folder = files("parcels.example_web") / "content" / site
    read = [
        parse(site, path.name.removesuffix(".txt"), path.read_text(encoding="utf-8"))
        for path in folder.iterdir()
        if path.name.endswith(".txt")
    ]
    return {story.slug: story for story in sorted(read, key=lambda story: (story.published, story.slug), reverse=True)}


def in_section(site: str, section: str) -> list[Story]:
    """Return a section's articles, newest first."""
    return [story for story in stories(site).values() if story.section == section]


def with_tag(site: str, tag: str) -> list[Story]:
    """Return the articles with a tag, newest first."""
    return [story for story in stories(site).values() if tag in story.tags]


def tags(site: str) -> list[str]:
    """Return every tag of a site, sorted."""
    return sorted({tag for story in stories(site).values() for tag in story.tags})


def authors(site: str) -> list[str]:
    """Return every author of a site, sorted."""
    return sorted({name for story in stories(site).values() for name in story.authors})

"""From one page to one article: title, date, authors, source, place, text, images, language and confidences."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.choose import ARTICLE, LIKELY, choice
from parcels.articles.body.comments import comment_blocks
from parcels.articles.body.fallback import hidden_text
from parcels.articles.body.include import DEFAULT, Include, completed, with_enclosed, without_tables
from parcels.articles.body.inline import escaped
from parcels.articles.body.markdown import as_markdown
from parcels.articles.body.parts import Parts, content_parts
from parcels.articles.body.pieces import Piece, as_text, pieces_of
from parcels.articles.fields.authors import find_authors
from parcels.articles.fields.byline_blocks import without_bylines
from parcels.articles.fields.dates.find import find_dates
from parcels.articles.fields.facts import (
    Dateline,
    find_agency,
    find_base,
    find_dateline,
    find_images,
    find_language,
    find_publishers,
    shown_images,
)
from parcels.articles.fields.lines import block_of_line, lines_of
from parcels.articles.fields.stated import Stated
from parcels.articles.fields.title import Titled, find_title
from parcels.articles.model import SHIPPED, ContentModel, Scored, content_model_at
from parcels.common.memory import gc_paused
from parcels.errors import SkipRecord
from parcels.html.page import Page, Source, open_page
from parcels.html.structured import Claim, claims
from parcels.index_pages.features import index_features
from parcels.index_pages.model import Chances, index_model_at
from parcels.index_pages.types import best_type, settled_types
from parcels.limits import DEFAULT_LIMITS

OPENING = 4  # first paragraphs in which a dateline is looked for
UNSURE = 0.3  # below this confidence there is probably no article
HIDDEN_TEXT_CONFIDENCE = 0.5  # of text from embedded data, which is not scored

# Characters that YAML needs escaped in quotes beyond those that JSON escapes; lone surrogates cannot be encoded.
_NOT_PLAIN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True)
class Content:
    """The blocks of a page that were chosen as its content."""

    parts: Parts
    taken: NDArray[np.bool_]
    expected: float  # word F1
    page_type: str | None


class Heading(NamedTuple):
    """The lines of a page, its publishers and its title."""

    lines: Parts
    publishers: list[str]
    title: Titled | None

    @property
    def line(self) -> int | None:
        """The number of the line that shows the title, or None."""
        return self.title.block if self.title else None


@dataclass(frozen=True)
class Article:
    """The article of one page; missing fields are None or empty."""

    page: str
    url: str | None
    title: str | None
    published: str | None  # ISO 8601, with the time and its zone where the page states them
    modified: str | None  # of the last change, likewise
    authors: tuple[str, ...]
    source: str | None
    place: str | None
    text: str  # paragraphs separated by a blank line
    markdown: str
    images: tuple[dict[str, Any], ...]
    language: str | None
    page_type: str | None  # None where the extractor does not predict it
    confidence: float  # word F1 that similar pages of unseen sites reached
    confidences: dict[str, float]  # of title, published, modified and authors, as far as known
    reason: str | None  # why there is no text, or why the confidence is low

    @property
    def is_article(self) -> bool:
        """Whether the page is an article and not, say, a list of links; True where the page type is not predicted."""
        return self.page_type in (None, ARTICLE)

    def to_json(self) -> dict[str, Any]:
        """Return the fields as the command line prints them, all but the Markdown."""
        names = [name for name in self.__dataclass_fields__ if name != "markdown"]
        return {name: getattr(self, name) for name in names}

    def to_markdown(self, *, metadata: bool = True) -> str:
        """Return a Markdown document: front matter with the fields, the title as a heading, the text."""
        fields: dict[str, str | Sequence[str] | None] = {"title": self.title, "date": self.published}
        fields |= {"modified": self.modified, "authors": self.authors}
        parts = (
            [front_matter(fields | {"source": self.source, "url": self.url, "language": self.language})]
            if metadata
            else []
        )
        if self.title is not None and not self.markdown.lstrip("# ").startswith(escaped(self.title)):
            parts.append(f"# {escaped(self.title)}")
        return "\n\n".join(filter(None, [*parts, self.markdown]))


@gc_paused
def extract(
    html: Source,
    url: str | None = None,
    *,
    model: str = SHIPPED,
    include_links: bool = True,
    include_images: bool = True,
    include_tables: bool = True,
    include_comments: bool = False,
) -> Article:
    """Return the article of a page, given as bytes, as a string or as the `pathlib.Path` of its file.

    `model` is the name of a shipped content model or a model's folder. Links and images appear in `markdown`; tables
    and readers' comments in `markdown` and `text`.

    >>> story = "<p>The old pier burnt down last night, and nobody was hurt, the fire brigade said." * 4
    >>> extract(f"<title>Pier burns</title><h1>Pier burns down</h1><p>By Ann Lee{story}").title
    'Pier burns down'
    """
    include = Include(include_links, include_images, include_tables, include_comments)
    return extract_page(open_page(html, url), content_model_at(model), include)


def extract_page(page: Page, model: ContentModel, include: Include = DEFAULT) -> Article:
    """Return the article of a parsed page."""
    page_claims = claims(page)
    stated, parts = Stated.of(page_claims), content_parts(page)
    if len(parts) > DEFAULT_LIMITS.max_blocks:
        detail = f"{len(parts):,} blocks, limit {DEFAULT_LIMITS.max_blocks:,}"
        raise SkipRecord("too-many-blocks", page.url or page.name, detail)
    scored = model.score(parts, page_claims, page.url, stated=stated)
    heading = heading_of(parts, page_claims)
    chances = index_model_at().chances(index_features(heading.lines, heading.line, page_claims, page.url))
    return assembled(page, parts, page_claims, stated, scored, heading, chances=chances, include=include)


def assembled(
    page: Page,
    parts: Parts,
    page_claims: list[Claim],
    stated: Stated,
    scored: Scored,
    heading: Heading,
    *,
    chances: Chances | None = None,
    include: Include = DEFAULT,
) -> Article:
    """Choose the content among scored blocks and return the article; without chances, its words tell the page type."""
    taken, expected = choice(scored, parts, block_of_line(parts, heading.lines, heading.line))
    if scored.types.get(ARTICLE, 0.0) >= LIKELY:  # on a forum's page the comments are the content
        comments = comment_blocks(parts, taken)
        taken = taken | comments & (parts.words > 0) if include.comments else taken & ~comments
    types = scored.named or scored.types
    page_type = best_type(types if chances is None else settled_types(types, chances))
    content = Content(parts, taken, scored.curve(expected), page_type)
    return article_of(page, heading, page_claims, stated, content, include)


def heading_of(parts: Parts, page_claims: list[Claim]) -> Heading:
    """Read the lines of a page's fine blocks and find its title among them."""
    lines, publishers = lines_of(parts), find_publishers(page_claims)
    return Heading(lines, publishers, find_title(lines, page_claims, publishers))


def article_of(
    page: Page, heading: Heading, page_claims: list[Claim], stated: Stated, content: Content, include: Include = DEFAULT
) -> Article:
    """Return the article with the chosen content; its fields are read from the lines of the heading."""
    taken, expected = without_bylines(content.parts, content.taken), content.expected
    data = hidden_text(page, stated, int(content.parts.words[taken].sum()))
    taken = completed(content.parts, taken) if include.tables else without_tables(content.parts, taken)
    pieces, base = pieces_of(content.parts, taken), find_base(page, page_claims)
    images = shown_images(content.parts, taken, base)
    shown = with_enclosed(content.parts, taken, has_tables=include.tables)
    marked = pieces_of(content.parts, shown) if (shown != taken).any() else pieces
    if data:
        pieces, expected = [Piece("paragraph", 0, text) for text in data], HIDDEN_TEXT_CONFIDENCE
        marked = pieces
    lines, publishers, title = heading
    line = heading.line
    published, modified = find_dates(lines, page_claims, page.url, line)
    authors = find_authors(lines, page_claims, line, publishers)
    dateline = _dateline(pieces)
    places = [claim.value for claim in page_claims if claim.field == "place"]
    confidences = {"title": title.confidence} if title else {}
    confidences |= {"published": published.confidence} if published else {}
    confidences |= {"modified": modified.confidence} if modified else {}
    confidences |= {"authors": authors.confidence} if authors.names else {}
    return Article(
        page=page.name,
        url=page.url,
        title=title.text if title else None,
        published=published.value if published else None,
        modified=modified.value if modified else None,
        authors=authors.names,
        source=dateline.agency or find_agency(page_claims, publishers) or (publishers[0] if publishers else None),
        place=dateline.place or (places[0] if places else None),
        text=as_text(pieces),
        markdown=as_markdown(content.parts, marked, images, include, base),
        images=tuple(find_images(images, page_claims)),
        language=find_language(page_claims, " ".join(piece.text for piece in pieces)),
        page_type=content.page_type,
        confidence=round(expected, 4),
        confidences=confidences,
        reason=_reason(pieces, content.parts, expected),
    )


def _dateline(pieces: list[Piece]) -> Dateline:
    """Return the dateline of the first paragraph that has one; a byline or summary may come before it."""
    first = [piece.text for piece in pieces if piece.kind == "paragraph"][:OPENING]
    return next((dateline for text in first if any(dateline := find_dateline(text))), Dateline(None, None))


def _reason(pieces: list[Piece], parts: Parts, expected: float) -> str | None:
    if not pieces:
        return "the page shows no text" if not parts.words.any() else "no block looks like content"
    return "no part of the page stands out as its content" if expected < UNSURE else None


def front_matter(fields: Mapping[str, str | Sequence[str] | None]) -> str:
    r"""Return the fields that have a value as YAML between two lines of dashes; every text is quoted.

    >>> print(front_matter({"title": 'Fire: "all safe"', "date": None, "authors": ["Ann Lee"]}))
    ---
    title: "Fire: \"all safe\""
    authors:
      - "Ann Lee"
    ---
    """
    lines = ["---"]
    for name, value in fields.items():
        if isinstance(value, str):
            lines.append(f"{name}: {_quoted(value)}")
        elif value:
            lines += [f"{name}:", *(f"  - {_quoted(entry)}" for entry in value)]
    return "\n".join([*lines, "---"])


def _quoted(text: str) -> str:
    """Return a text in double quotes; JSON strings are valid YAML."""
    return _NOT_PLAIN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text, ensure_ascii=False))

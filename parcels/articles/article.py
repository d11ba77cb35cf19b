"""One page to one article: title, date, authors, source, place, text, images, language, and how sure all that is."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.choose import ARTICLE, LIKELY, choice
from parcels.articles.body.comments import comment_blocks
from parcels.articles.body.fallback import hidden_text
from parcels.articles.body.include import DEFAULT, Include, completed, with_enclosed, without_tables
from parcels.articles.body.inline import escaped
from parcels.articles.body.listing import list_votes, settled_type
from parcels.articles.body.markdown import as_markdown
from parcels.articles.body.parts import Parts, content_parts
from parcels.articles.body.pieces import Piece, as_text, pieces_of
from parcels.articles.fields.authors import find_authors
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
from parcels.articles.fields.front import without_front
from parcels.articles.fields.lines import block_of_line, lines_of
from parcels.articles.fields.metadata import front_matter
from parcels.articles.fields.published import find_published
from parcels.articles.fields.stated import Stated
from parcels.articles.fields.title import Titled, find_title
from parcels.articles.model import SHIPPED, ContentModel, Scored, content_model_at
from parcels.common.memory import gc_paused
from parcels.errors import SkipRecord
from parcels.html.page import Page, Source, open_page
from parcels.html.structured import Claim, claims
from parcels.limits import DEFAULT_LIMITS

OPENING = 4  # paragraphs among which the report begins
UNSURE = 0.3  # below this confidence there is probably no article
HIDDEN_TEXT_SURE = 0.5  # how sure a text from data is: nothing was scored


@dataclass(frozen=True)
class Content:
    """What was taken of a page's blocks, however they were divided and chosen."""

    parts: Parts
    taken: NDArray[np.bool_]
    expected: float  # F1 of words
    page_type: str | None


class Heading(NamedTuple):
    """The lines of a page, who publishes it, and its title."""

    lines: Parts
    publishers: list[str]
    title: Titled | None

    @property
    def line(self) -> int | None:
        """Return the number of the line that shows the title."""
        return self.title.block if self.title else None


@dataclass(frozen=True)
class Article:
    """What a page says, once. What it does not say is None or empty."""

    page: str
    url: str | None
    title: str | None
    published: str | None  # ISO 8601
    authors: tuple[str, ...]
    source: str | None
    place: str | None
    text: str  # paragraphs separated by a blank line
    markdown: str
    images: tuple[dict[str, Any], ...]
    language: str | None
    page_type: str | None  # None where the extractor does not tell
    confidence: float  # the F1 of words that pages which look like this one got on unseen sites
    confidences: dict[str, float]  # of title, published and authors, where they are known
    reason: str | None  # why there is no text, or why it is unsure

    @property
    def is_article(self) -> bool:
        """Whether the page is an article, not a list of links or the like; true where the extractor does not tell."""
        return self.page_type in (None, ARTICLE)

    def to_json(self) -> dict[str, Any]:
        """The article as the command line prints it; Markdown is a format of its own."""
        names = [name for name in self.__dataclass_fields__ if name != "markdown"]
        return {name: getattr(self, name) for name in names}

    def to_markdown(self, *, metadata: bool = True) -> str:
        """Return a document for reading: front matter with the article's fields, its title as a heading, its text."""
        fields = {"title": self.title, "date": self.published, "authors": self.authors, "source": self.source}
        parts = [front_matter({**fields, "url": self.url, "language": self.language})] if metadata else []
        if self.title is not None and not self.markdown.lstrip("# ").startswith(escaped(self.title)):
            parts.append(f"# {escaped(self.title)}")
        return "\n\n".join(filter(None, [*parts, self.markdown]))


@gc_paused()
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

    `model` is the name of a shipped content model or a model's folder. Links and images stand in `markdown`; tables and
    readers' comments in `markdown` and `text`.

    >>> story = "<p>The old pier burnt down last night, and nobody was hurt, the fire brigade said." * 4
    >>> extract(f"<title>Pier burns</title><h1>Pier burns down</h1><p>By Ann Lee{story}").title
    'Pier burns down'
    """
    include = Include(include_links, include_images, include_tables, include_comments)
    return extract_page(open_page(html, url), content_model_at(model), include)


def extract_page(page: Page, model: ContentModel, include: Include = DEFAULT) -> Article:
    """The article of a page that was read before."""
    said = claims(page)
    stated, parts = Stated.of(said), content_parts(page)
    if len(parts) > DEFAULT_LIMITS.max_blocks:
        detail = f"{len(parts):,} blocks, limit {DEFAULT_LIMITS.max_blocks:,}"
        raise SkipRecord("too-many-blocks", page.url or page.name, detail)
    scored = model.score(parts, said, page.url, stated=stated)
    return assembled(page, parts, said, stated, scored, include)


def assembled(
    page: Page, parts: Parts, said: list[Claim], stated: Stated, scored: Scored, include: Include = DEFAULT
) -> Article:
    """The article from a page's scored blocks."""
    heading = heading_of(parts, said)
    lines, line = heading.lines, heading.line
    taken, expected = choice(scored, parts, block_of_line(parts, lines, line))
    linked = int(parts.link_words[taken].sum()) / max(1, int(parts.words[taken].sum()))
    if scored.types.get(ARTICLE, 0.0) >= LIKELY:  # on a forum's page the comments are the content
        comments = comment_blocks(parts, taken)
        taken = taken | comments & (parts.words > 0) if include.comments else taken & ~comments
    page_type = settled_type(scored.named or scored.types, list_votes(lines, line, said, page.url, linked))
    content = Content(parts, taken, scored.curve(expected), page_type)
    return article_of(page, heading, said, stated, content, include)


def heading_of(parts: Parts, said: list[Claim]) -> Heading:
    """Read the lines of a page's fine blocks and find its title among them."""
    lines, publishers = lines_of(parts), find_publishers(said)
    return Heading(lines, publishers, find_title(lines, said, publishers))


def article_of(
    page: Page, heading: Heading, said: list[Claim], stated: Stated, content: Content, include: Include = DEFAULT
) -> Article:
    """Return the article from what was taken as content; its fields are read from the lines of the heading."""
    taken, expected = without_front(content.parts, content.taken), content.expected
    data = hidden_text(page, stated, int(content.parts.words[taken].sum()))
    taken = completed(content.parts, taken) if include.tables else without_tables(content.parts, taken)
    pieces, base = pieces_of(content.parts, taken), find_base(page, said)
    images = shown_images(content.parts, taken, base)
    shown = with_enclosed(content.parts, taken, has_tables=include.tables)
    marked = pieces_of(content.parts, shown) if (shown != taken).any() else pieces
    if data:
        pieces, expected = [Piece("paragraph", 0, text) for text in data], HIDDEN_TEXT_SURE
        marked = pieces
    lines, publishers, title = heading
    line = heading.line
    published, authors = find_published(lines, said, page.url, line), find_authors(lines, said, line, publishers)
    dateline = _dateline(pieces)
    places = [claim.value for claim in said if claim.field == "place"]
    confidences = {"title": title.confidence} if title else {}
    confidences |= {"published": published.confidence} if published else {}
    confidences |= {"authors": authors.confidence} if authors.names else {}
    return Article(
        page=page.name,
        url=page.url,
        title=title.text if title else None,
        published=published.value if published else None,
        authors=authors.names,
        source=dateline.agency or find_agency(said, publishers) or (publishers[0] if publishers else None),
        place=dateline.place or (places[0] if places else None),
        text=as_text(pieces),
        markdown=as_markdown(content.parts, marked, images, include, base),
        images=tuple(find_images(images, said)),
        language=find_language(said, " ".join(piece.text for piece in pieces)),
        page_type=content.page_type,
        confidence=round(expected, 4),
        confidences=confidences,
        reason=_reason(pieces, content.parts, expected),
    )


def _dateline(pieces: list[Piece]) -> Dateline:
    """How the report begins: in its first paragraph, unless a byline or summary stands before it."""
    first = [piece.text for piece in pieces if piece.kind == "paragraph"][:OPENING]
    return next((found for text in first if any(found := find_dateline(text))), Dateline(None, None))


def _reason(pieces: list[Piece], parts: Parts, expected: float) -> str | None:
    if not pieces:
        return "the page shows no text" if not parts.words.any() else "no block looks like content"
    return "no part of the page stands out as its content" if expected < UNSURE else None

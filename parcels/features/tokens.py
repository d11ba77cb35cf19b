"""The names view: words that are neither style nor what the block itself says, but what its makers called things.

Words of id, class, role and itemprop around a block, of the heading it stands under, of the addresses its links lead to
and of its images' files. Strong on most sites, empty on those with hashed names.
"""

from functools import lru_cache
from itertools import chain

from parcels.features.look import Look
from parcels.features.name_words import first_words, letter_runs, words_of_name
from parcels.html.page import Page

LEVELS = 6  # the container and so many elements above it, less one
MAX_CHARS = 300  # of one attribute
MAX_HEADING_WORDS = 12
MAX_FILE_CHARS = 80  # at the end of an image's address
MAX_LINKS = 6  # of one block, whose addresses are looked at
ATTRIBUTES = frozenset(["class", "id", "role", "itemprop", "data-testid", "aria-label", "rel", "name", "type"])
FEWEST_LETTERS = 3  # of a word in an image's address
_MEDIA = frozenset(["img", "iframe", "video", "audio", "embed"])

Parts = list[tuple[str, ...]]  # words, some of them perhaps twice


@lru_cache(maxsize=50_000)
def name_words(value: str) -> tuple[str, ...]:
    """Return the different words of a name, in lower case.

    >>> name_words("css-1x2y3 ArticleByline__author_name HTMLBody")
    ('css', 'article', 'byline', 'author', 'name', 'html', 'body')
    """
    return tuple(dict.fromkeys(words_of_name(value[:MAX_CHARS])))


@lru_cache(maxsize=50_000)
def _of_parent(value: str) -> tuple[str, ...]:
    return tuple(["^" + word for word in name_words(value)])


@lru_cache(maxsize=50_000)
def _of_container(value: str) -> tuple[str, ...]:
    """The words of a name of the container, bare and marked."""
    words = name_words(value)
    return (*words, *("=" + word for word in words))


@lru_cache(maxsize=20_000)
def _of_heading(text: str, mark: str) -> tuple[str, ...]:
    return tuple([mark + word for word in first_words(text.lower(), MAX_HEADING_WORDS)])


def name_view(look: Look) -> list[set[str]]:
    """For each block the words around it.

    Words of the container itself also carry an `=`, those of its parent a `^`; `under:` is the heading's,
    `list:` that of the line before the block's list, `part:` that of the first line of the part of the page that the
    block is in, `to:` a link's, `file:` an image's.

    >>> from parcels.features.look import look_at
    >>> html = '<h2>Related</h2><div class="story-body"><p class="byline"><a href="/people/ann-lee">By Ann'
    >>> sorted(name_view(look_at(html))[1])
    ['=byline', '^body', '^story', 'body', 'byline', 'part:related', 'story', 'to:ann', 'to:lee', 'to:people',
     'under:related']
    """
    return [set(chain.from_iterable(parts)) for parts in name_parts(look)]


def name_parts(look: Look) -> list[Parts]:
    """Return the words around each block as tuples, most of which many blocks share."""
    page, targets = look.page, look.targets
    headings = [
        _of_headings(look, over.tolist(), mark)
        for mark, over in (("under:", look.headings.over), ("list:", look.headings.over_list),
                           ("part:", look.headings.of_branch))
    ]  # fmt: skip
    target_of, kinds, node = targets.of_leaf.tolist(), page.leaves.kind, page.leaves.node.tolist()
    around = _Around(page)
    found = []
    for block, (container, (first, end)) in enumerate(
        zip(look.container.tolist(), look.division.ranges(), strict=True)
    ):
        parts = around.parts(container)
        for heading in headings:
            if heading[block]:
                parts.append(heading[block])
        for leaf in range(first, min(end, first + MAX_LINKS)):
            if target_of[leaf] >= 0:
                parts.append(targets.targets[target_of[leaf]].named)
            if kinds[leaf] in _MEDIA:
                parts.append(_of_file(page, node[leaf]))
        found.append(parts)
    return found


def _of_headings(look: Look, over: list[int], mark: str) -> list[tuple[str, ...]]:
    """For each block the words of the heading whose block is given; none for -1."""
    known: dict[int, tuple[str, ...]] = {-1: ()}
    for heading in set(over):
        if heading >= 0:
            known[heading] = _of_heading(look.texts[heading], mark)
    return [known[heading] for heading in over]


class _Around:
    """The words of the names around elements of one page: what blocks with one parent share is put together once."""

    def __init__(self, page: Page):
        self._parent, self._attributes = page.nodes.parent.tolist(), page.nodes.attributes
        self._bare: dict[int, tuple[str, ...]] = {}
        self._above: dict[int, Parts] = {-1: []}

    def parts(self, container: int) -> Parts:
        """The words of an element's own names, bare and marked, and of those above it."""
        found = self.above(container).copy()
        for name, value in self._attributes[container].items():
            if name in ATTRIBUTES:
                found.append(_of_container(value))
        return found

    def above(self, container: int) -> Parts:
        """The words of the elements above it, those of its parent also marked."""
        parent = self._parent[container]
        found = self._above.get(parent)
        if found is None:
            found = [_of_parent(value) for name, value in self._attributes[parent].items() if name in ATTRIBUTES]
            row, left = parent, LEVELS - 1
            while row >= 0 and left:
                bare = self.bare(row)
                if bare:
                    found.append(bare)
                row, left = self._parent[row], left - 1
            self._above[parent] = found
        return found

    def bare(self, row: int) -> tuple[str, ...]:
        """The words of an element's own names."""
        words = self._bare.get(row)
        if words is None:
            words = ()
            for name, value in self._attributes[row].items():
                if name in ATTRIBUTES:
                    words += name_words(value)
            self._bare[row] = words
        return words


def _of_file(page: Page, row: int) -> tuple[str, ...]:
    get = page.nodes.attributes[row].get
    source = get("src") or get("data-src") or get("srcset") or ""
    if source.startswith("data:"):
        return ("file:data",)
    return tuple(["file:" + word for word in letter_runs(source[-MAX_FILE_CHARS:].lower(), FEWEST_LETTERS)])

"""The names view: the words that authors of a page gave to the elements around a block.

These are the words of id, class, role and itemprop attributes, of the headings above the block, of the addresses of its
links and of the file names of its images. The view is strong on most sites and empty on sites with hashed names.
"""

from functools import lru_cache
from itertools import chain

from parcels.features.name_words import first_words, letter_runs, words_of_name
from parcels.features.page_features import PageFeatures
from parcels.html.page import Page

LEVELS = 6  # elements whose names count: the container and its next ancestors
MAX_CHARS = 300  # of one attribute
MAX_HEADING_WORDS = 12
MAX_FILE_CHARS = 80  # at the end of an image's address
MAX_LINKS = 6  # leaves of a block whose link addresses and files count
ATTRIBUTES = frozenset(["class", "id", "role", "itemprop", "data-testid", "aria-label", "rel", "name", "type"])
FEWEST_LETTERS = 3  # of a word in an image's address
_MEDIA = frozenset(["img", "iframe", "video", "audio", "embed"])

Parts = list[tuple[str, ...]]  # tuples of words; a word may occur more than once


@lru_cache(maxsize=50_000)
def name_words(value: str) -> tuple[str, ...]:
    """Return the distinct words of a name, in lower case.

    >>> name_words("css-1x2y3 ArticleByline__author_name HTMLBody")
    ('css', 'article', 'byline', 'author', 'name', 'html', 'body')
    """
    return tuple(dict.fromkeys(words_of_name(value[:MAX_CHARS])))


@lru_cache(maxsize=50_000)
def _of_parent(value: str) -> tuple[str, ...]:
    return tuple(["^" + word for word in name_words(value)])


@lru_cache(maxsize=50_000)
def _of_container(value: str) -> tuple[str, ...]:
    """Return the words of a container's name, plain and with the prefix `=`."""
    words = name_words(value)
    return (*words, *("=" + word for word in words))


@lru_cache(maxsize=20_000)
def _of_heading(text: str, mark: str) -> tuple[str, ...]:
    return tuple([mark + word for word in first_words(text.lower(), MAX_HEADING_WORDS)])


def name_view(page: PageFeatures) -> list[set[str]]:
    """Return for each block the set of words around it.

    Words of the container also occur with the prefix `=`, those of its parent with `^`. Other prefixes are `under:` for
    the heading above the block, `list:` for the line before its list, `part:` for the first line of its branch, `to:`
    for link addresses and `file:` for image files.

    >>> from parcels.features.page_features import measure_html
    >>> html = '<h2>Related</h2><div class="story-body"><p class="byline"><a href="/people/ann-lee">By Ann'
    >>> sorted(name_view(measure_html(html))[1])
    ['=byline', '^body', '^story', 'body', 'byline', 'part:related', 'story', 'to:ann', 'to:lee', 'to:people',
     'under:related']
    """
    return [set(chain.from_iterable(parts)) for parts in name_parts(page)]


def name_parts(page: PageFeatures) -> list[Parts]:
    """Return the words around each block as tuples, which blocks share where they are equal."""
    html_page, targets = page.page, page.targets
    headings = [
        _of_headings(page, over.tolist(), mark)
        for mark, over in (("under:", page.headings.over), ("list:", page.headings.over_list),
                           ("part:", page.headings.of_branch))
    ]  # fmt: skip
    leaves = html_page.leaves
    target_of, kinds, node = targets.of_leaf.tolist(), leaves.kind, leaves.node.tolist()
    around = _NamesAround(html_page)
    result = []
    for block, (container, (first, end)) in enumerate(
        zip(page.container.tolist(), page.division.ranges(), strict=True)
    ):
        parts = around.parts(container)
        for heading in headings:
            if heading[block]:
                parts.append(heading[block])
        for leaf in range(first, min(end, first + MAX_LINKS)):
            if target_of[leaf] >= 0:
                parts.append(targets.targets[target_of[leaf]].named)
            if kinds[leaf] in _MEDIA:
                parts.append(_of_file(html_page, node[leaf]))
        result.append(parts)
    return result


def _of_headings(page: PageFeatures, over: list[int], mark: str) -> list[tuple[str, ...]]:
    """Return for each block the words of its heading, given the heading's block; no words for -1."""
    known: dict[int, tuple[str, ...]] = {-1: ()}
    for heading in set(over):
        if heading >= 0:
            known[heading] = _of_heading(page.texts[heading], mark)
    return [known[heading] for heading in over]


class _NamesAround:
    """The words of the names around elements of one page; blocks with the same parent share them."""

    def __init__(self, page: Page):
        self._parent, self._attributes = page.nodes.parent.tolist(), page.nodes.attributes
        self._bare: dict[int, tuple[str, ...]] = {}
        self._above: dict[int, Parts] = {-1: []}

    def parts(self, container: int) -> Parts:
        """Return the words of an element's own names, plain and prefixed, and those of its ancestors."""
        words = self.above(container).copy()
        for name, value in self._attributes[container].items():
            if name in ATTRIBUTES:
                words.append(_of_container(value))
        return words

    def above(self, container: int) -> Parts:
        """Return the words of an element's ancestors; those of its parent also with the prefix `^`."""
        parent = self._parent[container]
        words = self._above.get(parent)
        if words is None:
            words = [_of_parent(value) for name, value in self._attributes[parent].items() if name in ATTRIBUTES]
            row, left = parent, LEVELS - 1
            while row >= 0 and left:
                bare = self.bare(row)
                if bare:
                    words.append(bare)
                row, left = self._parent[row], left - 1
            self._above[parent] = words
        return words

    def bare(self, row: int) -> tuple[str, ...]:
        """Return the words of an element's own names."""
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

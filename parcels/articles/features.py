"""Features of a block for the content model, from the page's tree and text alone, without layout or tagging.

One name per column. Sums over an element are differences of cumulative sums over leaves, so that a page takes a few
milliseconds however deep it is.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Floats, Ints, Parts
from parcels.articles.clues import Clues
from parcels.articles.fields.stated import Stated
from parcels.html.tags import NUMBER

NOTHING = -1  # in place of a missing value: NaN would become an infinite threshold in a stored tree
LEVELS = 5  # ancestors of a block whose sums are read
NEIGHBOURS = (-3, -2, -1, 1, 2, 3)
ROOTS = (0.5, 0.75, 0.95)  # shares of the page's running text; a root is the deepest element with such a share
_AROUND = (
    "article main section aside nav header footer form ul ol li dl table tr figure figcaption blockquote pre p button "
    "h1 h2 h3 h4 a label details address"
)
_OWN = "p div span li td th h1 h2 h3 h4 h5 h6 blockquote pre figcaption dt dd a article section body"
AROUND, OWN = _AROUND.split(), _OWN.split()
_ENDS = (".", "!", "?", ".”", '."', "?”", "!”", ".)", "。", ":", "…", "”", '"')
_WORDS_OF_TEXT = 12  # a block with at least so many words, mostly outside links, is running text

_SHAPE = (
    "words chars_a_word link_share sentences commas ends_sentence starts_capital digits capitals has_copyright bars "
    "leaves is_repeated repeats place place_in_words depth title_share is_title in_body in_description"
)
_LEVEL = [f"{name}_{level}" for level in range(LEVELS) for name in ("share", "links", "running", "blocks", "clue")]
_ROOT = [f"{name}_{int(100 * share)}" for share in ROOTS for name in ("in_root", "beside_root", "above_root")]
_NEAR = [f"{name}{step:+}" for step in NEIGHBOURS for name in ("words", "links", "text_clue")]
_GROUP = "group_size group_words group_links group_share group_mean group_spread"
_CLUE = "clue_sum clue_least clue_most clue_nearest text_clue text_clue_least after_heading heading_words"
_TITLE = "title_blocks title_words title_holds title_deepest titles_above"
_PAGE = "page_words page_blocks page_links page_running page_headings page_has_body page_mean_clue"
_HIDDEN = "is_hidden hidden_share"
NAMES: tuple[str, ...] = (
    *_SHAPE.split(), *(f"in_{tag}" for tag in AROUND), *(f"is_{tag}" for tag in OWN), *_LEVEL, *_ROOT, *_NEAR,
    *_GROUP.split(), *_CLUE.split(), *_TITLE.split(), *_PAGE.split(), *_HIDDEN.split(),
)  # fmt: skip


def features(parts: Parts, stated: Stated, clues: Clues, tokens: Sequence[Sequence[str]]) -> Floats:
    """Return one row per block and one column per name in NAMES; `tokens` are the clues of the elements."""
    if not len(parts):
        return np.zeros((0, len(NAMES)))
    sums = ElementSums(parts)
    own_clue = clues.of_nodes(tokens)
    text_clue, text_least = clues.of_texts(parts)
    running, climbed = sums.running, sums.climbed
    titles = stated.title_shares(parts.texts)
    columns: list[NDArray[np.generic]] = [
        *_shape(parts, stated, titles),
        *_around(parts),
        *(parts.page.nodes.tag[parts.division.container] == NUMBER[tag] for tag in OWN),
    ]
    page_words, page_running = max(1, sums.words[0]), max(1, sums.running[0])
    for level in range(LEVELS):
        row = climbed[level]
        columns += [sums.words[row] / page_words, sums.link_share[row], running[row] / page_running]
        columns += [np.log1p(sums.blocks[row]), own_clue[row]]
    columns += [*_roots(sums), *_near(parts, text_clue), *_groups(sums)]
    columns += [*_path_clues(sums, own_clue), text_clue, text_least, *_headings(parts), *_title(sums, titles)]
    rows = len(parts)
    of_page = [np.log1p(sums.words[0]), np.log1p(rows), sums.link_share[0], sums.running[0] / page_words]
    heads = np.isin(parts.page.nodes.tag, [NUMBER[f"h{n}"] for n in range(1, 7)]).sum()
    of_page += [np.log1p(heads), float(bool(stated.body)), float(text_clue.mean())]
    columns += [np.full(rows, value) for value in of_page]
    hidden = parts.is_hidden
    columns += [hidden, np.full(rows, (parts.words * hidden).sum() / page_words)]
    return np.stack([np.asarray(column, np.float64) for column in columns], axis=1)


class ElementSums:
    """Sums over the leaves below every element, and the ancestors of every block."""

    def __init__(self, parts: Parts):
        nodes, division = parts.page.nodes, parts.division
        self.parts, self.nodes = parts, nodes
        words = parts.words
        is_running = (words >= _WORDS_OF_TEXT) & (parts.link_words < 0.4 * words)
        first = np.searchsorted(division.first, nodes.first_leaf, side="left")
        end = np.maximum(np.searchsorted(division.first, nodes.end_leaf, side="left"), first)

        def below(of_block: Ints) -> Ints:
            before = np.concatenate(([0], np.cumsum(of_block)))
            return before[end] - before[first]

        self.first, self.end = first, end
        self.words, self.links = below(words), below(parts.link_words)
        self.running, self.blocks = below(words * is_running), end - first
        self.is_running = is_running
        self.link_share = self.links / np.maximum(1, self.words)
        self.climbed = [division.container.astype(np.int64)]
        parent = np.maximum(nodes.parent, 0)
        for _ in range(LEVELS - 1):
            self.climbed.append(self._wider(self.climbed[-1], parent))

    def _wider(self, rows: Ints, parent: NDArray[np.int32]) -> Ints:
        """Return for each element its nearest ancestor with more words; pure wrappers are skipped."""
        above = parent[rows].astype(np.int64)
        while (same := (self.words[above] == self.words[rows]) & (above > 0)).any():
            above[same] = parent[above[same]]
        return above


def _shape(parts: Parts, stated: Stated, titles: tuple[Floats, Floats]) -> list[NDArray[np.generic]]:
    texts, words = parts.texts, np.maximum(1, parts.words)
    rows = []
    for text in texts:
        stops = text.count(". ") + text.count("? ") + text.count("! ")
        ends = text.endswith(_ENDS)
        start = text[:60]
        rows.append(
            (len(text), stops + ends, text.count(","), ends, start[:1].isupper(),
             sum(map(str.isdigit, start)), sum(map(str.isupper, start)), "©" in text, text.count("|") + text.count("•"))
        )  # fmt: skip
    counts = np.array(rows, np.float64).T
    repeats = _repeats(texts)
    before = np.cumsum(parts.words) - parts.words
    share, same = titles
    shown = np.minimum(60, np.maximum(1, counts[0]))
    return [
        np.log1p(parts.words), counts[0] / words, parts.link_words / words, np.log1p(counts[1]), counts[2] / words,
        counts[3], counts[4], counts[5] / shown, counts[6] / shown, counts[7], counts[8] / words,
        np.log1p(np.diff(np.append(parts.division.first, parts.division.leaf_count))), repeats > 1, np.log1p(repeats),
        np.arange(len(texts)) / len(texts), before / max(1, parts.words.sum()),
        parts.page.nodes.depth[parts.division.container], share, same, *stated.shares(texts),
    ]  # fmt: skip


def _repeats(texts: list[str]) -> Ints:
    count: dict[str, int] = {}
    for text in texts:
        count[text] = count.get(text, 0) + 1
    return np.array([count[text] for text in texts])


def _around(parts: Parts) -> list[NDArray[np.generic]]:
    """Return for each tag in AROUND the number of ancestors with it."""
    nodes, container = parts.page.nodes, parts.division.container
    columns: list[NDArray[np.generic]] = []
    for tag in AROUND:
        rows = np.flatnonzero(nodes.tag == NUMBER[tag])
        if not len(rows):
            columns.append(np.zeros(len(parts)))
            continue
        steps = np.zeros(len(nodes) + 1, np.int64)
        steps[rows] += 1
        np.subtract.at(steps, nodes.last[rows] + 1, 1)
        columns.append(np.cumsum(steps)[container])
    return columns


def _roots(sums: ElementSums) -> list[NDArray[np.generic]]:
    """Return for each root whether the block is inside it, its distance in blocks, and its depth below the root."""
    nodes, number = sums.nodes, np.arange(len(sums.parts))
    columns: list[NDArray[np.generic]] = []
    depth = nodes.depth[sums.parts.division.container]
    for share in ROOTS:
        candidates = np.flatnonzero(sums.running >= share * max(1, sums.running[0]))
        root = int(candidates[nodes.depth[candidates].argmax()]) if len(candidates) else 0
        first, end = sums.first[root], sums.end[root]
        beside = np.where(number < first, number - first, np.where(number >= end, number - end + 1, 0))
        inside = beside == 0
        columns += [inside, np.sign(beside) * np.log1p(abs(beside)), np.where(inside, depth - nodes.depth[root], -1)]
    return columns


def _near(parts: Parts, text_clue: Floats) -> list[NDArray[np.generic]]:
    """Return words, link share and text clue of the neighbouring blocks."""
    words, links = np.log1p(parts.words), parts.link_words / np.maximum(1, parts.words)
    columns: list[NDArray[np.generic]] = []
    for step in NEIGHBOURS:
        columns += [_shifted(words, step), _shifted(links, step), _shifted(text_clue, step)]
    return columns


def _shifted(values: Floats, step: int) -> Floats:
    moved = np.full(len(values), float(NOTHING))
    if step < 0:
        moved[-step:] = values[:step]
    else:
        moved[:-step] = values[step:]
    return moved


def _groups(sums: ElementSums) -> list[NDArray[np.generic]]:
    """Return numbers of the nearest group of similar siblings around a block.

    Such groups are the entries of a list, the posts of a forum or the cards of a shop.
    """
    nodes, parts = sums.nodes, sums.parts
    member: dict[tuple[int, int, str], list[int]] = {}
    tags, parents, attributes, words = nodes.tag.tolist(), nodes.parent.tolist(), nodes.attributes, sums.words.tolist()
    for row in range(1, len(nodes)):
        if words[row]:
            key = (parents[row], tags[row], attributes[row].get("class", "")[:24])
            member.setdefault(key, []).append(row)
    values: dict[int, tuple[float, ...]] = {}
    page_words, links = max(1, sums.words[0]), sums.links
    for rows in member.values():
        if len(rows) < 3 or tags[rows[0]] == NUMBER["p"]:
            continue
        sizes = sums.words[rows]
        total = float(sizes.sum())
        numbers: tuple[float, ...] = (
            float(np.log1p(len(rows))), float(np.log1p(total)), float(links[rows].sum()) / total, total / page_words,
            total / len(rows), float(sizes.std()) / (total / len(rows)),
        )  # fmt: skip
        for row in rows:
            values[row] = numbers
    nothing = (0.0,) * len(_GROUP.split())
    known: dict[int, tuple[float, ...]] = {-1: nothing}
    nearest_groups = []
    for row in parts.division.container.tolist():
        climbed = []
        while row not in known and row not in values:
            climbed.append(row)
            row = parents[row]
        nearest = values[row] if row in values else known[row]
        known.update(dict.fromkeys(climbed, nearest))
        nearest_groups.append(nearest)
    return list(np.array(nearest_groups).T)


def _path_clues(tree_sums: ElementSums, own: Floats) -> list[NDArray[np.generic]]:
    """Return the sum, minimum and maximum of the clues of a block's ancestors, and the nearest strong one."""
    sums, least, most, nearest = [0.0], [0.0], [0.0], [0.0]
    for parent, clue in zip(tree_sums.nodes.parent.tolist()[1:], own.tolist()[1:], strict=True):
        sums.append(sums[parent] + clue)
        least.append(min(least[parent], clue))
        most.append(max(most[parent], clue))
        nearest.append(clue if abs(clue) > 0.5 else nearest[parent])
    container = tree_sums.parts.division.container
    return [np.array(values)[container] for values in (sums, least, most, nearest)]


def _headings(parts: Parts) -> list[NDArray[np.generic]]:
    """Return the distance to the heading above in blocks, and the words since that heading."""
    is_heading = np.isin(parts.page.nodes.tag[parts.division.container], [NUMBER[f"h{n}"] for n in range(1, 7)])
    number, before = np.arange(len(parts)), np.cumsum(parts.words)
    last = np.maximum.accumulate(np.where(is_heading, number, -1))
    return [np.log1p(number - last), np.log1p(np.where(last >= 0, before - before[np.maximum(last, 0)], before))]


def _title(sums: ElementSums, titles: tuple[Floats, Floats]) -> list[NDArray[np.generic]]:
    """Return the distance to the title in blocks and words, and the number of ancestors shared with it."""
    parts, nodes = sums.parts, sums.nodes
    share, same = titles
    tag = nodes.tag[parts.division.container]
    is_first = tag == NUMBER["h1"]
    worth = same + share * (parts.words >= 3) + 1.0 * is_first + 0.4 * (tag == NUMBER["h2"])
    title, number, before = int(worth.argmax()), np.arange(len(parts)), np.cumsum(parts.words)
    distance, behind = number - title, before - before[title]
    row, shared, steps = int(parts.division.container[title]), np.zeros(len(parts), np.int64), 0
    while row >= 0:
        shared[sums.first[row] : sums.end[row]] += 1
        row, steps = int(nodes.parent[row]), steps + 1
    return [
        np.sign(distance) * np.log1p(abs(distance)), np.sign(behind) * np.log1p(abs(behind)), shared, shared / steps,
        np.cumsum(is_first),
    ]  # fmt: skip

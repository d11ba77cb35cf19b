# cython: wraparound=False, cdivision=True
"""The loops over blocks, nodes and words that NumPy and sets can only do in many passes; their callers say what each means."""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject

ctypedef long long Int
ctypedef fused Row:
    int
    long long


def nearest(const Int[::1] container, const Row[::1] parent, const unsigned char[::1] wanted, Int[::1] found):
    """look.nearest."""
    cdef Py_ssize_t block
    cdef Int at
    for block in range(container.shape[0]):
        at = container[block]
        while at > 0 and not wanted[at]:
            at = parent[at]
        found[block] = max(at, 0)


def branches(const Int[::1] container, const Row[::1] parent, const Int[::1] common, Int[::1] found):
    """context_anchors.branch."""
    cdef Py_ssize_t block
    cdef Int at
    for block in range(container.shape[0]):
        at = container[block]
        while at > 0 and at != common[block] and parent[at] != common[block]:
            at = parent[at]
        found[block] = max(at, 0)


def headed(
    const Int[::1] blocks, const Int[::1] container, const Row[::1] parent, const Int[::1] first, const Int[::1] end,
    Int most, Int[::1] over,
):
    """The headings that blocks stand under (context_neighbours.headings)."""
    cdef Py_ssize_t number, step, under
    cdef Int block, at, reach, last = over.shape[0] - 1
    for number in range(blocks.shape[0]):
        block = blocks[number]
        at = container[block]
        for step in range(2):
            reach = end[at]
            while at > 0 and (end[at] <= block + 1 or end[at] <= reach):
                at = parent[at]
            if end[at] - first[at] <= most or over[min(block + 1, last)] != block:
                for under in range(block + 1, end[at]):
                    over[under] = block


def counted(list stems, const unsigned char[::1] is_word, const Py_ssize_t[::1] begin):
    """How often each stem that is a word occurs in each text (lexical.term_counts)."""
    cdef Py_ssize_t text, token
    cdef list found = []
    cdef dict counts
    cdef PyObject* known
    for text in range(begin.shape[0] - 1):
        counts = {}
        for token in range(begin[text], begin[text + 1]):
            if is_word[token]:
                stem = stems[token]
                known = PyDict_GetItemWithError(counts, stem)
                counts[stem] = 1 if known == NULL else <object>known + 1
        found.append(counts)
    return found


def among(list stems, words, const float[::1] weight, unsigned char[::1] found):
    """Which tokens are among some words; what has no weight is not asked for."""
    cdef Py_ssize_t token
    for token in range(len(stems)):
        found[token] = weight[token] != 0 and stems[token] in words


def overlaps(list blocks, list claims, frozenset every, float[::1] found):
    """The best overlap of each block's words with one of the claims' (evidence.Claims.best)."""
    cdef Py_ssize_t block, size, larger, common
    cdef double best, share
    for block in range(len(blocks)):
        words = blocks[block]
        if every.isdisjoint(words):
            continue
        best = 0
        size = len(words)
        for claim in claims:
            common = _common(words, <frozenset>claim) if size <= len(<frozenset>claim) else _common(claim, <frozenset>words)
            larger = max(size, len(<frozenset>claim), 1)
            share = <double>common / <double>larger
            if share > best:
                best = share
        found[block] = best


cdef Py_ssize_t _common(smaller, frozenset larger):
    cdef Py_ssize_t count = 0
    for word in <frozenset>smaller:
        if word in larger:
            count += 1
    return count


def bag(str text):
    """The runs of letters, digits and underlines of a text (what \\w+ finds), each once."""
    cdef Py_ssize_t at, begin = -1, size = len(text)
    cdef Py_UCS4 letter
    cdef set found = set()
    for at in range(size):
        letter = text[at]
        if letter.isalnum() or letter == u"_":
            if begin < 0:
                begin = at
        elif begin >= 0:
            found.add(text[begin:at])
            begin = -1
    if begin >= 0:
        found.add(text[begin:size])
    return frozenset(found)

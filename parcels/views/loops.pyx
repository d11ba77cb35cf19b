# cython: wraparound=False, cdivision=True
"""The loops over blocks, nodes and words that NumPy and sets can only do in many passes; their callers say what each means."""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdlib cimport calloc, free, malloc

ctypedef long long Int
ctypedef fused Row:
    int
    long long


def links(const Row[::1] link, const Int[::1] block, list kinds):
    """Blocks, rows and whether an image and no text is shown, of every link once a block (lexical_words.Links)."""
    cdef Py_ssize_t leaf, at
    cdef dict known = {}
    cdef list blocks = [], rows = [], shown = []
    cdef PyObject* found
    for leaf in range(link.shape[0]):
        if link[leaf] < 0:
            continue
        key = block[leaf] * (<Int>1 << 32) + link[leaf]
        found = PyDict_GetItemWithError(known, key)
        if found == NULL:
            at = len(blocks)
            known[key] = at
            blocks.append(block[leaf])
            rows.append(link[leaf])
            shown.append(0)
        else:
            at = <object>found
        if kinds[leaf] == "text":
            shown[at] = <int>shown[at] | 2
        elif kinds[leaf] == "img":
            shown[at] = <int>shown[at] | 1
    return blocks, rows, [of == 1 for of in shown]


def joined_flags(const unsigned int[::1] flags, const Py_ssize_t[::1] begin, unsigned int[::1] found):
    """The flags that any token of each text has (lexical_words.Words.has)."""
    cdef Py_ssize_t text, token
    cdef unsigned int joined
    for text in range(begin.shape[0] - 1):
        joined = 0
        for token in range(begin[text], begin[text + 1]):
            joined |= flags[token]
        found[text] = joined


def classes(
    const Py_ssize_t[::1] tag, const unsigned int[::1] flags, const Py_ssize_t[::1] text_of, const Int[::1] by_tag,
    const Int[:, ::1] rules, Int[:, ::1] counts,
):
    """How many tokens of each class of tags each text has (lexical_words.Words._classes).

    A rule is a flag, up to two classes of which one must be the token's (-1: any) and the class that it then has.
    """
    cdef Py_ssize_t token, rule
    cdef Int own, now
    for token in range(tag.shape[0]):
        own = now = by_tag[tag[token]]
        for rule in range(rules.shape[0]):
            if flags[token] & <unsigned int>rules[rule, 0] and (
                rules[rule, 1] == -1 or own == rules[rule, 1] or own == rules[rule, 2]
            ):
                now = rules[rule, 3]
        counts[text_of[token], now] += 1


def names_begun(const Py_ssize_t[::1] label, const Py_ssize_t[::1] text_of, Py_ssize_t outside, Int[:, ::1] counts):
    """How many names of each kind begin in each text: labels are B- of the kinds, then I- of the kinds, then O."""
    cdef Py_ssize_t token, kinds = counts.shape[0], before = outside
    for token in range(label.shape[0]):
        if label[token] < kinds or (
            label[token] != outside and (before == outside or before % kinds != label[token] % kinds)
        ):
            counts[label[token] % kinds, text_of[token]] += 1
        before = label[token]



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


cdef int* SCRATCH = NULL  # zeros between calls: cleared where it was written, which is less than to make it anew
cdef Py_ssize_t SCRATCH_SIZE = 0


cdef int* _scratch(const int[::1] numbers) except NULL:
    """Zeros for each of some numbers from 0 on. No Python code may run until they are zeros again."""
    global SCRATCH, SCRATCH_SIZE
    cdef Py_ssize_t size = 1, at
    cdef int* larger
    for at in range(numbers.shape[0]):
        size = max(size, numbers[at] + 1)
    if size > SCRATCH_SIZE:
        larger = <int*>calloc(2 * size, sizeof(int))
        if larger == NULL:
            raise MemoryError
        free(SCRATCH)
        SCRATCH, SCRATCH_SIZE = larger, 2 * size
    return SCRATCH


def repeated(
    const int[::1] stems, const float[::1] weight, const Py_ssize_t[::1] text_of, const unsigned char[::1] is_wanted,
    bint is_once,
):
    """How often each stem with a weight occurs in wanted texts, and the stem; `is_once`: also what occurs only once."""
    cdef Py_ssize_t token, met = 0, at
    cdef int stem
    cdef int* counts
    cdef int* found = <int*>malloc((2 * weight.shape[0] + 1) * sizeof(int))  # how often, and the stem
    if found == NULL:
        raise MemoryError
    try:
        counts = _scratch(stems)
        for token in range(weight.shape[0]):
            if weight[token] > 0 and is_wanted[text_of[token]]:
                counts[stems[token]] += 1
        for token in range(weight.shape[0]):  # in the order in which they come first
            stem = stems[token]
            if counts[stem] and weight[token] > 0 and is_wanted[text_of[token]]:
                if is_once or counts[stem] > 1:
                    found[2 * met], found[2 * met + 1] = counts[stem], stem
                    met += 1
                counts[stem] = 0
        return [(found[2 * at], found[2 * at + 1]) for at in range(met)]
    finally:
        free(found)


def weight_among(
    const int[::1] stems, const int[::1] words, const float[::1] weight, const Py_ssize_t[::1] text_of, double[::1] found
):
    """The weight of each text's tokens whose stems are among some, which are all of this page (topic.Topic.share)."""
    cdef Py_ssize_t token, at
    cdef int* is_among = _scratch(stems)
    for at in range(words.shape[0]):
        is_among[words[at]] = 1
    for token in range(weight.shape[0]):
        if weight[token] != 0 and is_among[stems[token]]:
            found[text_of[token]] += weight[token]
    for at in range(words.shape[0]):
        is_among[words[at]] = 0

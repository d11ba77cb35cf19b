# cython: wraparound=False, cdivision=True
"""The loops over blocks, nodes and words that NumPy and sets can only do in many passes; their callers say what each means."""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

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



def inside(
    const Int[::1] container, const Row[::1] parent, const short[::1] tag, const Int[::1] place,
    unsigned char[:, ::1] found,
):
    """Look._inside: the tags of the elements around each block, as rows of `found` by their place."""
    cdef Py_ssize_t block
    cdef Int at
    for block in range(container.shape[0]):
        at = container[block]
        while at >= 0:
            if place[tag[at]] >= 0:
                found[place[tag[at]], block] = 1
            at = parent[at]


def repeats(
    list attributes, const Row[::1] parent, const short[::1] tag, const Row[::1] first_leaf, const Row[::1] end_leaf,
    float[::1] found,
):
    """context_groups._repeats."""
    cdef Py_ssize_t row, slot, number, size = tag.shape[0], slots = 16
    cdef dict numbers = {}
    cdef PyObject* known
    cdef Int key
    while slots < 2 * size:
        slots *= 2
    cdef Int* keys = <Int*>malloc(slots * sizeof(Int))  # parent, tag and class in one number; -1 where there is none
    cdef int* counts = <int*>malloc((slots + max(size, 1)) * sizeof(int))
    cdef int* place = counts + slots  # of each row, -1 without leaves
    if keys == NULL or counts == NULL:
        free(keys)
        free(counts)
        raise MemoryError
    try:
        memset(keys, -1, slots * sizeof(Int))
        for row in range(size):
            place[row] = -1
            if end_leaf[row] <= first_leaf[row]:
                continue
            name = (<dict>attributes[row]).get("class", "")
            known = PyDict_GetItemWithError(numbers, name)
            if known == NULL:
                number = len(numbers)
                numbers[name] = number
            else:
                number = <object>known
            key = (<Int>(parent[row] + 1) * 1024 + tag[row]) * (<Int>1 << 24) + number
            slot = (<unsigned long long>key * 0x9E3779B97F4A7C15U >> 20) & (slots - 1)
            while keys[slot] != -1 and keys[slot] != key:
                slot = (slot + 1) & (slots - 1)
            if keys[slot] == -1:
                keys[slot], counts[slot] = key, 0
            counts[slot] += 1
            place[row] = <int>slot
        for row in range(size):
            if place[row] >= 0:
                found[row] = counts[place[row]]
    finally:
        free(keys)
        free(counts)


def groups(
    const float[::1] chars, const unsigned char[::1] is_link, const signed char[::1] kind, int image,
    const int[::1] first, const int[::1] first_leaf, const int[::1] end_leaf, const Int[::1] container,
    const int[::1] parent, const float[::1] repeats, float min_siblings, float[:, ::1] found, Int[:, ::1] of_blocks,
    Int[::1] block_of_leaf, Int[::1] entry, Int[::1] lists,
):
    """context_groups.groups: what the subtree of each node holds (characters, linked ones, images; its first block and
    that behind its last); the block of each leaf; entry and list of each block."""
    cdef Py_ssize_t leaves = chars.shape[0], blocks = first.shape[0], leaf, row, part, block
    cdef Int at
    cdef double* before = <double*>malloc(3 * (leaves + 1) * sizeof(double))
    cdef double* now
    if before == NULL:
        raise MemoryError
    before[0] = before[1] = before[2] = 0
    for leaf in range(leaves):
        now = before + 3 * leaf
        now[3] = now[0] + chars[leaf]
        now[4] = now[1] + (chars[leaf] if is_link[leaf] else 0)
        now[5] = now[2] + (kind[leaf] == image)
    for block in range(blocks):
        for leaf in range(first[block], first[block + 1] if block + 1 < blocks else leaves):
            block_of_leaf[leaf] = block
        at = container[block]
        while at > 0 and not (at > 1 and repeats[at] >= min_siblings and end_leaf[at] > first_leaf[at]):
            at = parent[at]
        entry[block] = max(at, 0)
        lists[block] = max(<Int>parent[at], 0) if at > 0 else 0
    for row in range(first_leaf.shape[0]):
        for part in range(3):
            found[part, row] = <float>(before[3 * end_leaf[row] + part] - before[3 * first_leaf[row] + part])
        of_blocks[0, row] = block_of_leaf[first_leaf[row]] if first_leaf[row] < leaves else blocks
        of_blocks[1, row] = block_of_leaf[end_leaf[row] - 1] + 1 if end_leaf[row] > 0 else 0
    free(before)


def leaf_sizes(
    list kinds, list texts, dict numbers, float other, float[::1] chars, float[::1] words, signed char[::1] kind
):
    """Look.leaf_chars, leaf_words and leaf_kind."""
    cdef Py_ssize_t leaf
    for leaf in range(len(kinds)):
        kind[leaf] = numbers[kinds[leaf]]
        if kind[leaf] == 0:
            chars[leaf] = len(<str>texts[leaf])
            words[leaf] = (<str>texts[leaf]).count(" ") + 1
        else:
            chars[leaf], words[leaf] = other, 0


def figures(list texts, float[::1] is_other):
    """Which texts are more than figures and signs (style_tables.figures)."""
    cdef Py_ssize_t leaf, at
    cdef Py_UCS4 letter
    cdef str text
    cdef bint has_digit, is_word
    for leaf in range(len(texts)):
        text = texts[leaf]
        has_digit = is_word = False
        for at in range(len(text)):
            letter = text[at]
            if letter.isdecimal():
                has_digit = True
            elif letter.isalnum():
                is_word = True
                break
        is_other[leaf] = is_word or not has_digit


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


def logs(const float[::1] values, const float[::1] table, float[::1] found, Int[::1] rest):
    """arrays.logs of the whole numbers in a table; how many others there are, whose places go to `rest`."""
    cdef Py_ssize_t at, count = 0
    cdef float value
    for at in range(values.shape[0]):
        value = values[at]
        if 0 <= value < table.shape[0] and value == <float><int>value:
            found[at] = table[<int>value]
        else:
            rest[count] = at
            count += 1
    return count


def texts(list leaves, const unsigned char[::1] is_spaced, const int[::1] first):
    """division.block_text of every block."""
    cdef Py_ssize_t block, leaf, begin, end, blocks = first.shape[0]
    cdef list found = [None] * blocks, parts
    for block in range(blocks):
        begin, end = first[block], first[block + 1] if block + 1 < blocks else len(leaves)
        if end - begin == 1:
            found[block] = leaves[begin]
            continue
        parts = [leaves[begin]]
        for leaf in range(begin + 1, end):
            if is_spaced[leaf]:
                parts.append(" ")
            parts.append(leaves[leaf])
        found[block] = "".join(parts).strip()
    return found


def ranks(const Int[::1] values, Int[::1] found):
    """arrays.ranks."""
    cdef Py_ssize_t at
    cdef Int least = values[0], most = values[0], place, count = 0
    for at in range(values.shape[0]):
        least, most = min(least, values[at]), max(most, values[at])
    cdef Int* of = <Int*>malloc((most - least + 1) * sizeof(Int))  # 0, or 1 where there is such a value; then its rank
    if of == NULL:
        raise MemoryError
    memset(of, 0, (most - least + 1) * sizeof(Int))
    for at in range(values.shape[0]):
        of[values[at] - least] = 1
    for place in range(most - least + 1):
        if of[place]:
            of[place], count = count, count + 1
    for at in range(values.shape[0]):
        found[at] = of[values[at] - least]
    free(of)

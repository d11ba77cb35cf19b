# cython: wraparound=False, cdivision=True
"""Greedy tagging token by token, which NumPy can only do for all tokens at once; decode.py says what it means."""

from libc.stdlib cimport free, malloc

ctypedef long long Int

cdef enum:
    START, START2, END, END2
    MIXED = 0, FIRST, CAPITALS, SMALL, TITLES  # names.CASES
    OWN = 0, LEFT, LEFT2, RIGHT, RIGHT2
    MOST_ROWS = 32  # of weights that are added for one token
    AHEAD = 3  # tokens: the rows of one that comes are fetched while others are added
    CACHE_LINE = 64  # bytes
    PHRASE_ORG = 3  # in names.PHRASES


cdef extern from *:
    """
    /* In C and by lanes, so that the compiler adds several labels at a time. */
    /* Twice, and the one that the processor can run is taken: the same sums, more of them at a time. */
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
    #define PARCELS_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define PARCELS_WIDE
    #endif
    enum {PARCELS_LANE = 8};
    #if (defined(__GNUC__) && __GNUC__ >= 9) || defined(__clang__)
    typedef int parcels_int __attribute__((vector_size(32), aligned(4), may_alias));
    typedef short parcels_short __attribute__((vector_size(16), aligned(2), may_alias));
    #define PARCELS_SUM(weight) \
        parcels_int sums = *(const parcels_int *)(both + at); \
        for (Py_ssize_t row = 0; row < count; row++) \
            sums += __builtin_convertvector(*(const parcels_##weight *)(rows[row] + at), parcels_int); \
        *(parcels_int *)(total + at) = sums;
    #else
    #define PARCELS_SUM(weight) \
        int sums[PARCELS_LANE]; \
        for (int lane = 0; lane < PARCELS_LANE; lane++) sums[lane] = both[at + lane]; \
        for (Py_ssize_t row = 0; row < count; row++) \
            for (int lane = 0; lane < PARCELS_LANE; lane++) sums[lane] += rows[row][at + lane]; \
        for (int lane = 0; lane < PARCELS_LANE; lane++) total[at + lane] = sums[lane];
    #endif
    #define PARCELS_SUMS(name, weight) \
    PARCELS_WIDE static int name(int *restrict total, const int *restrict both, const weight *const *rows, Py_ssize_t count, \
                    Py_ssize_t size) { \
        for (Py_ssize_t at = 0; at < size; at += PARCELS_LANE) { \
            PARCELS_SUM(weight) \
        } \
        int most = total[0]; \
        for (Py_ssize_t at = 1; at < size; at++) most = total[at] > most ? total[at] : most; \
        return most; \
    }
    #if defined(__GNUC__)
    #define PARCELS_FETCH(place) __builtin_prefetch(place)
    #else
    #define PARCELS_FETCH(place)
    #endif
    PARCELS_SUMS(parcels_sums_of_short, short)
    PARCELS_SUMS(parcels_sums_of_int, int)
    """
    int parcels_sums_of_short(int*, const int*, const short**, Py_ssize_t, Py_ssize_t) noexcept nogil
    int parcels_sums_of_int(int*, const int*, const int**, Py_ssize_t, Py_ssize_t) noexcept nogil
    void PARCELS_FETCH(const void*) noexcept nogil
    Py_ssize_t PARCELS_LANE

ctypedef fused Weight:
    short
    int


def greedy(
    const Py_ssize_t[::1] words,
    const unsigned char[::1] is_first,
    const unsigned char[::1] is_open,
    Py_ssize_t[::1] labels,
    Py_ssize_t count_labels,
    const Weight[:, ::1] weights,
    const Int[::1] places,
    const int[:, ::1] keys,
    Py_ssize_t first,
    const int[:, ::1] beside,
    const int[:, ::1] both,
    const int[:, ::1] behind,
    const int[::1] behind_key,
    on_tie,
):
    """Set the labels of open tokens, from left to right.

    `weights` are rows of whole lanes (Stack). `keys` has by word number, from column `first` on, the rows for each of
    `places`; `beside` has further rows for each token. `both` is what the two labels before say, `behind` lists labels
    before and the rows that they stand for, `behind_key` each token's list (decode.behind).
    """
    cdef Py_ssize_t count = words.shape[0], size = weights.shape[1], before = count_labels + 2
    cdef Py_ssize_t token, table, previous, second, best, last, row, rows
    cdef Py_ssize_t around[5]
    cdef bint is_second, is_last
    cdef int most
    cdef const Weight* row_of[MOST_ROWS]
    cdef const int* of_labels
    cdef Py_ssize_t step[5]
    step[OWN], step[LEFT], step[LEFT2], step[RIGHT], step[RIGHT2] = 0, -1, -2, 1, 2
    if size % PARCELS_LANE or places.shape[0] + beside.shape[0] + 2 > MOST_ROWS:
        raise ValueError("weights are not in whole lanes, or too many")
    cdef int* total = <int*>malloc(size * sizeof(int))
    if total == NULL:
        raise MemoryError
    try:
        for token in range(count):
            if 2 <= token + AHEAD < count - 2 and is_open[token + AHEAD]:
                # Wrong at the ends of a sentence, where the row is fetched in vain.
                for table in range(places.shape[0]):
                    _fetch(&weights[keys[words[token + AHEAD + step[places[table]]], first + table], 0], size)
            if not is_open[token]:
                continue
            is_second = token > 0 and is_first[token - 1] and not is_first[token]
            is_last = token + 1 == count or is_first[token + 1]
            around[OWN] = words[token]
            if is_first[token]:
                around[LEFT], around[LEFT2], previous, second = START2, START, count_labels, count_labels + 1
            else:
                around[LEFT], previous = words[token - 1], labels[token - 1]
                around[LEFT2] = START2 if is_second else words[token - 2]
                second = count_labels if is_second else labels[token - 2]
            if is_last:
                around[RIGHT], around[RIGHT2] = END, END2
            else:
                around[RIGHT] = words[token + 1]
                is_last = token + 2 == count or is_first[token + 2]
                around[RIGHT2] = END if is_last else words[token + 2]
            of_labels = &both[previous * before + second, 0]
            rows = 0
            for row in range(behind_key[token] >> 6, (behind_key[token] >> 6) + (behind_key[token] & 63)):
                if behind[row, 0] == previous:
                    row_of[rows] = &weights[behind[row, 1], 0]
                    rows += 1
                    break
            for table in range(places.shape[0]):
                row_of[rows + table] = &weights[keys[around[places[table]], first + table], 0]
            rows += places.shape[0]
            for table in range(beside.shape[0]):
                row_of[rows + table] = &weights[beside[table, token], 0]
            if Weight is short:
                most = parcels_sums_of_short(total, of_labels, row_of, rows + beside.shape[0], size)
            else:
                most = parcels_sums_of_int(total, of_labels, row_of, rows + beside.shape[0], size)
            best, last = 0, count_labels - 1
            while total[best] != most:
                best += 1
            if on_tie is not None:
                while total[last] != most:
                    last -= 1
                if best != last:
                    best = on_tie(token, previous, second)
            labels[token] = best
    finally:
        free(total)


cdef inline void _fetch(const Weight* row, Py_ssize_t size) noexcept:
    cdef const char* at = <const char*>row
    cdef const char* end = <const char*>(row + size)
    while at < end:
        PARCELS_FETCH(at)
        at += CACHE_LINE


def opened(
    const Py_ssize_t[::1] words, const Py_ssize_t[::1] decided, const int[:, ::1] keys, Py_ssize_t none,
    Py_ssize_t[::1] labels, unsigned char[::1] is_open, int[::1] behind_key,
):
    """Each token's label where its word has but one, which tokens have none, and their lists for `greedy`."""
    cdef Py_ssize_t token
    for token in range(words.shape[0]):
        labels[token] = decided[words[token]]
        is_open[token] = labels[token] == none
        behind_key[token] = keys[words[token], 0]


def nameable(
    const Py_ssize_t[::1] words, const int[:, ::1] keys, Py_ssize_t column, const unsigned char[::1] is_plain,
    int[::1] lists, unsigned char[::1] is_named,
):
    """The lists of tokens, a column of the keys of their words, and names.may_be_named."""
    cdef Py_ssize_t token, count = words.shape[0]
    for token in range(count):
        lists[token] = keys[words[token], column]
        is_named[token] = 0
    for token in range(count):
        if not is_plain[lists[token]]:
            is_named[token] = 1
            if token > 0:
                is_named[token - 1] = 1
            if token + 1 < count:
                is_named[token + 1] = 1


def ruled(
    Py_ssize_t[::1] labels, const int[::1] lists, const Py_ssize_t[::1] phrase, const Py_ssize_t[::1] shape, int mail,
    const unsigned char[::1] is_agency, Py_ssize_t small, Py_ssize_t outside, Py_ssize_t person,
    const Py_ssize_t[::1] of_phrase,
):
    """names.Names._ruled; `of_phrase` has the label of each phrase's part that is sure, or -1."""
    cdef Py_ssize_t token
    for token in range(labels.shape[0]):
        if lists[token] == mail and labels[token] == outside:
            labels[token] = person
        if of_phrase[phrase[token]] >= 0 and shape[token] != small:
            labels[token] = of_phrase[phrase[token]]
        if is_agency[lists[token]] and labels[token] == outside:
            labels[token] = of_phrase[PHRASE_ORG]


def clued(
    const Py_ssize_t[::1] shape, const Py_ssize_t[::1] case, const Py_ssize_t[::1] phrase, const Py_ssize_t[::1] tag,
    const unsigned char[::1] is_first, Py_ssize_t shapes, Py_ssize_t edge, int of_case, int of_phrase,
    int of_tag_shape, int of_tag, int of_left, int of_right, int[:, ::1] found,
):
    """The rows of weights of what is known of tokens besides their words (names.Names.decode).

    `of_case` and the others are where the rows of these tables begin, `edge` is the tag beyond a sentence's ends.
    """
    cdef Py_ssize_t count = shape.shape[0], at
    for at in range(count):
        found[0, at] = of_case + case[at] * shapes + shape[at]
        found[1, at] = of_phrase + phrase[at]
        found[2, at] = of_tag_shape + tag[at] * shapes + shape[at]
        found[3, at] = of_tag + tag[at]
        found[4, at] = of_left + (edge if at == 0 or is_first[at] else tag[at - 1])
        found[5, at] = of_right + (edge if at + 1 == count or is_first[at + 1] else tag[at + 1])


def starts(
    const unsigned int[::1] flags, const Py_ssize_t[::1] text_of, unsigned int ends, unsigned int closes,
    unsigned int small, unsigned char[::1] found,
):
    """analysis.sentence_starts."""
    cdef Py_ssize_t at
    for at in range(flags.shape[0]):
        found[at] = (
            at == 0
            or text_of[at] != text_of[at - 1]
            or (not flags[at] & (ends | closes | small) and (
                flags[at - 1] & ends != 0 or (at > 1 and flags[at - 1] & closes != 0 and flags[at - 2] & ends != 0)
            ))
        )


def neighbours(const unsigned int[::1] flags, unsigned int first, unsigned int second):
    """Which tokens have one flag, the next having another."""
    cdef Py_ssize_t at
    return [at for at in range(flags.shape[0] - 1) if flags[at] & first and flags[at + 1] & second]


def chosen(list values, const Py_ssize_t[::1] numbers):
    """The values with these numbers."""
    cdef Py_ssize_t at
    cdef list found = [None] * numbers.shape[0]
    for at in range(numbers.shape[0]):
        found[at] = values[numbers[at]]
    return found


def cased(
    const Py_ssize_t[::1] shapes, const unsigned char[::1] is_long, const unsigned char[::1] is_first,
    Py_ssize_t upper, Py_ssize_t title, Py_ssize_t lower, double title_share, Py_ssize_t[::1] found,
):
    """names.sentence_cases, sentence by sentence."""
    cdef Py_ssize_t count = shapes.shape[0], begin = 0, end, at, case
    cdef Py_ssize_t capitals, small, words, long_words, long_titles
    while begin < count:
        capitals = small = words = long_words = long_titles = 0
        end = begin
        while end < count and (end == begin or not is_first[end]):
            if shapes[end] == upper:
                capitals += 1
            elif shapes[end] == lower:
                small += 1
                long_words += is_long[end]
            elif shapes[end] == title:
                long_words += is_long[end]
                long_titles += is_long[end]
                words += 1
            end += 1
        words += capitals + small
        case = MIXED
        if words > 0 and capitals == words:
            case = CAPITALS
        elif words > 0 and small == words:
            case = SMALL
        elif long_words > 1 and long_titles >= title_share * long_words:
            case = TITLES
        for at in range(begin, end):
            found[at] = case
        if case == MIXED and is_first[begin]:
            found[begin] = FIRST
        begin = end

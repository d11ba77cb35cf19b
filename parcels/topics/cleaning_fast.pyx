"""The terms of texts without a string for each of their words: what cleaning.py says with strings.

What is known of a run of characters is found by its bytes. The table is a memory, not a record: a run that finds no
place near its own drives another out, so that no choice of runs makes it slow.
"""

from cpython.ref cimport Py_XDECREF, PyObject
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    object PyUnicode_FromKindAndData(int kind, const void *data, Py_ssize_t size)
    void Py_INCREF(PyObject *what)

cdef extern from *:
    """
    static const uint64_t parcels_start = 0xcbf29ce484222325u, parcels_step = 0x100000001b3u;  /* FNV-1a */
    enum {PARCELS_SPACE = 1, PARCELS_EDGE = 2, PARCELS_LETTER = 4, PARCELS_DIGIT = 8, PARCELS_WIDE = 16};
    static unsigned char parcels_kinds[256];
    /* What str.split takes for white space in Latin-1; what stands around a word; the rest by ASCII. */
    static void parcels_learn_kinds(void) {
        const char *edge = ".,;:!?()[]{}<>*\\"'-/";
        for (int n = 0; n < 256; n++) {
            int is_space = (n >= 9 && n <= 13) || (n >= 28 && n <= 32) || n == 0x85 || n == 0xa0;
            int is_letter = (n >= 'a' && n <= 'z') || (n >= 'A' && n <= 'Z');
            parcels_kinds[n] = (is_space ? PARCELS_SPACE : 0) | (is_letter ? PARCELS_LETTER : 0) |
                (n >= '0' && n <= '9' ? PARCELS_DIGIT : 0) | (n > 127 ? PARCELS_WIDE : 0);
        }
        for (; *edge; edge++) parcels_kinds[(unsigned char)*edge] |= PARCELS_EDGE;
    }
    """
    enum: PARCELS_SPACE, PARCELS_EDGE, PARCELS_LETTER, PARCELS_DIGIT, PARCELS_WIDE
    const uint64_t parcels_start, parcels_step
    const unsigned char parcels_kinds[256]
    void parcels_learn_kinds()

parcels_learn_kinds()

cdef enum:
    FIRST_SLOTS = 1 << 12
    NEAR = 16  # slots that are looked at
    MOST_BYTES = 1 << 22  # of the runs that are known
    MOST_LETTERS = 30

ctypedef struct Known:
    uint64_t hashed
    PyObject *terms
    uint32_t first
    uint32_t size


cdef class Table:
    """Terms by runs of characters. `of_chunk` and `of_word` say what the terms of those that are not known are.

    `of_wide` is asked for runs with letters beyond Latin-1. Runs longer than `longest` have none.
    """

    cdef Known *slots
    cdef unsigned char *runs
    cdef size_t slot_count, run_bytes, run_room
    cdef Py_ssize_t count, most, longest
    cdef object of_chunk, of_word, of_wide
    cdef frozenset schemes
    cdef list numbers  # terms by the kind of a number

    def __cinit__(self, of_chunk, of_word, of_wide, schemes, Py_ssize_t most, Py_ssize_t longest):
        self.of_chunk, self.of_word, self.of_wide = of_chunk, of_word, of_wide
        self.schemes = frozenset(schemes)
        self.most, self.longest = most, longest
        self.numbers = [("#number",), ("#year",), ("#time",), ("#phone",)]
        self.slot_count = FIRST_SLOTS
        self.slots = <Known *>calloc(self.slot_count, sizeof(Known))
        if self.slots == NULL:
            raise MemoryError()

    def __dealloc__(self):
        if self.slots != NULL:
            self._forget()
            free(self.slots)
        free(self.runs)

    cdef void _forget(self):
        cdef size_t n
        for n in range(self.slot_count):
            Py_XDECREF(self.slots[n].terms)
            self.slots[n].terms = NULL
        self.count, self.run_bytes = 0, 0

    def terms(self, str text) -> list:
        """The terms of a text, in order."""
        cdef list found = []
        self._add(text, found)
        return found

    def of(self, str chunk) -> tuple:
        """The terms of one run of characters without white space."""
        return self._of(chunk)

    def fill(self, list texts, list known) -> list:
        """The terms of all texts, in order; those of each are kept in `known` where it has None."""
        cdef list found = [], own
        cdef Py_ssize_t n
        for n in range(len(texts)):
            terms = known[n]
            if terms is None:
                own = []
                self._add(texts[n], own)
                known[n] = terms = own
            found.extend(terms)
        return found

    cdef int _add(self, str text, list found) except -1:
        cdef const unsigned char *data
        cdef Py_ssize_t size, at = 0, first
        cdef uint64_t hashed
        cdef tuple terms
        if text is None:
            raise TypeError("a text is a string")
        if PyUnicode_KIND(text) != 1:
            for chunk in text.split():
                found.extend(self._of(chunk))
            return 0
        data, size = <const unsigned char *>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
        while True:
            while at < size and parcels_kinds[data[at]] & PARCELS_SPACE:
                at += 1
            if at >= size:
                return 0
            first, hashed = at, parcels_start
            while at < size and not parcels_kinds[data[at]] & PARCELS_SPACE:
                hashed = (hashed ^ data[at]) * parcels_step
                at += 1
            if at - first > self.longest:
                continue  # data, not text
            terms = self._find(data + first, at - first, hashed)
            for term in terms:
                found.append(term)

    cdef tuple _of(self, str chunk):
        cdef const unsigned char *data
        cdef Py_ssize_t size, at
        cdef uint64_t hashed = parcels_start
        if chunk is None:
            raise TypeError("a run of characters is a string")
        size = PyUnicode_GET_LENGTH(chunk)
        if size > self.longest:
            return ()
        if PyUnicode_KIND(chunk) != 1:
            return self.of_wide(chunk)
        data = <const unsigned char *>PyUnicode_DATA(chunk)
        for at in range(size):
            hashed = (hashed ^ data[at]) * parcels_step
        return self._find(data, size, hashed)

    cdef tuple _find(self, const unsigned char *data, Py_ssize_t size, uint64_t hashed):
        cdef size_t place, n
        cdef Known *slot
        hashed ^= hashed >> 29
        place = hashed & (self.slot_count - 1)
        for n in range(NEAR):
            slot = &self.slots[(place + n) & (self.slot_count - 1)]
            if slot.terms == NULL:
                break
            if slot.hashed == hashed and slot.size == size and memcmp(self.runs + slot.first, data, size) == 0:
                return <tuple>slot.terms
        found = self._clean(data, size)
        self._keep(data, size, hashed, found)
        return found

    cdef int _keep(self, const unsigned char *data, Py_ssize_t size, uint64_t hashed, tuple found) except -1:
        cdef size_t room
        cdef unsigned char *runs
        cdef Known *slot
        if self.count >= self.most or self.run_bytes + size > MOST_BYTES:
            self._forget()
        if <size_t>self.count * 2 >= self.slot_count:
            self._grow()
        if self.run_bytes + size > self.run_room:
            room = 2 * self.run_room + size + 4096
            runs = <unsigned char *>realloc(self.runs, room)
            if runs == NULL:
                raise MemoryError()
            self.runs, self.run_room = runs, room
        slot = self._free(hashed)
        memcpy(self.runs + self.run_bytes, data, size)
        Py_INCREF(<PyObject *>found)
        slot.hashed, slot.terms = hashed, <PyObject *>found
        slot.first, slot.size = <uint32_t>self.run_bytes, <uint32_t>size
        self.run_bytes += size
        return 0

    cdef Known *_free(self, uint64_t hashed):
        """A slot for what is not known; its count is kept."""
        cdef size_t place = hashed & (self.slot_count - 1), n
        cdef Known *slot
        for n in range(NEAR):
            slot = &self.slots[(place + n) & (self.slot_count - 1)]
            if slot.terms == NULL:
                self.count += 1
                return slot
        slot = &self.slots[place]
        Py_XDECREF(slot.terms)
        slot.terms = NULL
        return slot

    cdef int _grow(self) except -1:
        cdef Known *old = self.slots
        cdef Known *slot
        cdef size_t count = self.slot_count, n
        cdef Known *new = <Known *>calloc(2 * count, sizeof(Known))
        if new == NULL:
            raise MemoryError()
        self.slots, self.slot_count, self.count = new, 2 * count, 0
        for n in range(count):
            if old[n].terms != NULL:
                slot = self._free(old[n].hashed)
                slot[0] = old[n]
        free(old)
        return 0

    cdef tuple _clean(self, const unsigned char *data, Py_ssize_t size):
        """The terms of a run: words and numbers with what stands around them are read here."""
        cdef Py_ssize_t first = 0, end = size, at
        cdef unsigned char kinds = PARCELS_LETTER | PARCELS_DIGIT, any_kind = 0
        cdef unsigned char word[MOST_LETTERS]
        for at in range(size):
            any_kind |= parcels_kinds[data[at]]
        if not any_kind & PARCELS_WIDE:
            while first < end and parcels_kinds[data[first]] & PARCELS_EDGE:
                first += 1
            while end > first and parcels_kinds[data[end - 1]] & PARCELS_EDGE:
                end -= 1
            if first == end:
                return ()
            for at in range(first, end):
                kinds &= parcels_kinds[data[at]]
            if kinds == PARCELS_DIGIT:
                return self.numbers[kind_of_number(data + first, end - first)]
            if kinds == PARCELS_LETTER:
                if end - first < 2 or end - first > MOST_LETTERS:
                    return ()
                for at in range(first, end):
                    word[at - first] = data[at] | 32
                lower = PyUnicode_FromKindAndData(1, word, end - first)
                if end - first == size or lower not in self.schemes:
                    return self.of_word(lower)
            elif is_plain(data, size):
                return self._pieces(data + first, end - first)
        return self.of_chunk(PyUnicode_FromKindAndData(1, data, size))

    cdef tuple _pieces(self, const unsigned char *data, Py_ssize_t size):
        """The terms of a run that is several words and numbers."""
        cdef Py_ssize_t at = 0, first, n
        cdef unsigned char kind
        cdef unsigned char word[MOST_LETTERS]
        cdef list found = []
        while at < size:
            first, kind = at, parcels_kinds[data[at]]
            at += 1
            if kind & PARCELS_LETTER:
                while at < size and parcels_kinds[data[at]] & PARCELS_LETTER:
                    at += 1
                if at - first <= MOST_LETTERS:
                    for n in range(first, at):
                        word[n - first] = data[n] | 32
                    found.extend(self.of_word(PyUnicode_FromKindAndData(1, word, at - first)))
            elif kind & PARCELS_DIGIT:
                while at < size and (parcels_kinds[data[at]] & PARCELS_DIGIT or is_inside(data[at])):
                    at += 1
                while not parcels_kinds[data[at - 1]] & PARCELS_DIGIT:
                    at -= 1
                found.extend(self.numbers[kind_of_number(data + first, at - first)])
        return tuple(found)


cdef bint is_inside(unsigned char letter) noexcept:
    """Whether it may stand between the digits of a number: one of `:./,-`."""
    return letter == 58 or letter == 46 or letter == 47 or letter == 44 or letter == 45


cdef bint is_plain(const unsigned char *data, Py_ssize_t size) noexcept:
    """Whether a run is no more than words and numbers: no mail or web address, no apostrophe."""
    cdef Py_ssize_t n
    for n in range(size):
        if data[n] == 64 or data[n] == 39:  # @ and '
            return False
        if data[n] == 58 and n + 2 < size and data[n + 1] == 47 and data[n + 2] == 47:  # ://
            return False
        if n + 3 < size and data[n] | 32 == 119 and data[n + 1] | 32 == 119 and data[n + 2] | 32 == 119:  # www
            return False
    return True


cdef int kind_of_number(const unsigned char *data, Py_ssize_t size) noexcept:
    """0 for a plain number, 1 for a year, 2 for a time or times from and to, 3 for a telephone number."""
    cdef Py_ssize_t runs[4]
    cdef unsigned char between[4]
    cdef Py_ssize_t count = 0, n
    runs[0] = 0
    for n in range(size):
        if parcels_kinds[data[n]] & PARCELS_DIGIT:
            runs[count] += 1
        elif count == 3:
            return 0
        else:
            between[count] = data[n]
            count += 1
            runs[count] = 0
    count += 1
    if count == 1:
        is_century = (data[0] == 49 and data[1] == 57) or (data[0] == 50 and data[1] == 48) if size == 4 else False
        return 1 if is_century else 0
    if count in (2, 4) and is_time(runs, between):
        if count == 2 or (between[1] == 45 and is_time(runs + 2, between + 2)):
            return 2
    n = count - 1
    if count < 4 and runs[n] == 4 and runs[n - 1] == 3 and is_dash(between[n - 1]):
        return 3 if count == 2 or (runs[0] == 3 and is_dash(between[0])) else 0
    return 0


cdef bint is_time(const Py_ssize_t *runs, const unsigned char *between) noexcept:
    return 1 <= runs[0] <= 2 and runs[1] == 2 and (between[0] == 58 or between[0] == 46)


cdef bint is_dash(unsigned char letter) noexcept:
    """One of `-./`."""
    return 45 <= letter <= 47

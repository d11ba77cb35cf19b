# cython: wraparound=False, cdivision=True
"""The words that blocks and claims have in common (shared_words.py says what is counted), without a string a word."""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, strstr

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    void* PyUnicode_DATA(object)
    Py_UCS4 PyUnicode_READ(int, const void*, Py_ssize_t) nogil
    bint PyUnicode_IS_ASCII(object)

ctypedef unsigned long long Bits

cdef enum:
    FIRST_SLOTS = 2048  # of the table of a page's words; a power of two
    MOST_CHARS = 256  # of a text that is looked at for dates
    MOST_NUMBERS = 20
    LONGEST_NUMBER = 4


cdef struct Word:
    const char* letters  # NULL: the slot is free
    unsigned int hash
    int size, kind  # letters, and bytes of each
    int block  # that had it last
    int claim  # the last link of those that have it, -1 for none


cdef struct Link:
    int claim
    int other  # the link before, -1 for none


cdef class Words:
    """All different words of a page, by their letters; the texts that they stand in must stay."""

    cdef Word* slots
    cdef Link* links
    cdef Py_ssize_t size, used, linked, room

    def __cinit__(self):
        self.size, self.used, self.linked, self.room = FIRST_SLOTS, 0, 0, 0
        self.links = NULL
        self.slots = <Word*>calloc(self.size, sizeof(Word))
        if self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)
        free(self.links)

    cdef Word* word(self, Bits hash, int kind, const char* letters, Py_ssize_t size) except NULL:
        """The word's slot, made where it is new."""
        cdef unsigned int own = <unsigned int>(hash >> 32)
        cdef Py_ssize_t at
        if 2 * self.used >= self.size:
            self.grow()
        at = own & (self.size - 1)
        while self.slots[at].letters != NULL:
            if self.slots[at].hash == own and _is_same(&self.slots[at], kind, letters, size):
                return &self.slots[at]
            at = (at + 1) & (self.size - 1)
        self.slots[at] = Word(letters, own, <int>size, kind, -1, -1)
        self.used += 1
        return &self.slots[at]

    cdef int grow(self) except -1:
        cdef Word* old = self.slots
        cdef Py_ssize_t at, to, size = self.size
        cdef Word* made = <Word*>calloc(2 * size, sizeof(Word))
        if made == NULL:
            raise MemoryError
        for at in range(size):
            if old[at].letters != NULL:
                to = old[at].hash & (2 * size - 1)
                while made[to].letters != NULL:
                    to = (to + 1) & (2 * size - 1)
                made[to] = old[at]
        self.slots, self.size = made, 2 * size
        free(old)
        return 0

    cdef int link(self, Word* word, int claim) except -1:
        """Note that a claim has the word."""
        cdef Link* more
        if self.linked == self.room:
            more = <Link*>realloc(self.links, (2 * self.room + 64) * sizeof(Link))
            if more == NULL:
                raise MemoryError
            self.links, self.room = more, 2 * self.room + 64
        self.links[self.linked] = Link(claim, word.claim)
        word.claim = <int>self.linked
        self.linked += 1
        return 0


cdef inline Bits _mixed(Bits hash, unsigned int letter) noexcept nogil:
    return (hash ^ letter) * 0x9E3779B97F4A7C15U ^ hash >> 29


cdef inline bint _is_same(const Word* word, int kind, const char* letters, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    if word.size != size:
        return False
    if word.kind == kind:
        return memcmp(word.letters, letters, size * kind) == 0
    for at in range(size):
        if PyUnicode_READ(word.kind, word.letters, at) != PyUnicode_READ(kind, letters, at):
            return False
    return True


def common(list texts, list claims, int[::1] sizes, unsigned char[::1] has_digit, int[:, ::1] found):
    """shared_words.shared_words: `texts` are those of the blocks in lower case, `claims` sets of words."""
    cdef Words words = Words()
    cdef Word* word
    cdef Py_ssize_t number, at, begin, size
    cdef Bits hash
    cdef int kind, link
    cdef const char* text
    cdef Py_UCS4 letter
    cdef bint is_word, digits
    for number in range(len(claims)):
        for own in <frozenset>claims[number]:
            kind, text, size, hash = PyUnicode_KIND(own), <const char*>PyUnicode_DATA(own), len(<str>own), 0
            for at in range(size):
                hash = _mixed(hash, PyUnicode_READ(kind, text, at))
            words.link(words.word(hash, kind, text, size), <int>number)
    for number in range(len(texts)):
        own = texts[number]
        kind, text, size = PyUnicode_KIND(own), <const char*>PyUnicode_DATA(own), len(<str>own)
        begin, hash = -1, 0
        sizes[number], digits = 0, False
        for at in range(size + 1):
            is_word = False
            if at < size:
                letter = PyUnicode_READ(kind, text, at)
                if letter < 128:
                    is_word = _is_word[letter]
                    digits |= u"0" <= letter <= u"9"
                else:
                    is_word = letter.isalnum()
                    digits |= letter.isdecimal()
            if is_word:
                if begin < 0:
                    begin, hash = at, 0
                hash = _mixed(hash, letter)
            elif begin >= 0:
                word = words.word(hash, kind, text + begin * kind, at - begin)
                begin = -1
                if word.block != number:
                    word.block = <int>number
                    sizes[number] += 1
                    link = word.claim
                    while link >= 0:
                        found[words.links[link].claim, number] += 1
                        link = words.links[link].other
        has_digit[number] = digits


def best_shares(const int[:, ::1] common, const int[::1] sizes, const int[::1] claims, float[::1] found):
    """Shared.best: the largest share of words in common, of the larger of block and claim."""
    cdef Py_ssize_t block, claim
    cdef double best, share
    for block in range(sizes.shape[0]):
        best = 0
        for claim in range(claims.shape[0]):
            if common[claim, block]:
                share = <double>common[claim, block] / <double>max(sizes[block], claims[claim])
                best = max(best, share)
        found[block] = <float>best


def date_parts(str text, list dates, tuple months):
    """evidence._date_parts of a text; -1 where it is long or has other letters than ASCII's."""
    cdef char[MOST_CHARS + 1] lower
    cdef int[MOST_NUMBERS] numbers
    cdef const char* letters
    cdef Py_ssize_t at = 0, size = len(text), begin, runs = 0, count = 0
    cdef int year, month, day, number, best = 0, parts
    if size > MOST_CHARS or not PyUnicode_IS_ASCII(text):
        return -1
    letters = <const char*>PyUnicode_DATA(text)
    for at in range(size):
        if letters[at] == 0:
            return -1
        lower[at] = letters[at] + 32 if c"A" <= letters[at] <= c"Z" else letters[at]
    lower[size] = 0
    at = 0
    while at < size and runs < MOST_NUMBERS:
        if not c"0" <= lower[at] <= c"9":
            at += 1
            continue
        begin, number = at, 0
        while at < size and c"0" <= lower[at] <= c"9":
            if at - begin < LONGEST_NUMBER:
                number = 10 * number + lower[at] - c"0"
            at += 1
        runs += 1
        if at - begin <= LONGEST_NUMBER:
            numbers[count] = number
            count += 1
    for year, month, day in dates:
        parts = _is_among(numbers, count, year) or _is_among(numbers, count, year % 100)
        parts += _is_among(numbers, count, month) or strstr(lower, <const char*><bytes>months[month - 1]) != NULL
        parts += _is_among(numbers, count, day)
        best = max(best, parts)
    return best


cdef bint _is_among(const int* numbers, Py_ssize_t count, int number) noexcept:
    cdef Py_ssize_t at
    for at in range(count):
        if numbers[at] == number:
            return True
    return False


cdef unsigned char _is_word[128]
for _letter in range(128):
    _is_word[_letter] = chr(_letter).isalnum() or chr(_letter) == "_"

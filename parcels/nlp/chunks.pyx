# cython: wraparound=False, cdivision=True
"""Texts as the numbers of their words: what lexicon.Chunks says in plain Python, chunk by chunk in the texts' letters."""

import numpy as np

from cpython.long cimport PyLong_CheckExact
from libc.stdlib cimport free, malloc, realloc
from parcels.nlp.letters cimport MOST_LETTERS, Key, Letters, fill, fill_bytes, fill_letters

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t at)
    object PyUnicode_FromKindAndData(int kind, const void* data, Py_ssize_t size)
    bint Py_UNICODE_ISSPACE(Py_UCS4 letter)

cdef enum:
    AT_ONCE = 16  # chunks that are looked for together, so that they wait for memory together
    FIRST_ROOM = 1024

cdef unsigned char[256] IS_SPACE
for _letter in range(256):
    IS_SPACE[_letter] = chr(_letter).isspace()


cdef class Chunks:
    """Chunks that were met, and the numbers of their words."""

    cdef Letters texts
    cdef int* word  # by chunk: the number of its one word; or -1 and below: where its words stand in `words`
    cdef int* words  # of chunks of several words: how many, then these
    cdef Py_ssize_t room, words_count, words_room

    def __cinit__(self):
        self.texts = Letters()
        self.room, self.words_count, self.words_room = FIRST_ROOM, 0, FIRST_ROOM
        self.word = <int*>malloc(self.room * sizeof(int))
        self.words = <int*>malloc(self.words_room * sizeof(int))
        if self.word == NULL or self.words == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.word)
        free(self.words)

    def __len__(self):
        return self.texts.count

    def __contains__(self, str chunk):
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        return fill(&key, chunk, wide) and self.texts.find(&key) >= 0

    def add(self, list chunks, list numbers):
        """Put in chunks that are not there yet, each with the number of its word or a tuple of these."""
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        cdef Py_ssize_t at
        cdef int word
        for at in range(len(chunks)):
            word = <int>numbers[at] if PyLong_CheckExact(numbers[at]) else self.several(<tuple?>numbers[at])
            if not fill(&key, <str?>chunks[at], wide):
                raise ValueError("a chunk is too long")
            if self.texts.count == self.room:
                self.word, self.room = <int*>_larger(self.word, 2 * self.room), 2 * self.room
            self.word[self.texts.add(&key)] = word

    cdef int several(self, tuple numbers) except 0:
        cdef Py_ssize_t first = self.words_count, room = 2 * (self.words_room + len(numbers))
        if first + 1 + len(numbers) > self.words_room:
            self.words, self.words_room = <int*>_larger(self.words, room), room
        self.words[first] = <int>len(numbers)
        self.words_count += 1
        for number in numbers:
            self.words[self.words_count] = <int>number
            self.words_count += 1
        return -1 - <int>first

    def read(self, list texts, Py_ssize_t longest):
        """The chunks of texts by number, how many each text has; those that are not known, and where these stand."""
        cdef Py_ssize_t count = 0, room = 0, number, before, at, end, size
        cdef const char* letters
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key keys[AT_ONCE]
        cdef Py_ssize_t waiting
        cdef list missing = [], places = []
        if longest > MOST_LETTERS:
            raise ValueError("chunks would be too long")
        for text in texts:
            room += PyUnicode_GET_LENGTH(<str?>text) // 2 + 1
        rows, counts = np.empty(room, np.int32), np.empty(len(texts), np.intp)
        cdef int[::1] to_rows = rows
        cdef Py_ssize_t[::1] to_counts = counts
        for number in range(len(texts)):
            text, before, at, waiting = texts[number], count, 0, 0
            size = PyUnicode_GET_LENGTH(text)
            if PyUnicode_KIND(text) != 1:
                to_counts[number] = self.read_wide(text, longest, to_rows, count, missing, places)
                count += to_counts[number]
                continue
            letters = <const char*>PyUnicode_DATA(text)
            while True:
                while at < size and IS_SPACE[<unsigned char>letters[at]]:
                    at += 1
                end = at
                while end < size and not IS_SPACE[<unsigned char>letters[end]]:
                    end += 1
                if end > at:
                    fill_bytes(&keys[waiting], letters + at, min(end - at, longest))
                    self.texts.fetch(&keys[waiting])
                    waiting += 1
                if waiting == AT_ONCE or (end == at and waiting):
                    self.found(keys, waiting, &to_rows[count], count, missing, places)
                    count += waiting
                    waiting = 0
                if end == at:
                    break
                at = end
            to_counts[number] = count - before
        return rows[:count], counts, missing, places

    cdef int found(
        self, const Key* keys, Py_ssize_t count, int* rows, Py_ssize_t place, list missing, list places
    ) except -1:
        """Set the numbers of some chunks."""
        cdef Py_ssize_t at
        for at in range(count):
            self.texts.fetch_entry(&keys[at])
        for at in range(count):
            rows[at] = self.texts.find(&keys[at])
            if rows[at] < 0:
                if keys[at].size & 1:
                    missing.append(PyUnicode_FromKindAndData(4, keys[at].at, keys[at].size >> 3))
                else:
                    missing.append(PyUnicode_FromKindAndData(1, keys[at].at, keys[at].size >> 1))
                places.append(place + at)
        return 0

    cdef Py_ssize_t read_wide(
        self, str text, Py_ssize_t longest, int[::1] rows, Py_ssize_t first, list missing, list places
    ) except -1:
        """The same of a text in which a letter has more than a byte; how many chunks it has."""
        cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text), count = 0, letters = 0
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        cdef Py_UCS4 letter
        cdef bint is_space
        for at in range(size + 1):
            letter = PyUnicode_READ_CHAR(text, at) if at < size else u" "
            is_space = IS_SPACE[letter] if letter < 256 else Py_UNICODE_ISSPACE(letter)
            if not is_space:
                if letters < longest:
                    wide[letters] = letter
                    letters += 1
            elif letters:
                fill_letters(&key, wide, letters)
                self.found(&key, 1, &rows[first + count], first + count, missing, places)
                count += 1
                letters = 0
        return count

    def fill(self, int[::1] rows, list missing, list places):
        """Set the numbers of what was missing when it was read and has come in since."""
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        cdef Py_ssize_t at
        for at in range(len(missing)):
            fill(&key, missing[at], wide)
            rows[<Py_ssize_t>places[at]] = self.texts.find(&key)
            if rows[<Py_ssize_t>places[at]] < 0:
                raise KeyError(missing[at])

    def joined(self, const int[::1] rows, const Py_ssize_t[::1] counts):
        """The word numbers of texts, which tokens begin a chunk, where each text begins, and the text of each token."""
        cdef Py_ssize_t total = 0, at = 0, number, row, end = 0
        cdef int word
        cdef const int* several
        for row in range(rows.shape[0]):
            word = self.word[rows[row]]
            total += 1 if word >= 0 else self.words[-1 - word]
        words, is_spaced = np.empty(total, np.intp), np.zeros(total, np.bool_)
        begin, text_of = np.empty(counts.shape[0] + 1, np.intp), np.empty(total, np.intp)
        cdef Py_ssize_t[::1] to_words = words, to_begin = begin, to_text = text_of
        cdef unsigned char[::1] to_spaced = is_spaced.view(np.uint8)
        row = 0
        for number in range(counts.shape[0]):
            to_begin[number] = at
            end += counts[number]
            for row in range(row, end):
                word = self.word[rows[row]]
                if word >= 0:
                    to_spaced[at] = 1
                    to_words[at] = word
                    to_text[at] = number
                    at += 1
                    continue
                several = self.words - 1 - word
                if at < total:
                    to_spaced[at] = 1
                for word in several[1 : 1 + several[0]]:
                    to_words[at] = word
                    to_text[at] = number
                    at += 1
            row = end
        to_begin[counts.shape[0]] = at
        return words, is_spaced, begin, text_of


cdef void* _larger(int* numbers, Py_ssize_t room) except NULL:
    cdef void* found = realloc(numbers, room * sizeof(int))
    if found == NULL:
        raise MemoryError
    return found

# cython: wraparound=False, cdivision=True
"""Tables from the letters of words to numbers: like dicts of strings, but asked about letters wherever they stand, so
that no string is made, and with a word's hash and letters close together in memory."""

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t at)

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define PARCELS_FETCH(place) __builtin_prefetch(place)
    #else
    #define PARCELS_FETCH(place)
    #endif
    /* Eight bytes at a time; the seed is another one in each process, so that nobody can choose words that collide. */
    static unsigned long long parcels_hash(const char *at, Py_ssize_t size, unsigned long long seed) {
        unsigned long long found = seed ^ (unsigned long long)size, part;
        for (; size >= 8; at += 8, size -= 8) {
            memcpy(&part, at, 8);
            found = (found ^ part) * 0x9E3779B97F4A7C15ULL;
            found ^= found >> 29;
        }
        if (size) {
            part = 0;
            for (Py_ssize_t byte = 0; byte < size; byte++) part |= (unsigned long long)(unsigned char)at[byte] << (8 * byte);
            found = (found ^ part) * 0x9E3779B97F4A7C15ULL;
            found ^= found >> 29;
        }
        found *= 0xBF58476D1CE4E5B9ULL;
        return found ^ (found >> 32);
    }
    """
    void PARCELS_FETCH(const void*) noexcept
    Bits parcels_hash(const char* at, Py_ssize_t size, Bits seed) noexcept

cdef enum:
    FIRST_SLOTS = 64

cdef Bits SEED = <Bits><Py_ssize_t>hash("the letters of words")


cdef void fill_bytes(Key* key, const char* letters, Py_ssize_t size) noexcept:
    """The key of letters that have a byte each."""
    key.at, key.size, key.hash = letters, 2 * size, parcels_hash(letters, size, SEED)


cdef void fill_letters(Key* key, unsigned int* letters, Py_ssize_t count) noexcept:
    """The key of letters that have four bytes each, in whose place those of a byte each are put where they can be."""
    cdef Py_ssize_t at
    cdef char* narrow = <char*>letters
    for at in range(count):
        if letters[at] > 255:
            key.at, key.size = <const char*>letters, 8 * count + 1
            key.hash = parcels_hash(key.at, 4 * count, SEED)
            return
    for at in range(count):
        narrow[at] = <char>letters[at]
    fill_bytes(key, narrow, count)


cdef bint fill(Key* key, object text, unsigned int* wide) noexcept:
    """The key of a text, whose letters must stay where they are; `wide` has room for MOST_LETTERS.

    False for one that is too long for any table.
    """
    cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
    if PyUnicode_KIND(text) == 1:
        fill_bytes(key, <const char*>PyUnicode_DATA(text), size)
        return size <= LONGEST_KEY
    if size > MOST_LETTERS:
        return False
    for at in range(size):
        wide[at] = PyUnicode_READ_CHAR(text, at)
    fill_letters(key, wide, size)
    return True


cdef class Letters:
    """Texts, numbered as they come."""

    def __cinit__(self):
        self.mask, self.count, self.room, self.used, self.letters_room = FIRST_SLOTS - 1, 0, FIRST_SLOTS, 0, 1024
        self.slots = <Slot*>calloc(FIRST_SLOTS, sizeof(Slot))
        self.entries = <Entry*>malloc(self.room * sizeof(Entry))
        self.letters = <char*>malloc(self.letters_room)
        if self.slots == NULL or self.entries == NULL or self.letters == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)
        free(self.entries)
        free(self.letters)

    def __len__(self):
        return self.count

    cdef int find(self, const Key* key) noexcept:
        """The number of a text, -1 for one that is not there."""
        cdef Py_ssize_t at = key.hash & self.mask
        cdef unsigned int upper = <unsigned int>(key.hash >> 32)
        cdef Py_ssize_t size = key.size >> 1
        cdef const Entry* entry
        while self.slots[at].entry:
            if self.slots[at].hash == upper:
                entry = &self.entries[self.slots[at].entry - 1]
                if (
                    entry.hash == key.hash and entry.size == key.size
                    and (memcmp(entry.head, key.at, size) if size <= HEAD else memcmp(
                        self.letters + entry.at, key.at, size
                    )) == 0
                ):
                    return self.slots[at].entry - 1
            at = (at + 1) & self.mask
        return -1

    cdef void fetch(self, const Key* key) noexcept:
        """Let the processor get the place where a text will be looked for."""
        PARCELS_FETCH(&self.slots[key.hash & self.mask])

    cdef void fetch_entry(self, const Key* key) noexcept:
        """The same of what stands there, which was fetched before."""
        cdef int entry = self.slots[key.hash & self.mask].entry
        if entry:
            PARCELS_FETCH(&self.entries[entry - 1])

    cdef int add(self, const Key* key) except -1:
        """The number of a text, which is put in where it is not there."""
        cdef int found = self.find(key)
        cdef Py_ssize_t at, size = key.size >> 1, room
        cdef void* more
        if found >= 0:
            return found
        if size > LONGEST_KEY:
            raise ValueError("the text is too long")
        if 2 * (self.count + 1) > self.mask:
            self.grow()
        if self.count == self.room:
            more = realloc(self.entries, 2 * self.room * sizeof(Entry))
            if more == NULL:
                raise MemoryError
            self.entries, self.room = <Entry*>more, 2 * self.room
        if self.used + size > self.letters_room:
            room = 2 * (self.letters_room + size)
            more = realloc(self.letters, room)
            if more == NULL:
                raise MemoryError
            self.letters, self.letters_room = <char*>more, room
        memcpy(self.letters + self.used, key.at, size)
        self.entries[self.count].hash, self.entries[self.count].size = key.hash, <int>key.size
        self.entries[self.count].at = <unsigned int>self.used
        memcpy(self.entries[self.count].head, key.at, min(size, <Py_ssize_t>HEAD))
        self.used += size
        at = key.hash & self.mask
        while self.slots[at].entry:
            at = (at + 1) & self.mask
        self.count += 1
        self.slots[at] = Slot(<unsigned int>(key.hash >> 32), <int>self.count)
        return <int>(self.count - 1)

    cdef int grow(self) except -1:
        cdef Py_ssize_t size = 4 * (self.mask + 1), at, entry
        cdef Slot* made = <Slot*>calloc(size, sizeof(Slot))
        if made == NULL:
            raise MemoryError
        for entry in range(self.count):
            at = self.entries[entry].hash & (size - 1)
            while made[at].entry:
                at = (at + 1) & (size - 1)
            made[at] = Slot(<unsigned int>(self.entries[entry].hash >> 32), <int>(entry + 1))
        free(self.slots)
        self.slots, self.mask = made, size - 1
        return 0


cdef Bits packed(object text, Py_ssize_t first, Py_ssize_t end) noexcept:
    """Up to three letters as a number that no other letters have; no letters are 0."""
    cdef Bits found = 0
    cdef Py_ssize_t at
    for at in range(first, end):
        found = found << 21 | (<Bits>PyUnicode_READ_CHAR(text, at) + 1)
    return found


cdef class Ends:
    """Some numbers for each of many ends or beginnings of words, which `packed` made numbers of."""

    def __cinit__(self, Py_ssize_t width):
        self.mask, self.count, self.width = FIRST_SLOTS - 1, 0, width
        self.keys = <Bits*>calloc(FIRST_SLOTS, sizeof(Bits))
        self.values = <int*>calloc(FIRST_SLOTS * width, sizeof(int))
        if self.keys == NULL or self.values == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.keys)
        free(self.values)

    cdef Py_ssize_t slot(self, Bits key) noexcept:
        cdef Py_ssize_t at = ((key * 0x9E3779B97F4A7C15U) >> 40) & self.mask
        while self.keys[at] and self.keys[at] != key + 1:
            at = (at + 1) & self.mask
        return at

    cdef const int* find(self, Bits key) noexcept:
        """The numbers of an end, zeros for one that is not there."""
        return &self.values[self.slot(key) * self.width]

    cdef int set(self, Bits key, Py_ssize_t column, int value) except -1:
        if 2 * (self.count + 1) > self.mask:
            self.grow()
        cdef Py_ssize_t at = self.slot(key)
        if not self.keys[at]:
            self.keys[at] = key + 1
            self.count += 1
        self.values[at * self.width + column] = value
        return 0

    cdef int grow(self) except -1:
        cdef Py_ssize_t size = self.mask + 1, at, to
        cdef Bits* keys = self.keys
        cdef int* values = self.values
        self.keys = <Bits*>calloc(4 * size, sizeof(Bits))
        self.values = <int*>calloc(4 * size * self.width, sizeof(int))
        self.mask = 4 * size - 1
        if self.keys == NULL or self.values == NULL:
            free(keys)
            free(values)
            raise MemoryError
        for at in range(size):
            if keys[at]:
                to = self.slot(keys[at] - 1)
                self.keys[to] = keys[at]
                memcpy(&self.values[to * self.width], &values[at * self.width], self.width * sizeof(int))
        free(keys)
        free(values)
        return 0

ctypedef unsigned long long Bits

cdef enum:
    MOST_LETTERS = 256  # of four bytes that a table can hold
    LONGEST_KEY = 1024  # the same in bytes
    HEAD = 16


cdef struct Key:
    const char* at  # a byte a letter where all are below 256, else four
    Py_ssize_t size  # bytes, times two; plus one where a letter has four
    Bits hash


cdef struct Entry:  # half a cache line
    Bits hash
    int size  # as in a key
    unsigned int at  # in the letters of all
    char[16] head  # the first of its letters: of most words all, so that nothing else is looked at


cdef struct Slot:
    unsigned int hash  # the upper half
    int entry  # plus one; 0 for none


cdef bint fill(Key* key, object text, unsigned int* wide) noexcept
cdef void fill_bytes(Key* key, const char* letters, Py_ssize_t size) noexcept
cdef void fill_letters(Key* key, unsigned int* letters, Py_ssize_t count) noexcept


cdef class Letters:
    cdef Slot* slots
    cdef Entry* entries
    cdef char* letters
    cdef Py_ssize_t mask, count, room, used, letters_room

    cdef int find(self, const Key* key) noexcept
    cdef int add(self, const Key* key) except -1
    cdef int grow(self) except -1
    cdef void fetch(self, const Key* key) noexcept
    cdef void fetch_entry(self, const Key* key) noexcept


cdef class Ends:
    cdef Bits* keys
    cdef int* values
    cdef Py_ssize_t mask, count, width

    cdef const int* find(self, Bits key) noexcept
    cdef int set(self, Bits key, Py_ssize_t column, int value) except -1
    cdef Py_ssize_t slot(self, Bits key) noexcept
    cdef int grow(self) except -1


cdef Bits packed(object text, Py_ssize_t first, Py_ssize_t end) noexcept

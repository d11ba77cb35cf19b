cimport cython
from parcels.maps cimport StringMap


@cython.final
cdef class WordNumbers:
    cdef StringMap words
    cdef Py_ssize_t first

    @cython.locals(new=list, of_chunks=list, numbers=list, tokens=tuple, token=str, before=Py_ssize_t, number=Py_ssize_t)
    cpdef tuple new(self, list cut)
    @cython.locals(word=str, result=list)
    cpdef list numbers(self, list words)


@cython.final
cdef class Chunks:
    cdef StringMap texts
    cdef int[::1] word  # by chunk: the number of its one word; or -1 and below: where its words are in `words`
    cdef int[::1] words  # of chunks of several words: how many, then these
    cdef Py_ssize_t words_count

    @cython.locals(at=Py_ssize_t, number=Py_ssize_t, chunk=str, of_chunk=list)
    cpdef add(self, list chunks, list numbers)
    @cython.locals(first=Py_ssize_t, at=Py_ssize_t)
    cdef int _put(self, list numbers) except 0
    @cython.locals(
        text=str, letter=Py_UCS4, rows=cython.int[::1], of_texts=Py_ssize_t[::1], missing=list, places=list,
        room=Py_ssize_t, count=Py_ssize_t, number=Py_ssize_t, before=Py_ssize_t, at=Py_ssize_t, end=Py_ssize_t,
        last=Py_ssize_t, size=Py_ssize_t,
    )
    cpdef tuple read(self, list texts, Py_ssize_t longest)
    @cython.locals(at=Py_ssize_t, place=Py_ssize_t, chunk=str, number=int)
    cpdef fill(self, int[::1] rows, list missing, list places)
    @cython.locals(
        total=Py_ssize_t, at=Py_ssize_t, number=Py_ssize_t, row=Py_ssize_t, end=Py_ssize_t, first=Py_ssize_t,
        one=Py_ssize_t, word=int, to_words=Py_ssize_t[::1], to_begin=Py_ssize_t[::1], to_text=Py_ssize_t[::1],
        to_spaced=cython.uchar[::1],
    )
    cpdef tuple joined(self, int[::1] rows, Py_ssize_t[::1] counts)

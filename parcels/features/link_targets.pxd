cimport cython

from parcels.features.name_words cimport letter_runs

cdef int LONG_NUMBER, STORY_WORDS


@cython.locals(text=str, scheme=str, size=Py_ssize_t, at=Py_ssize_t, begin=Py_ssize_t, path=Py_ssize_t,
               query=Py_ssize_t, fragment=Py_ssize_t)
cpdef tuple split_address(str url)

@cython.locals(at=Py_ssize_t, letter=Py_UCS4)
cdef Py_ssize_t _scheme_end(str text) noexcept

@cython.locals(scheme=str, host=str, path=str, query=str, fragment=str, of_host=str, lower=str, part=str,
               is_outside=bint, kinds=list, parts=list, folders=list)
cpdef read_target(str href, str rel, str window, str domain, str section, str own_path)

@cython.locals(at=Py_ssize_t, digits=int, words=int, letter=Py_UCS4, is_digit=bint, is_in_word=bint, is_joined=bint)
cpdef bint is_story(str path) noexcept

@cython.locals(place=Py_ssize_t)
cdef bint _is_month(str path, Py_ssize_t at) noexcept

@cython.locals(at=Py_ssize_t, word=str)
cpdef bint is_of_account(str text) except -1

cdef bint _is_word_end(str text, Py_ssize_t at) noexcept

@cython.locals(words=tuple, word=str)
cdef _of(list kinds, str path, Py_ssize_t depth)

cimport cython

cdef dict _IRREGULAR
cdef list _RULES2, _RULES3, _RULES4


@cython.locals(irregular=str)
cpdef str find_stem(str word)
@cython.locals(word=str, result=list)
cpdef list stems(list words, otherwise)
@cython.locals(at=Py_ssize_t, letter=Py_UCS4)
cdef bint _is_plain(str word) noexcept
@cython.locals(size=Py_ssize_t)
cdef str _by_steps(str word)

cdef bint _is_vowel(Py_UCS4 letter, bint is_after_consonant) noexcept
@cython.locals(at=Py_ssize_t, is_vowel=bint)
cdef bint _ends_in_vowel(str word, Py_ssize_t size) noexcept
@cython.locals(at=Py_ssize_t)
cdef bint _has_vowel(str word, Py_ssize_t size) noexcept
@cython.locals(at=Py_ssize_t, count=int, is_vowel=bint, was_vowel=bint)
cdef int _measure(str word, Py_ssize_t size) noexcept
@cython.locals(at=Py_ssize_t, first=bint, second=bint, third=bint)
cdef bint _ends_cvc(str word, Py_ssize_t size) noexcept
@cython.locals(at=Py_ssize_t, begin=Py_ssize_t)
cdef bint _ends(str word, str ending) noexcept

@cython.locals(size=Py_ssize_t)
cdef str _step1a(str word)
@cython.locals(size=Py_ssize_t, cut=int)
cdef str _step1b(str word)
@cython.locals(size=Py_ssize_t, last=Py_UCS4)
cdef str _mended(str base)
@cython.locals(rule=tuple)
cdef tuple _rule(str word, list rules)
@cython.locals(rule=tuple, base=Py_ssize_t)
cdef str _step2(str word)
@cython.locals(rule=tuple, base=Py_ssize_t)
cdef str _step3(str word)
@cython.locals(rule=tuple, base=Py_ssize_t)
cdef str _step4(str word)
@cython.locals(size=Py_ssize_t, measure=int)
cdef str _step5(str word)

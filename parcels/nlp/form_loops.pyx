# cython: wraparound=False, cdivision=True
"""What is known of word forms that come for the first time, form by form: what tagger.py, names.py, wordlists.py and
lexicon.py say in plain Python."""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.math cimport log

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

ctypedef long long Int

cdef enum:
    # names.SHAPES
    XX_SMALL, XX_ALL, X_ONE, X_STOP, SMALL, SMALL_CAPITAL, DIGITS, DIGITS_LETTERS, LETTERS_DIGITS, SMALL_SIGN, AT, SIGN


cdef inline Py_ssize_t _number(dict numbers, object key, Py_ssize_t otherwise) except? -7:
    cdef PyObject* found = PyDict_GetItemWithError(numbers, key)
    return otherwise if found == NULL else <Py_ssize_t>(<object>found)


def new_words(list cut, dict number, Py_ssize_t first):
    """The words of cut chunks that have no number yet, numbered from the first on, and the numbers of each chunk."""
    cdef dict new = {}
    cdef list found = []
    cdef list numbers
    cdef PyObject* known
    for tokens in cut:
        numbers = []
        for token in <tuple>tokens:
            known = PyDict_GetItemWithError(number, token)
            if known == NULL:
                known = PyDict_GetItemWithError(new, token)
            if known == NULL:
                at = first + len(new)
                new[token] = at
                numbers.append(at)
            else:
                numbers.append(<object>known)
        found.append(numbers[0] if len(numbers) == 1 else tuple(numbers))
    return new, found


def tag_keys(
    list words, list vocabularies, const int[::1] list_of_form, const Int[::1] vocabulary_of, const Int[::1] first_of,
    int[:, ::1] found,
):
    """tagger.Tagger.keys: a word's list of labels before it, and its rows in the tables."""
    cdef dict forms = vocabularies[0], suffixes = vocabularies[1], prefixes = vocabularies[2], ends = vocabularies[3]
    cdef Py_ssize_t keys[5]
    cdef Py_ssize_t row, table, size
    cdef str word, form
    for row in range(len(words)):
        word = words[row]
        form = _normal(word)
        size = len(form)
        keys[0] = _number(forms, form, 0)
        keys[3] = _number(ends, form if size <= 3 else form[size - 3 :], 0)
        size = len(word)
        keys[1] = _number(suffixes, word if size <= 3 else word[size - 3 :], 0)
        keys[2] = _number(prefixes, word if size <= 1 else word[:1], 0)
        keys[4] = keys[0] if keys[0] > 0 else keys[3] + len(forms) if keys[3] > 0 else 0
        found[row, 0] = list_of_form[keys[0]]
        for table in range(vocabulary_of.shape[0]):
            found[row, 1 + table] = <int>(keys[vocabulary_of[table]] + first_of[table])


cdef str _normal(str word):
    """tagger.normalize."""
    cdef Py_UCS4 letter
    cdef Py_ssize_t size = len(word)
    if not size:
        return word
    letter = word[0]
    if letter != u"-" and u"-" in word:
        return "!HYPHEN"
    if letter.isdigit():
        return "!YEAR" if size == 4 and word.isdigit() else "!DIGITS"
    return word.lower()


def name_keys(
    list words, list vocabularies, dict list_of, Py_ssize_t no_list, Py_ssize_t mail, dict shape_number, shape, lists_of,
    const Int[::1] vocabulary_of, const Int[::1] first_of, int[:, ::1] found,
):
    """names.Names.keys: a word's keys in the vocabularies, and its rows in the tables.

    `list_of` has the number of a small word's lists, `no_list` is that of none; `shape` and `lists_of` are asked about
    what is not plain.
    """
    cdef dict forms = vocabularies[0], suffixes = vocabularies[1], prefixes = vocabularies[2], twos = vocabularies[3]
    cdef Py_ssize_t keys[5]
    cdef Py_ssize_t row, table, size, lists, looks, shapes = len(shape_number)
    cdef str word, low
    for row in range(len(words)):
        word = words[row]
        low = word.lower()
        size = len(low)
        keys[0] = _number(forms, low, 0)
        keys[1] = _number(suffixes, low if size <= 3 else low[size - 3 :], 0)
        keys[2] = _number(prefixes, low if size <= 3 else low[:3], 0)
        keys[3] = _number(twos, low if size <= 2 else low[size - 2 :], 0)
        lists = _number(list_of, low, no_list)
        if u"@" in low:
            lists = mail if lists_of(word) else no_list
        looks = _shape(word)
        keys[4] = 1 + lists * shapes + (looks if looks >= 0 else <Py_ssize_t>shape_number[shape(word)])
        for table in range(5):
            found[row, table] = <int>keys[table]
        for table in range(vocabulary_of.shape[0]):
            found[row, 5 + table] = <int>(keys[vocabulary_of[table]] + first_of[table])


cdef Py_ssize_t _shape(str word):
    """names.shape of a word in ASCII, as a number; -1 for others."""
    cdef Py_ssize_t at, size = len(word), small = 0, large = 0, digits = 0
    cdef Py_UCS4 letter, first, last
    cdef bint is_address = False
    if not PyUnicode_IS_ASCII(word) or not size:
        return -1
    for at in range(size):
        letter = word[at]
        if u"a" <= letter <= u"z":
            small += 1
        elif u"A" <= letter <= u"Z":
            large += 1
        elif u"0" <= letter <= u"9":
            digits += 1
        elif letter == u"@" or letter == u"/":
            is_address = True
    first, last = word[0], word[size - 1]
    if small + large == size:
        if not large:
            return SMALL
        if not small:
            return XX_ALL if size > 1 else X_ONE
        return XX_SMALL if u"A" <= first <= u"Z" else SMALL_CAPITAL
    if not small + large + digits:
        return SIGN
    if is_address:
        return AT
    if u"0" <= first <= u"9":
        return DIGITS_LETTERS if small + large else DIGITS
    if last == u"." and u"A" <= first <= u"Z":
        return X_STOP
    if digits:
        return LETTERS_DIGITS
    return XX_SMALL if u"A" <= first <= u"Z" else SMALL_SIGN


def flags(
    list words, dict by_word, unsigned int clitic, unsigned int stop, unsigned int ends, unsigned int is_word,
    unsigned int small, unsigned int phrase, unsigned int number, unsigned int spoken, unsigned int long_,
    Py_ssize_t long_from, unsigned int[::1] found,
):
    """wordlists.flags_of; `by_word` has what depends on the small word alone, with a flag more for clitics."""
    cdef Py_ssize_t row, at, size
    cdef unsigned int known, of_word
    cdef bint has_letter, has_digit
    cdef Py_UCS4 letter
    cdef str word
    for row in range(len(words)):
        word = words[row]
        size = len(word)
        known = <unsigned int>_number(by_word, word.lower(), 0)
        of_word = known & ~(clitic | stop | phrase | spoken)
        if known & clitic:
            found[row] = of_word | stop
            continue
        has_letter = has_digit = False
        for at in range(size):
            letter = word[at]
            has_letter = has_letter or letter.isalnum()
            has_digit = has_digit or letter.isdigit()
        if not has_letter:
            if size > 1 and (word[0] == u"." or word[0] == u"!" or word[0] == u"?"):
                of_word |= ends
            found[row] = of_word
            continue
        letter = word[0]
        of_word |= is_word | known & (stop | phrase)
        if letter.islower():
            of_word |= small
        of_word |= number if has_digit else known & spoken
        found[row] = of_word | (long_ if size >= long_from else 0)


def rareness(list stems, dict frequency, Int pages, float[::1] found):
    """idf.Idf.idf of stems."""
    cdef Py_ssize_t row
    cdef double others = <double>(1 + pages)
    for row in range(len(stems)):
        found[row] = <float>log(others / <double>(1 + _number(frequency, stems[row], 0)))

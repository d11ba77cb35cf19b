# cython: wraparound=False, cdivision=True
"""What is known of word forms that come for the first time, form by form: what tagger.py, names.py, wordlists.py,
idf.py and lexicon.py say in plain Python."""

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next
from cpython.object cimport PyObject
from libc.math cimport log
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset
from parcels.nlp.letters cimport MOST_LETTERS, Bits, Ends, Key, Letters, fill, packed

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

ctypedef long long Int

cdef enum:
    # names.SHAPES
    XX_SMALL, XX_ALL, X_ONE, X_STOP, SMALL, SMALL_CAPITAL, DIGITS, DIGITS_LETTERS, LETTERS_DIGITS, SMALL_SIGN, AT, SIGN
    # what is known of a form in small letters; DECIDED: of a form as it is written, the number of its label plus one
    TAG_FORM = 0, NAME_FORM, LISTS, FLAGS, DECIDED, COLUMNS
    TAG_SUFFIX = 0, TAG_FORM_SUFFIX, NAME_SUFFIX, SUFFIX_COLUMNS
    # the vocabularies of tagger.py and names.py
    OF_TAGS_FORM = 0, OF_TAGS_SUFFIX, OF_TAGS_PREFIX, OF_TAGS_FORM_SUFFIX, OF_TAGS_NEAR
    OF_NAMES_W = 0, OF_NAMES_SUFFIX, OF_NAMES_PREFIX, OF_NAMES_SUFFIX2, OF_NAMES_LISTS
    VOCABULARIES = 5


cdef struct Asked:  # wordlists.ASKED
    unsigned int clitic, stop, ends, word, small, phrase, number, spoken, long_
    Py_ssize_t long_from


cdef inline Py_ssize_t _number(dict numbers, object key, Py_ssize_t otherwise) except? -7:
    cdef PyObject* found = PyDict_GetItemWithError(numbers, key)
    return otherwise if found == NULL else <Py_ssize_t>(<object>found)


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
        form = _normal(word, word.lower())
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


cdef str _normal(str word, str low):
    """tagger.normalize; `low` is the word in small letters."""
    cdef Py_UCS4 letter
    cdef Py_ssize_t size = len(word)
    if not size:
        return low
    letter = word[0]
    if letter != u"-" and u"-" in word:
        return "!HYPHEN"
    if letter.isdigit():
        return "!YEAR" if size == 4 and word.isdigit() else "!DIGITS"
    return low


cdef class Numbered:
    """Words, numbered as they come from the first on."""

    cdef Letters words
    cdef Py_ssize_t first

    def __cinit__(self, Py_ssize_t first):
        self.words, self.first = Letters(), first

    def new(self, list cut):
        """The words of cut chunks that have no number yet, which they get, and the numbers of each chunk."""
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        cdef list new = [], found = [], numbers
        cdef Py_ssize_t before, number
        for tokens in cut:
            numbers = []
            for token in <tuple?>tokens:
                if not fill(&key, <str?>token, wide):
                    raise ValueError("a word is too long")
                before = self.words.count
                number = self.words.add(&key)
                if number == before:
                    new.append(token)
                numbers.append(self.first + number)
            found.append(numbers[0] if len(numbers) == 1 else tuple(numbers))
        return new, found


    def numbers(self, list words):
        """The numbers of words, which those that have none get."""
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        cdef list found = []
        for word in words:
            if not fill(&key, <str?>word, wide):
                raise ValueError("a word is too long")
            found.append(self.first + self.words.add(&key))
        return found


cdef class Forms:
    """What the models know of forms, in one table: a form is looked up once or twice, not once a vocabulary."""

    cdef Letters forms, stems
    cdef int* columns  # by form
    cdef float* idf  # by stem
    cdef float unseen
    cdef Asked asked
    cdef Ends suffixes, prefixes, twos, ones
    cdef const int[::1] list_of_form
    cdef const Int[::1] tag_vocabulary, tag_first, name_vocabulary, name_first
    cdef Py_ssize_t tag_forms, shapes, no_list, mail
    cdef dict shape_number
    cdef object shape, lists_of

    def __cinit__(self):
        self.forms, self.stems = Letters(), Letters()
        self.suffixes, self.prefixes, self.twos, self.ones = Ends(SUFFIX_COLUMNS), Ends(1), Ends(1), Ends(1)

    def __init__(self, tagger, names, dict by_small_word, tuple asked, dict frequency, Int pages):
        """`tagger` and `names` are what Tagger.forms and Names.forms give."""
        vocabularies, decided, self.list_of_form, self.tag_vocabulary, self.tag_first = tagger
        self.tag_forms = len(vocabularies[OF_TAGS_FORM])
        self.set_column(vocabularies[OF_TAGS_FORM], TAG_FORM, 0)
        self.set_column(decided, DECIDED, 1)
        self.set_ends(self.suffixes, vocabularies[OF_TAGS_SUFFIX], TAG_SUFFIX)
        self.set_ends(self.suffixes, vocabularies[OF_TAGS_FORM_SUFFIX], TAG_FORM_SUFFIX)
        self.set_ends(self.ones, vocabularies[OF_TAGS_PREFIX], 0)
        (
            vocabularies, list_of, self.no_list, self.mail, self.shape_number, self.shape, self.lists_of,
            self.name_vocabulary, self.name_first,
        ) = names
        self.shapes = len(self.shape_number)
        self.set_column(vocabularies[OF_NAMES_W], NAME_FORM, 0)
        self.set_column(list_of, LISTS, 1)
        self.set_ends(self.suffixes, vocabularies[OF_NAMES_SUFFIX], NAME_SUFFIX)
        self.set_ends(self.prefixes, vocabularies[OF_NAMES_PREFIX], 0)
        self.set_ends(self.twos, vocabularies[OF_NAMES_SUFFIX2], 0)
        self.set_column(by_small_word, FLAGS, 0)
        clitic, stop, ends, word, small, phrase, number, spoken, long_, long_from = asked
        self.asked = Asked(clitic, stop, ends, word, small, phrase, number, spoken, long_, long_from)
        self.set_idf(frequency, <double>(1 + pages))

    def __dealloc__(self):
        free(self.columns)
        free(self.idf)

    cdef int set_column(self, dict numbers, Py_ssize_t column, int more) except -1:
        """Set a column of forms; `more` is added to each number."""
        cdef Py_ssize_t at = 0, before = self.forms.count
        cdef PyObject* form
        cdef PyObject* number
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        cdef int* larger = <int*>realloc(self.columns, (before + len(numbers) + 1) * COLUMNS * sizeof(int))
        if larger == NULL:
            raise MemoryError
        self.columns = larger
        memset(larger + before * COLUMNS, 0, (len(numbers) + 1) * COLUMNS * sizeof(int))
        while PyDict_Next(numbers, &at, &form, &number):
            if fill(&key, <object>form, wide):
                self.columns[self.forms.add(&key) * COLUMNS + column] = <int>(<object>number) + more
        # The last row, all zeros, is that of what is not known.
        memset(self.columns + self.forms.count * COLUMNS, 0, COLUMNS * sizeof(int))
        return 0

    cdef int set_ends(self, Ends ends, dict numbers, Py_ssize_t column) except -1:
        for end, number in numbers.items():
            if len(<str?>end) <= 3:
                ends.set(packed(end, 0, len(<str>end)), column, number)
        return 0

    cdef int set_idf(self, dict frequency, double others) except -1:
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        self.unseen = <float>log(others)
        self.idf = <float*>calloc(max(len(frequency), 1), sizeof(float))
        if self.idf == NULL:
            raise MemoryError
        for stem, pages in frequency.items():
            if fill(&key, <str?>stem, wide):
                self.idf[self.stems.add(&key)] = <float>log(others / <double>(1 + <Int>pages))
        return 0

    cdef inline const int* row(self, str form):
        """The columns of a form."""
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        cdef Py_ssize_t found = self.forms.find(&key) if fill(&key, form, wide) else -1
        return self.columns + (found if found >= 0 else self.forms.count) * COLUMNS

    def describe(
        self, list words, list stems, int[:, ::1] tag_keys, Py_ssize_t[::1] decided, int[:, ::1] name_keys,
        Py_ssize_t[::1] shapes, unsigned int[::1] flags, float[::1] idf,
    ):
        """Set what is known of words: keys of the tagger (Tagger.keys) and of names (Names.keys), and so on."""
        cdef Py_ssize_t at, looks
        cdef str word, low, form
        cdef const int* of_low
        cdef const int* of_form
        for at in range(len(words)):
            word = words[at]
            low = word.lower()
            form = _normal(word, low)
            of_low = self.row(low)
            of_form = of_low if form is low else self.row(form)
            self.tag_row(word, form, of_form, &tag_keys[at, 0])
            decided[at] = (of_low if low == word else self.row(word))[DECIDED] - 1
            looks = _shape(word)
            shapes[at] = looks = looks if looks >= 0 else <Py_ssize_t>self.shape_number[self.shape(word)]
            self.name_row(word, low, of_low, looks, &name_keys[at, 0])
            flags[at] = _flags(word, of_low[FLAGS], &self.asked)
            idf[at] = self.rareness(stems[at])

    cdef int tag_row(self, str word, str form, const int* of_form, int* found) except -1:
        """Tagger.keys: a word's list of labels before it, and its rows in the tables."""
        cdef int keys[VOCABULARIES]
        cdef Py_ssize_t table, size = len(form)
        cdef Bits end = packed(form, max(size - 3, 0), size)
        cdef const int* of_end = self.suffixes.find(end)
        keys[OF_TAGS_FORM], keys[OF_TAGS_FORM_SUFFIX] = of_form[TAG_FORM], of_end[TAG_FORM_SUFFIX]
        size = len(word)
        keys[OF_TAGS_SUFFIX] = self.suffixes.find(packed(word, max(size - 3, 0), size))[TAG_SUFFIX]
        keys[OF_TAGS_PREFIX] = self.ones.find(packed(word, 0, min(size, 1)))[0]
        keys[OF_TAGS_NEAR] = keys[OF_TAGS_FORM]
        if keys[OF_TAGS_FORM] == 0 and keys[OF_TAGS_FORM_SUFFIX] > 0:
            keys[OF_TAGS_NEAR] = keys[OF_TAGS_FORM_SUFFIX] + <int>self.tag_forms
        found[0] = self.list_of_form[keys[OF_TAGS_FORM]]
        for table in range(self.tag_vocabulary.shape[0]):
            found[1 + table] = keys[self.tag_vocabulary[table]] + <int>self.tag_first[table]
        return 0

    cdef int name_row(self, str word, str low, const int* of_low, Py_ssize_t looks, int* found) except -1:
        """Names.keys: a word's keys in the vocabularies, and its rows in the tables."""
        cdef Py_ssize_t table, size = len(low)
        cdef Py_ssize_t lists = of_low[LISTS] - 1 if of_low[LISTS] else self.no_list
        if u"@" in low:
            lists = self.mail if self.lists_of(word) else self.no_list
        found[OF_NAMES_W] = of_low[NAME_FORM]
        found[OF_NAMES_SUFFIX] = self.suffixes.find(packed(low, max(size - 3, 0), size))[NAME_SUFFIX]
        found[OF_NAMES_PREFIX] = self.prefixes.find(packed(low, 0, min(size, 3)))[0]
        found[OF_NAMES_SUFFIX2] = self.twos.find(packed(low, max(size - 2, 0), size))[0]
        found[OF_NAMES_LISTS] = <int>(1 + lists * self.shapes + looks)
        for table in range(self.name_vocabulary.shape[0]):
            found[VOCABULARIES + table] = found[self.name_vocabulary[table]] + <int>self.name_first[table]
        return 0

    cdef float rareness(self, str stem) except? -1:
        """Idf.idf."""
        cdef unsigned int wide[MOST_LETTERS]
        cdef Key key
        cdef Py_ssize_t found = self.stems.find(&key) if fill(&key, stem, wide) else -1
        return self.idf[found] if found >= 0 else self.unseen


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


cdef unsigned int _flags(str word, unsigned int known, const Asked* of) noexcept:
    """wordlists.flags_of; `known` is what depends on the small word alone, with a flag more for clitics."""
    cdef Py_ssize_t at, size = len(word)
    cdef bint has_letter = False, has_digit = False
    cdef Py_UCS4 letter
    cdef unsigned int found = known & ~(of.clitic | of.stop | of.phrase | of.spoken)
    if known & of.clitic:
        return found | of.stop
    for at in range(size):
        letter = word[at]
        has_letter = has_letter or letter.isalnum()
        has_digit = has_digit or letter.isdigit()
    if not has_letter:
        if size > 1 and (word[0] == u"." or word[0] == u"!" or word[0] == u"?"):
            found |= of.ends
        return found
    letter = word[0]
    found |= of.word | known & (of.stop | of.phrase)
    if letter.islower():
        found |= of.small
    found |= of.number if has_digit else known & of.spoken
    return found | (of.long_ if size >= of.long_from else 0)

"""Porter's stemmer on the letters themselves: what stems.py says with strings, for words in ASCII."""

cdef extern from *:
    """
    typedef struct {int size; const char *end; int new_size; const char *made;} parcels_rule;
    /* Ends in the order in which they are looked for; those that end alike keep the order of stems.py. */
    static const parcels_rule parcels_step2[] = {
        {7, "ational", 3, "ate"}, {6, "tional", 4, "tion"}, {4, "enci", 4, "ence"}, {4, "anci", 4, "ance"},
        {4, "izer", 3, "ize"}, {3, "bli", 3, "ble"}, {4, "alli", 2, "al"}, {5, "entli", 3, "ent"}, {3, "eli", 1, "e"},
        {5, "ousli", 3, "ous"}, {7, "ization", 3, "ize"}, {5, "ation", 3, "ate"}, {4, "ator", 3, "ate"},
        {5, "alism", 2, "al"}, {7, "iveness", 3, "ive"}, {7, "fulness", 3, "ful"}, {7, "ousness", 3, "ous"},
        {5, "aliti", 2, "al"}, {5, "iviti", 3, "ive"}, {6, "biliti", 3, "ble"}, {5, "fulli", 3, "ful"},
        {4, "logi", 3, "log"}, {0, 0, 0, 0}};
    static const parcels_rule parcels_step3[] = {
        {5, "icate", 2, "ic"}, {5, "ative", 0, ""}, {5, "alize", 2, "al"}, {5, "iciti", 2, "ic"}, {4, "ical", 2, "ic"},
        {3, "ful", 0, ""}, {4, "ness", 0, ""}, {0, 0, 0, 0}};
    static const parcels_rule parcels_step4[] = {
        {2, "al", 0, ""}, {4, "ance", 0, ""}, {4, "ence", 0, ""}, {2, "er", 0, ""}, {2, "ic", 0, ""},
        {4, "able", 0, ""}, {4, "ible", 0, ""}, {3, "ant", 0, ""}, {5, "ement", 0, ""}, {4, "ment", 0, ""},
        {3, "ent", 0, ""}, {3, "ion", 0, ""}, {2, "ou", 0, ""}, {3, "ism", 0, ""}, {3, "ate", 0, ""},
        {3, "iti", 0, ""}, {3, "ous", 0, ""}, {3, "ive", 0, ""}, {3, "ize", 0, ""}, {0, 0, 0, 0}};

    enum {PARCELS_MOST_LETTERS = 64};

    /* 1 for each vowel of the first letters; y is one behind a consonant. */
    static void parcels_shape(const char *word, int size, char *is_vowel) {
        for (int at = 0; at < size; at++)
            switch (word[at]) {
                case 'a': case 'e': case 'i': case 'o': case 'u': is_vowel[at] = 1; break;
                case 'y': is_vowel[at] = at && !is_vowel[at - 1]; break;
                default: is_vowel[at] = 0;
            }
    }

    static int parcels_measured(const char *is_vowel, int size) {
        int count = 0;
        for (int at = 1; at < size; at++) count += is_vowel[at - 1] && !is_vowel[at];
        return count;
    }

    static int parcels_measure(const char *word, int size) {
        char is_vowel[PARCELS_MOST_LETTERS + 8];
        parcels_shape(word, size, is_vowel);
        return parcels_measured(is_vowel, size);
    }

    static int parcels_ends(const char *word, int size, const char *end, int of_end) {
        return size >= of_end && !memcmp(word + size - of_end, end, of_end);
    }

    static int parcels_ends_cvc(const char *word, const char *is_vowel, int size) {
        if (size == 2 && is_vowel[0] && !is_vowel[1]) return 1;
        if (size < 3 || is_vowel[size - 3] || !is_vowel[size - 2] || is_vowel[size - 1]) return 0;
        return word[size - 1] != 'w' && word[size - 1] != 'x' && word[size - 1] != 'y';
    }

    static int parcels_step1a(const char *word, int size) {
        if (word[size - 1] != 's') return size;
        if (parcels_ends(word, size, "ies", 3)) return size == 4 ? size - 1 : size - 2;
        if (parcels_ends(word, size, "sses", 4)) return size - 2;
        return parcels_ends(word, size, "ss", 2) ? size : size - 1;
    }

    /* What `ed` or `ing` was cut from, as a word of its own. */
    static int parcels_mended(char *word, const char *is_vowel, int size) {
        int is_short = 0;
        if (!parcels_ends(word, size, "at", 2) && !parcels_ends(word, size, "bl", 2) &&
            !parcels_ends(word, size, "iz", 2)) {
            char last = word[size - 1];
            if (size > 1 && last == word[size - 2] && !is_vowel[size - 1])
                return last == 'l' || last == 's' || last == 'z' ? size : size - 1;
            is_short = parcels_measured(is_vowel, size) == 1 && parcels_ends_cvc(word, is_vowel, size);
            if (!is_short) return size;
        }
        word[size] = 'e';
        return size + 1;
    }

    static int parcels_step1b(char *word, int size) {
        if (parcels_ends(word, size, "ied", 3)) return size == 4 ? size - 1 : size - 2;
        if (parcels_ends(word, size, "eed", 3)) return parcels_measure(word, size - 3) ? size - 1 : size;
        int cut = parcels_ends(word, size, "ed", 2) ? 2 : parcels_ends(word, size, "ing", 3) ? 3 : 0;
        if (cut) {
            char is_vowel[PARCELS_MOST_LETTERS + 8];
            parcels_shape(word, size - cut, is_vowel);
            if (memchr(is_vowel, 1, size - cut)) return parcels_mended(word, is_vowel, size - cut);
        }
        return size;
    }

    static const parcels_rule *parcels_rule_for(const parcels_rule *rule, const char *word, int size) {
        for (; rule->size; rule++)
            if (parcels_ends(word, size, rule->end, rule->size)) return rule;
        return 0;
    }

    static int parcels_by_rules(const parcels_rule *rules, char *word, int size) {
        const parcels_rule *rule = parcels_rule_for(rules, word, size);
        if (!rule) return size;
        int base = size - rule->size;
        if (!parcels_measure(word, rule->end[0] == 'l' ? size - 3 : base)) return size;  /* `logi` keeps its l */
        memcpy(word + base, rule->made, rule->new_size);
        return base + rule->new_size;
    }

    static int parcels_step4_of(const char *word, int size) {
        const parcels_rule *rule = parcels_rule_for(parcels_step4, word, size);
        if (!rule) return size;
        int base = size - rule->size;
        if (rule->size == 3 && !memcmp(rule->end, "ion", 3) && !(base && (word[base - 1] == 's' || word[base - 1] == 't')))
            return size;
        return parcels_measure(word, base) > 1 ? base : size;
    }

    /* The size of the stem, which takes the word's place. */
    static int parcels_stem(char *word, int size) {
        char is_vowel[PARCELS_MOST_LETTERS + 8];
        size = parcels_step1b(word, parcels_step1a(word, size));
        if (size > 2 && word[size - 1] == 'y') {
            parcels_shape(word, size - 1, is_vowel);
            if (!is_vowel[size - 2]) word[size - 1] = 'i';
        }
        while (parcels_ends(word, size, "alli", 4) && parcels_measure(word, size - 4)) size -= 2;
        size = parcels_by_rules(parcels_step2, word, size);
        size = parcels_by_rules(parcels_step3, word, size);
        size = parcels_step4_of(word, size);
        if (size && word[size - 1] == 'e') {
            parcels_shape(word, size - 1, is_vowel);
            int measure = parcels_measured(is_vowel, size - 1);
            if (measure > 1 || (measure == 1 && !parcels_ends_cvc(word, is_vowel, size - 1))) size--;
        }
        if (parcels_ends(word, size, "ll", 2) && parcels_measure(word, size - 1) > 1) size--;
        return size;
    }
    """
    int PARCELS_MOST_LETTERS
    int parcels_stem(char* word, int size) noexcept nogil

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    const char* PyUnicode_DATA(object text)
    object PyUnicode_FromStringAndSize(const char* data, Py_ssize_t size)


def stem(str word):
    """The stem of a word in lower case; None where the word is not in ASCII, or not of 3 to 64 letters."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(word)
    cdef Py_ssize_t at
    cdef char[80] letters
    cdef const char* given
    if size < 3 or size > PARCELS_MOST_LETTERS or not PyUnicode_IS_COMPACT_ASCII(word):
        return None
    given = PyUnicode_DATA(word)
    for at in range(size):
        letters[at] = given[at]
    return PyUnicode_FromStringAndSize(letters, parcels_stem(letters, <int>size))


def stems(list words, dict irregular, otherwise):
    """The stems of words of letters, as stems.find_stem has them; of what is not, `otherwise` says what to take."""
    cdef list found = []
    cdef Py_ssize_t at, size
    cdef char[80] letters
    cdef const char* given
    cdef str low
    for word in words:
        size = PyUnicode_GET_LENGTH(word)
        if not PyUnicode_IS_COMPACT_ASCII(word) or size > PARCELS_MOST_LETTERS or not (<str>word).isalpha():
            found.append(otherwise(word))
            continue
        low = (<str>word).lower()
        if size <= 2:
            found.append(low)
        elif low in irregular:
            found.append(irregular[low])
        else:
            given = PyUnicode_DATA(low)
            for at in range(size):
                letters[at] = given[at]
            found.append(PyUnicode_FromStringAndSize(letters, parcels_stem(letters, <int>size)))
    return found

# cython: wraparound=False, cdivision=True
"""Words of names and addresses in ASCII, letter by letter: what tokens.py and link_targets.py say with patterns.

Each function returns None for other letters, of which the patterns know more.
"""

from libc.string cimport memcmp

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    const char* PyUnicode_DATA(object text)
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 most)
    str PyUnicode_FromStringAndSize(const char* data, Py_ssize_t size)

cdef enum:
    # link_targets.KINDS
    EMPTY, FRAGMENT, SCRIPT, MAIL, SOCIAL, OUTSIDE, RELATIVE, SAME_SECTION, SAME_PAGE, HOME, STORY, SHALLOW, AUTHOR
    TOPIC, SPONSORED, NEW_WINDOW, ACCOUNT
    LONG_NUMBER = 5  # digits in a row
    STORY_WORDS = 4  # joined by hyphens
    MOST_WORDS = 8
    DEEPEST = 12


cdef inline bint _is_small(char letter) noexcept:
    return c"a" <= letter <= c"z"


cdef inline bint _is_large(char letter) noexcept:
    return c"A" <= letter <= c"Z"


cdef inline bint _is_digit(char letter) noexcept:
    return c"0" <= letter <= c"9"


cdef inline bint _is_space(char letter) noexcept:
    return letter == 32 or 9 <= letter <= 13 or 28 <= letter <= 31


cdef str _lower(const char* text, Py_ssize_t size):
    """A text in small letters."""
    if not size:
        return ""
    cdef str found = PyUnicode_New(size, 127)
    cdef char* to = <char*>PyUnicode_DATA(found)
    cdef Py_ssize_t at
    for at in range(size):
        to[at] = text[at] + 32 if _is_large(text[at]) else text[at]
    return found


def name_words(str value, Py_ssize_t longest):
    """tokens.name_words."""
    if not PyUnicode_IS_COMPACT_ASCII(value):
        return None
    cdef const char* text = PyUnicode_DATA(value)
    cdef Py_ssize_t size = min(PyUnicode_GET_LENGTH(value), longest), at = 0, end
    cdef dict found = {}
    while at < size:
        end = at + 1 if _is_large(text[at]) else at
        while end < size and _is_small(text[end]):
            end += 1
        if end - at - _is_large(text[at]) < 2:
            end = at
            while end < size and _is_large(text[end]):
                end += 1
            if end < size and _is_small(text[end]):
                end -= 1  # it begins the next word
            if end - at < 2:
                at += 1
                continue
        found[_lower(text + at, end - at)] = None
        at = end
    return tuple(found)


def heading_words(str value, str mark, Py_ssize_t most):
    """tokens._of_heading."""
    if not PyUnicode_IS_COMPACT_ASCII(value):
        return None
    cdef const char* text = PyUnicode_DATA(value)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(value), at = 0, end
    cdef list found = []
    while at < size and len(found) < most:
        end = at
        while end < size and (_is_small(text[end]) or _is_large(text[end]) or _is_digit(text[end]) or text[end] == c"_"):
            end += 1
        if end > at:
            found.append(mark + _lower(text + at, end - at))
        at = end + 1
    return tuple(found)


def file_words(str value, str mark, Py_ssize_t longest):
    """The words of three letters and more at the end of an address (tokens._of_file)."""
    if not PyUnicode_IS_COMPACT_ASCII(value):
        return None
    cdef const char* text = PyUnicode_DATA(value)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(value)
    cdef Py_ssize_t first = max(size - longest, 0)
    return tuple([mark + word for word in _words(text + first, size - first)])


cdef list _words(const char* text, Py_ssize_t size):
    """The runs of three letters and more, in small letters."""
    cdef Py_ssize_t at = 0, end
    cdef list found = []
    while at < size:
        end = at
        while end < size and (_is_small(text[end]) or _is_large(text[end])):
            end += 1
        if end - at >= 3:
            found.append(_lower(text + at, end - at))
        at = end + 1
    return found


def target(
    str href, str rel, str window, str domain, str section, str own_path, registered, frozenset social,
    frozenset authors, frozenset topics, Py_ssize_t most_named,
):
    """The kinds, words, depth and marked words of link_targets.Target; None for other letters and for line ends."""
    if not PyUnicode_IS_COMPACT_ASCII(href):
        return None
    cdef const char* text = PyUnicode_DATA(href)
    cdef Py_ssize_t first = 0, end = PyUnicode_GET_LENGTH(href), at, scheme = 0, host, path, query, fragment
    cdef list kinds = [], parts
    cdef str host_name, of_host, lower
    cdef bint is_outside, is_author, is_topic
    while first < end and _is_space(text[first]):
        first += 1
    while end > first and _is_space(text[end - 1]):
        end -= 1
    for at in range(first, end):
        if text[at] == c"\n":
            return None
    if window == "_blank":
        kinds.append(NEW_WINDOW)
    if "sponsored" in rel or "nofollow" in rel:
        kinds.append(SPONSORED)
    at = first
    if at < end and (_is_small(text[at]) or _is_large(text[at])):
        while at < end and (
            _is_small(text[at]) or _is_large(text[at]) or _is_digit(text[at]) or text[at] == c"+" or text[at] == c"."
            or text[at] == c"-"
        ):
            at += 1
        if at < end and text[at] == c":":
            scheme = at - first
            at += 1
        else:
            at = first
    if scheme:
        name = _lower(text + first, scheme)
        if name == "mailto" or name == "tel" or name == "sms":
            return _target([*kinds, MAIL], [], 0, most_named)
        if name != "http" and name != "https":
            return _target([*kinds, SCRIPT], [], 0, most_named)
    host = path = at
    if end - at >= 2 and text[at] == c"/" and text[at + 1] == c"/":
        host = path = at + 2
        while path < end and text[path] != c"/" and text[path] != c"?" and text[path] != c"#":
            path += 1
    query = path
    while query < end and text[query] != c"?" and text[query] != c"#":
        query += 1
    fragment = query
    if fragment < end and text[fragment] == c"?":
        while fragment < end and text[fragment] != c"#":
            fragment += 1
    if host == path and path == query and query == fragment:
        kinds.append(FRAGMENT if fragment < end else EMPTY)
        return _target(kinds, _words(text + fragment, end - fragment), 0, most_named)
    host_name = _lower(text + host, path - host)
    of_host = registered(host_name) if host_name else domain
    is_outside = path > host and of_host != domain
    if is_outside and of_host.partition(".")[0] in social:
        kinds.append(SOCIAL)
    kinds.append(OUTSIDE if is_outside else RELATIVE)
    lower = _lower(text + path, query - path)
    parts = [part for part in lower.split("/") if part]
    if not is_outside:
        at = query
        while at > path and text[at - 1] == c"/":
            at -= 1
        if own_path and PyUnicode_FromStringAndSize(text + path, at - path) == own_path:
            kinds.append(SAME_PAGE)
        elif section and parts and parts[0] == section:
            kinds.append(SAME_SECTION)
    if not parts:
        kinds.append(HOME)
    elif _is_story(PyUnicode_DATA(lower), query - path):
        kinds.append(STORY)
    elif len(parts) <= 2:
        kinds.append(SHALLOW)
    is_author, is_topic = "author" in rel, "tag" in rel and "tag" in rel.split()
    for at in range(len(parts)):
        if at > 0 or text[path] == c"/":  # the patterns ask for a slash before it
            is_author = is_author or parts[at] in authors
            is_topic = is_topic or parts[at] in topics
    if is_author:
        kinds.append(AUTHOR)
    if is_topic:
        kinds.append(TOPIC)
    if _is_of_account(PyUnicode_DATA(lower), query - path) or _is_of_account(PyUnicode_DATA(host_name), path - host):
        kinds.append(ACCOUNT)
    return _target(kinds, _words(text + path, query - path), len(parts), most_named)


cdef tuple _target(list kinds, list words, Py_ssize_t depth, Py_ssize_t most_named):
    cdef tuple first = tuple(dict.fromkeys(words))[:MOST_WORDS]
    return tuple(kinds), first, min(depth, <Py_ssize_t>DEEPEST), tuple(["to:" + word for word in first[:most_named]])


cdef bint _is_story(const char* text, Py_ssize_t size) noexcept:
    """A path in small letters with a long number, a month's folder, or a headline in it (link_targets._STORY)."""
    cdef Py_ssize_t at, digits = 0, words = 0
    cdef bint is_in_word = False, is_joined = False
    for at in range(size):
        digits = digits + 1 if _is_digit(text[at]) else 0
        if digits == LONG_NUMBER:
            return True
        if _is_digit(text[at]) or _is_small(text[at]):
            if not is_in_word:
                words = words + 1 if is_joined else 1
                if words == STORY_WORDS:
                    return True
            is_in_word, is_joined = True, False
        else:
            is_joined = is_in_word and (text[at] == c"-" or text[at] == c"_")
            is_in_word = False
        if text[at] == c"/" and size - at >= 8 and _is_month(text + at, size - at):
            return True
    return False


cdef bint _is_month(const char* text, Py_ssize_t size) noexcept:
    """Whether a text of at least eight letters begins like /2017/3/."""
    cdef Py_ssize_t at
    for at in range(1, 5):
        if not _is_digit(text[at]):
            return False
    if text[5] != c"/" or not _is_digit(text[6]):
        return False
    return text[7] == c"/" or (size > 8 and _is_digit(text[7]) and text[8] == c"/")


cdef bint _is_of_account(const char* text, Py_ssize_t size) noexcept:
    """link_targets._ACCOUNT in a text in small letters."""
    cdef Py_ssize_t at, left
    cdef const char* here
    for at in range(size):
        here, left = text + at, size - at
        if here[0] == c"l":
            if _begins(here, left, b"login", 5) or _begins(here, left, b"log-in", 6):
                return True
        elif here[0] == c"s":
            if _begins(here, left, b"subscri", 7):
                return True
            if _begins(here, left, b"sign", 4):
                here, left = here + 4, left - 4
                if left and here[0] == c"-":
                    here, left = here + 1, left - 1
                if _begins(here, left, b"in", 2) or _begins(here, left, b"up", 2):
                    return True
        elif here[0] == c"r":
            if _begins(here, left, b"register", 8):
                return True
        elif here[0] == c"a":
            if _begins(here, left, b"account", 7):
                return True
            if _begins(here, left, b"alert", 5):
                if _ends(here + 5, left - 5) or (here[5] == c"s" and _ends(here + 6, left - 6)):
                    return True
        elif here[0] == c"n":
            if _begins(here, left, b"newsletter", 10):
                return True
        elif here[0] == c"d":
            if _begins(here, left, b"donat", 5):
                return True
        elif here[0] == c"m":
            if _begins(here, left, b"membership", 10):
                return True
    return False


cdef inline bint _begins(const char* text, Py_ssize_t size, const char* word, Py_ssize_t of_word) noexcept:
    return size >= of_word and memcmp(text, word, of_word) == 0


cdef inline bint _ends(const char* text, Py_ssize_t size) noexcept:
    """Whether no letter, digit or underscore follows."""
    return size <= 0 or not (_is_small(text[0]) or _is_large(text[0]) or _is_digit(text[0]) or text[0] == c"_")


def columns(list targets, float[:, ::1] kinds, float[::1] depth):
    """Each target's kinds, and how deep it is (link_targets.LinkTargets)."""
    cdef Py_ssize_t at
    for at in range(len(targets)):
        of_kinds, _, of_depth, _ = targets[at]
        depth[at] = of_depth
        for kind in <tuple>of_kinds:
            kinds[<Py_ssize_t>kind, at] = 1


def leads(list attributes, list rows, tuple image_ends, leads_to, unsigned char[::1] is_email, unsigned char[::1] to_image):
    """Whether the address of each row's element is one of mail, and whether it is an image's (lexical_words.Links).

    `leads_to` says it of what is not in ASCII.
    """
    cdef Py_ssize_t at, size, end, place
    cdef const char* text
    for at in range(len(rows)):
        is_email[at] = to_image[at] = 0
        href = (<dict>attributes[<Py_ssize_t>rows[at]]).get("href", "")
        if not PyUnicode_IS_COMPACT_ASCII(href):
            is_email[at], to_image[at] = leads_to(href)
            continue
        text, size = PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href)
        end = 0
        while end < size and text[end] != c"?" and text[end] != c"#":
            end += 1
        for image_end in image_ends:
            place = end - PyUnicode_GET_LENGTH(image_end)
            if place >= 0 and _is_alike(text + place, PyUnicode_DATA(image_end), end - place):
                to_image[at] = 1
                break
        for place in range(size - 6):
            if text[place + 6] == c":" and _is_alike(text + place, b"mailto:", 7):
                is_email[at] = 1
                break


cdef bint _is_alike(const char* text, const char* small, Py_ssize_t size) noexcept:
    """Whether letters are the same, in small letters."""
    cdef Py_ssize_t at
    for at in range(size):
        if (text[at] + 32 if _is_large(text[at]) else text[at]) != small[at]:
            return False
    return True

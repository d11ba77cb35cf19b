# cython: wraparound=False
"""Split names, headings and addresses into words. C types are declared in name_words.pxd."""


def words_of_name(name: str) -> list[str]:
    """Return the words of a name in lower case: runs of two or more letters, split before capitals.

    >>> words_of_name("css-1x2y3 ArticleByline__author_name HTMLBody")
    ['css', 'article', 'byline', 'author', 'name', 'html', 'body']
    """
    words = []
    at, size = 0, len(name)
    while at < size:
        begin = at
        while at < size and "A" <= name[at] <= "Z":
            at += 1
        capitals, small = at - begin, at
        while at < size and "a" <= name[at] <= "z":
            at += 1
        if at == begin:
            at += 1
            continue
        if at == small:  # capitals alone
            if capitals >= 2:
                words.append(name[begin:at].lower())
            continue
        if at - small < 2:  # a single small letter is no word, but it ends the run of capitals
            if capitals >= 3:
                words.append(name[begin : small - 1].lower())
            continue
        if capitals >= 3:
            words.append(name[begin : small - 1].lower())
        words.append(name[small - (capitals > 0) : at].lower())
    return words


def letter_runs(text: str, fewest: int) -> list[str]:
    """Return the runs of at least `fewest` letters from a to z.

    >>> letter_runs("/2017/fire-at-the-pier.html", 3)
    ['fire', 'the', 'pier', 'html']
    """
    runs = []
    at, size = 0, len(text)
    while at < size:
        begin = at
        while at < size and "a" <= text[at] <= "z":
            at += 1
        if at - begin >= fewest:
            runs.append(text[begin:at])
        at += 1
    return runs


def first_words(text: str, most: int) -> list[str]:
    """Return the first `most` words of a text: runs of letters, digits and underscores.

    >>> first_words("related: the 12_best news", 3)
    ['related', 'the', '12_best']
    """
    words: list[str] = []
    at, size = 0, len(text)
    while at < size and len(words) < most:
        begin = at
        while at < size and (text[at].isalnum() or text[at] == "_"):
            at += 1
        if at > begin:
            words.append(text[begin:at])
        at += 1
    return words

"""What the address of a link says before it is fetched: its words, and its shape beside the page it stands on."""

import re
from functools import lru_cache

from parcels.nlp.stems import stem

MAX_WORDS = 12  # of one address
_SPLIT = re.compile(r"https?://([^/?#]*)([^?#]*)(\?.*)?", re.S)
_WORD = re.compile(r"[a-z]{2,30}|\d+")
_INDEX = re.compile(r"(?:index|home|homepage|default|main|welcome)\.[a-z]{3,5}|")
_FORMAL = frozenset(["http", "www", "html", "htm", "shtml", "php", "asp", "aspx", "cgi", "index"])  # in every address


@lru_cache(maxsize=50_000)
def address_words(url: str) -> tuple[str, ...]:
    """The words of an address' path and query, stemmed; a number is `#number`.

    >>> address_words("http://www.cs.example.edu/Info/People/students.html")
    ('info', 'peopl', 'student')
    >>> address_words("http://a.example/~lee/cs412/notes?page=3")
    ('lee', 'cs', '#number', 'note', 'page')
    """
    found = _SPLIT.match(url)
    if found is None:
        return ()
    words = _WORD.findall(f"{found[2]}{found[3] or ''}".lower())
    kept = ("#number" if word.isdigit() else stem(word) for word in words if word not in _FORMAL)
    return tuple(dict.fromkeys(kept))[:MAX_WORDS]


@lru_cache(maxsize=50_000)
def address_shape(url: str, source: str) -> tuple[str, ...]:
    """How an address looks and where it lies beside the page that links to it.

    >>> address_shape("http://a.example/~lee/", "http://a.example/people/students.html")
    ('folder', 'depth1', 'tilde1', 'same-host', 'elsewhere')
    >>> address_shape("http://a.example/people/lee/cv.html", "http://a.example/people/students.html")
    ('file', 'depth2', 'same-host', 'below')
    """
    host, folders, name = _parts(url)
    own_host, own_folders, _ = _parts(source)
    shape = ["folder" if not name or _INDEX.fullmatch(name) else "file", f"depth{min(len(folders), 6)}"]
    shape += [f"tilde{min(n + 1, 3)}" for n, part in enumerate((*folders, name)) if part[:1] == "~"][:1]
    shape.append("same-host" if host == own_host else "other-host")
    if host == own_host:
        common = 0
        for one, other in zip(folders, own_folders, strict=False):
            if one != other:
                break
            common += 1
        if common == len(own_folders):
            shape.append("below" if len(folders) > common else "beside")
        else:
            shape.append("above" if common == len(folders) else "elsewhere")
    return tuple(shape)


@lru_cache(maxsize=50_000)
def _parts(url: str) -> tuple[str, tuple[str, ...], str]:
    """Host, folders and file name, in lower case."""
    found = _SPLIT.match(url.lower())
    if found is None:
        return "", (), ""
    *folders, name = found[2].lstrip("/").split("/")
    return found[1], tuple(folders), name


@lru_cache(maxsize=50_000)
def place_of(url: str) -> str:
    """Where an address lies: its folder; a page's own folder (`…/lee/`, `~lee`) lies in the one above.

    What has come of the addresses in a place is the best guess of what comes of the next one.

    >>> place_of("http://a.example/users/lee/"), place_of("http://a.example/users/kim.html")
    ('a.example/users/', 'a.example/users/')
    """
    host, folders, name = _parts(url)
    if (not name or _INDEX.fullmatch(name)) and folders:
        folders = folders[:-1]
    return "/".join((host, *folders, ""))

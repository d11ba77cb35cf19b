"""What the address of a link says before it is fetched: its words, and its shape beside the page it stands on."""

import re
from functools import lru_cache

from parcels.nlp.stems import stem

MAX_WORDS = 12  # of one address
_SPLIT = re.compile(r"https?://([^/?#]*)([^?#]*)(\?.*)?", re.S)
_WORD = re.compile(r"[a-z]{2,30}|\d+")
_INDEX = re.compile(r"(?:index|home|homepage|default|main|welcome)\.[a-z]{3,5}|")
_FORMAL = frozenset(["http", "www", "html", "htm", "shtml", "php", "asp", "aspx", "cgi", "index"])  # in every address

Parts = tuple[str, tuple[str, ...], str, tuple[str, ...]]


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


def address_shape(url: str, source: str) -> tuple[str, ...]:
    """How an address looks and where it lies beside the page that links to it.

    >>> address_shape("http://a.example/~lee/", "http://a.example/people/students.html")
    ('folder', 'depth1', 'tilde1', 'same-host', 'elsewhere')
    >>> address_shape("http://a.example/people/lee/cv.html", "http://a.example/people/students.html")
    ('file', 'depth2', 'same-host', 'below')
    """
    return shape_of(parts_of(url), parts_of(source))


def shape_of(parts: Parts, own: Parts) -> tuple[str, ...]:
    """The same of an address and a page that were taken apart."""
    host, folders, _, looks = parts
    own_host, own_folders, _, _ = own
    if host != own_host:
        return (*looks, "other-host")
    common = 0
    for one, other in zip(folders, own_folders, strict=False):
        if one != other:
            break
        common += 1
    if common == len(own_folders):
        return (*looks, "same-host", "below" if len(folders) > common else "beside")
    return (*looks, "same-host", "above" if common == len(folders) else "elsewhere")


@lru_cache(maxsize=50_000)
def parts_of(url: str) -> Parts:
    """Host, folders and file name, in lower case, and how the address looks by itself."""
    found = _SPLIT.match(url.lower())
    if found is None:
        return "", (), "", ("folder", "depth0")
    *folders, name = found[2].lstrip("/").split("/")
    looks = ["folder" if not name or _INDEX.fullmatch(name) else "file", f"depth{min(len(folders), 6)}"]
    looks += [f"tilde{min(n + 1, 3)}" for n, part in enumerate((*folders, name)) if part[:1] == "~"][:1]
    return found[1], tuple(folders), name, tuple(looks)


@lru_cache(maxsize=50_000)
def place_of(url: str) -> str:
    """Where an address lies: its folder; a page's own folder (`…/lee/`, `~lee`) lies in the one above.

    What has come of the addresses in a place is the best guess of what comes of the next one.

    >>> place_of("http://a.example/users/lee/"), place_of("http://a.example/users/kim.html")
    ('a.example/users/', 'a.example/users/')
    """
    host, folders, name, _ = parts_of(url)
    if (not name or _INDEX.fullmatch(name)) and folders:
        folders = folders[:-1]
    return "/".join((host, *folders, ""))

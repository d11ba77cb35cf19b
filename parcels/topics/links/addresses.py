"""Features of a link's address: its words, and its shape relative to the page with the link."""

import re
from typing import NamedTuple

from parcels.text.stems import stem

MAX_WORDS = 12  # per address
MOST_KNOWN, MAX_PART = 1 << 16, 64  # cached parts of addresses, and characters per cached part
_WORD = re.compile(r"[a-z]{2,30}|\d+")
_INDEX = re.compile(r"(?:index|home|homepage|default|main|welcome)\.[a-z]{3,5}")
_INDEX_LETTERS = "ihdmw"  # first letters of the names above
_FORMAL = frozenset(["http", "www", "html", "htm", "shtml", "php", "asp", "aspx", "cgi", "index"])  # not informative
_TILDES = ("tilde1", "tilde2", "tilde3")
_DEPTHS = tuple(f"depth{n}" for n in range(7))
_known: dict[str, tuple[str, ...]] = {}


class Address(NamedTuple):
    """The parts of an address, in lower case."""

    host: str
    folders: tuple[str, ...]
    looks: tuple[str, ...]  # its own shape
    place: str
    words: tuple[str, ...]


def read_address(url: str) -> Address:
    """Parse an address; one that is not HTTP has neither host nor words."""
    scheme, separator, rest = url.lower().partition("://")
    if not separator or scheme not in ("http", "https"):
        return Address("", (), ("folder", "depth0"), "/", ())
    rest = rest.partition("#")[0]
    before, _, query = rest.partition("?")
    host, _, path = before.partition("/")
    *folders, name = path.lstrip("/").split("/")
    is_folder = not name or (name[0] in _INDEX_LETTERS and _INDEX.fullmatch(name) is not None)
    looks = ["folder" if is_folder else "file", _DEPTHS[min(len(folders), 6)]]
    if "~" in path:
        looks += [_TILDES[min(n, 2)] for n, part in enumerate((*folders, name)) if part[:1] == "~"][:1]
    above = folders[:-1] if is_folder else folders
    words: list[str] = []
    for part in (*folders, name, query):
        if part:
            words += words_of(part)
    return Address(
        host, tuple(folders), tuple(looks), "/".join((host, *above, "")), tuple(dict.fromkeys(words))[:MAX_WORDS]
    )


def words_of(part: str) -> tuple[str, ...]:
    """Return the stemmed words of one part of an address, cached since addresses share most folders."""
    stems = _known.get(part)
    if stems is None:
        words = [word for word in _WORD.findall(part) if word not in _FORMAL]
        stems = tuple(["#number" if word.isdigit() else stem(word) for word in words])
        if len(part) <= MAX_PART:
            if len(_known) >= MOST_KNOWN:
                _known.clear()
            _known[part] = stems
    return stems


def address_words(url: str) -> tuple[str, ...]:
    """Return the stemmed words of an address's path and query; a number is `#number`.

    >>> address_words("http://www.cs.example.edu/Info/People/students.html")
    ('info', 'peopl', 'student')
    >>> address_words("http://a.example/~lee/cs412/notes?page=3")
    ('lee', 'cs', '#number', 'note', 'page')
    """
    return read_address(url).words


def address_shape(url: str, source: str) -> tuple[str, ...]:
    """Return the shape of an address and its position relative to the page that links to it.

    >>> address_shape("http://a.example/~lee/", "http://a.example/people/students.html")
    ('folder', 'depth1', 'tilde1', 'same-host', 'elsewhere')
    >>> address_shape("http://a.example/people/lee/cv.html", "http://a.example/people/students.html")
    ('file', 'depth2', 'same-host', 'below')
    """
    return shape_beside(read_address(url), read_address(source))


def shape_beside(address: Address, own: Address) -> tuple[str, ...]:
    """Return the shape of a parsed address and its position relative to a parsed page address."""
    if address.host != own.host:
        return (*address.looks, "other-host")
    folders, own_folders = address.folders, own.folders
    common = 0
    for one, other in zip(folders, own_folders, strict=False):
        if one != other:
            break
        common += 1
    if common == len(own_folders):
        return (*address.looks, "same-host", "below" if len(folders) > common else "beside")
    return (*address.looks, "same-host", "above" if common == len(folders) else "elsewhere")


def place_of(url: str) -> str:
    """Return the folder of an address; a page's own folder (`…/lee/`, `~lee`) is in the folder above it.

    Outcomes of other addresses in the same folder are the best predictor for the next one.

    >>> place_of("http://a.example/users/lee/"), place_of("http://a.example/users/kim.html")
    ('a.example/users/', 'a.example/users/')
    """
    return read_address(url).place

"""What the address of a link says before it is fetched: its words, and its shape beside the page it stands on."""

import re
from typing import NamedTuple

from parcels.text.stems import stem

MAX_WORDS = 12  # of one address
MOST_KNOWN, MAX_PART = 1 << 16, 64  # parts of addresses whose words are remembered, and their characters
_WORD = re.compile(r"[a-z]{2,30}|\d+")
_INDEX = re.compile(r"(?:index|home|homepage|default|main|welcome)\.[a-z]{3,5}")
_INDEX_LETTERS = "ihdmw"  # that these begin with
_FORMAL = frozenset(["http", "www", "html", "htm", "shtml", "php", "asp", "aspx", "cgi", "index"])  # in every address
_TILDES = ("tilde1", "tilde2", "tilde3")
_DEPTHS = tuple(f"depth{n}" for n in range(7))
_known: dict[str, tuple[str, ...]] = {}


class Address(NamedTuple):
    """An address taken apart, all of it in lower case."""

    host: str
    folders: tuple[str, ...]
    looks: tuple[str, ...]  # its shape, by itself
    place: str
    words: tuple[str, ...]


def read_address(url: str) -> Address:
    """What an address says; one that is none says nothing."""
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
    """The words of one part of an address, stemmed; addresses share most of their folders."""
    found = _known.get(part)
    if found is None:
        words = [word for word in _WORD.findall(part) if word not in _FORMAL]
        found = tuple(["#number" if word.isdigit() else stem(word) for word in words])
        if len(part) <= MAX_PART:
            if len(_known) >= MOST_KNOWN:
                _known.clear()
            _known[part] = found
    return found


def address_words(url: str) -> tuple[str, ...]:
    """The words of an address' path and query, stemmed; a number is `#number`.

    >>> address_words("http://www.cs.example.edu/Info/People/students.html")
    ('info', 'peopl', 'student')
    >>> address_words("http://a.example/~lee/cs412/notes?page=3")
    ('lee', 'cs', '#number', 'note', 'page')
    """
    return read_address(url).words


def address_shape(url: str, source: str) -> tuple[str, ...]:
    """How an address looks and where it lies beside the page that links to it.

    >>> address_shape("http://a.example/~lee/", "http://a.example/people/students.html")
    ('folder', 'depth1', 'tilde1', 'same-host', 'elsewhere')
    >>> address_shape("http://a.example/people/lee/cv.html", "http://a.example/people/students.html")
    ('file', 'depth2', 'same-host', 'below')
    """
    return shape_beside(read_address(url), read_address(source))


def shape_beside(address: Address, own: Address) -> tuple[str, ...]:
    """The same of an address and a page that were taken apart."""
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
    """Where an address lies: its folder; a page's own folder (`…/lee/`, `~lee`) lies in the one above.

    What has come of the addresses in a place is the best guess of what comes of the next one.

    >>> place_of("http://a.example/users/lee/"), place_of("http://a.example/users/kim.html")
    ('a.example/users/', 'a.example/users/')
    """
    return read_address(url).place

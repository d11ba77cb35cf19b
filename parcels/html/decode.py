"""Decode a page: byte-order mark, HTTP header, meta tag, then detection, each checked against the bytes."""

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

from parcels.errors import SkipRecord
from parcels.scan import is_utf8

PRESCAN_BYTES = 4096  # HTML asks for 1024; many pages have their meta tag a little later
DETECT_BYTES = 65536
MAX_BROKEN_SHARE = 0.001  # of the characters: a declared charset with fewer errors is taken, they become U+FFFD
MAX_CONTROL_SHARE = 0.05  # of the first bytes: text has hardly any control characters
MAX_CONTROL_KINDS = (
    12  # a damaged page may have many of a few kinds (mostly zeros); compressed or random bytes have all
)

LATIN_BYTES = 100  # non-ASCII bytes needed to distinguish Latin charsets
VALID_TO_BROKEN = 10  # characters: UTF-8 with some broken ones is still UTF-8

CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))  # that text does not have
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
         (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))  # fmt: skip
_MARKS = tuple(mark for mark, _ in _BOMS)
_HTTP_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_META_CHARSET = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_XML_ENCODING = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)", re.I)
_ASCII, _NOT_ASCII = bytes(range(128)), bytes(range(128, 256))
_MAGIC = (
    (b"%PDF-", "PDF"), (b"\x89PNG", "PNG"), (b"GIF8", "GIF"), (b"\xff\xd8\xff", "JPEG"), (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"RIFF", "RIFF"), (b"\x7fELF", "ELF"), (b"MZ\x90", "EXE"),
    (b"%!PS", "PostScript"), (b"OggS", "Ogg"), (b"ID3", "MP3"), (b"wOF", "font"), (b"\x00\x00\x01\x00", "icon"),
    (b"\xd0\xcf\x11\xe0", "Office"), (b"BZh", "bzip2"), (b"\xfd7zXZ", "xz"), (b"Rar!", "RAR"), (b"\x00asm", "wasm"),
    (b"PAR1", "Parquet"), (b"SQLite format 3\0", "SQLite"), (b"7z\xbc\xaf", "7-Zip"), (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"), (b"fLaC", "FLAC"),
)  # fmt: skip
_BEGINNINGS = tuple(magic for magic, _ in _MAGIC)
_MARKUP = re.compile(
    rb"<(?:!doctype|!--|/?(?:html|head|title|meta|body|div|span|table|script|font|pre|br|p|a)[\s>])", re.I
)

# The Encoding Standard's reading of labels that pages use for a larger charset than they name.
_WIDER = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
    "utf-16": "utf-16-le", "utf-7": "utf-8", "utf-8-sig": "utf-8",
}  # fmt: skip
_ALIASES = {"x-sjis": "cp932", "ks_c_5601-1987": "cp949", "x-gbk": "gb18030", "x-user-defined": "cp1252",
            "x-mac-cyrillic": "mac_cyrillic", "unicode": "utf-8", "utf8mb4": "utf-8", "iso-8859-8-i": "iso8859-8",
            "x-euc-jp": "euc_jp", "dos-874": "cp874", "x-cp1251": "cp1251", "x-cp1252": "cp1252"}  # fmt: skip
_NOT_TEXT = {"base64", "bz2", "hex", "quopri", "rot13", "uu", "zlib", "idna", "punycode", "raw_unicode_escape",
             "unicode_escape", "undefined", "mbcs", "oem"}  # fmt: skip
_LATIN = {"cp1250", "cp1254", "cp1257", "cp1258", "iso8859-2", "iso8859-3", "iso8859-4", "iso8859-10", "iso8859-13",
          "iso8859-14", "iso8859-15", "iso8859-16", "mac-roman", "mac-latin2"}  # fmt: skip
# In these a plain ASCII byte may be half of another character, so valid UTF-8 proves nothing against them.
_STATEFUL = ("iso2022", "hz", "utf-16", "utf-32")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's text in UTF-8, as the parser takes it, and how its charset was determined."""

    utf8: bytes
    charset: str
    found_by: str  # bom, http, meta, utf-8, detection


def decode(data: bytes, content_type: str | None = None, *, where: str = "") -> Decoded:
    """Return the text of a page.

    >>> decode(b"caf\\xe9").utf8.decode(), decode("caf\\u00e9".encode()).charset
    ('café', 'utf-8')
    >>> decode(b'<meta charset="koi8-r">\\xcd').charset
    'koi8-r'
    """
    refuse_binary(data, where)
    if data.startswith(_MARKS):
        mark, charset = next(known for known in _BOMS if data.startswith(known[0]))
        return Decoded(_to_utf8(data[len(mark) :].decode(charset, "replace")), charset, "bom")
    declared, found_by = _declared(data, content_type)
    if declared is None or not declared.startswith(_STATEFUL):
        # Text that is valid UTF-8 with non-ASCII characters is UTF-8, whatever its meta tag declares.
        utf8 = _utf8_text(data)
        if utf8 is not None:
            if declared and (declared == "utf-8" or data.isascii()):
                return Decoded(utf8, declared, found_by)
            return Decoded(utf8, "utf-8", "utf-8")
    if declared:
        taken = _decode_if_valid(data, declared)
        if taken is not None:
            return Decoded(_to_utf8(taken), declared, found_by)
    wide = _wide_charset(data)
    charset = wide or _detect(data)
    return Decoded(_to_utf8(data.decode(charset, "replace")), charset, "detection")


def refuse_binary(data: bytes, where: str = "") -> None:
    """Raise SkipRecord for bytes that are no text at all, or nothing but white space."""
    if not data or data.isspace():
        raise SkipRecord("empty", where, "no text" if data else "no bytes")
    if data.startswith(_BEGINNINGS):
        raise SkipRecord("binary", where, next(kind for magic, kind in _MAGIC if data.startswith(magic)))
    if data[4:8] == b"ftyp":
        raise SkipRecord("binary", where, "MP4")
    head = data[:PRESCAN_BYTES]
    control_count = len(head) - len(head.translate(None, CONTROLS))
    if control_count <= MAX_CONTROL_SHARE * len(head) or _wide_charset(data) is not None:
        return
    has_markup = _MARKUP.search(head.replace(b"\0", b"")) is not None
    if not has_markup or sum(sign in head for sign in CONTROLS) > MAX_CONTROL_KINDS:
        raise SkipRecord("binary", where, "its bytes are not text")


@lru_cache(64)
def known_charset(label: str) -> str | None:
    """Return Python's name for a charset label of the web; None for an unknown label.

    >>> known_charset("ISO-8859-1"), known_charset("x-sjis"), known_charset("none"), known_charset("hex")
    ('cp1252', 'cp932', None, None)
    """
    label = _ALIASES.get(label.strip().lower(), label.strip())
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    if name.replace("-", "_") in _NOT_TEXT or not getattr(codecs.lookup(name), "_is_text_encoding", True):
        return None
    return _WIDER.get(name, name)


def _declared(data: bytes, content_type: str | None) -> tuple[str | None, str]:
    if content_type and (match := _HTTP_CHARSET.search(content_type)):
        charset = known_charset(match.group(1))
        if charset:
            return charset, "http"
    head = data[:PRESCAN_BYTES]
    for pattern in (_meta_charset, _XML_ENCODING.match):
        if label := pattern(head):
            charset = known_charset(label.group(1).decode("ascii", "replace"))
            if charset:
                # A tag that could be read as ASCII was not written in UTF-16 or UTF-32.
                return ("utf-8" if charset.startswith(("utf-16", "utf-32")) else charset), "meta"
    return None, "detection"


def _meta_charset(head: bytes) -> re.Match[bytes] | None:
    """Return the first meta tag that names a charset; bytes.find seeks the tags, which the expression is slow at."""
    small = head.lower()
    at = small.find(b"<meta")
    while at >= 0:
        if match := _META_CHARSET.match(head, at):
            return match
        at = small.find(b"<meta", at + 1)
    return None


def _utf8_text(data: bytes) -> bytes | None:
    """Return the bytes with invalid sequences replaced if they are UTF-8; None for another charset.

    In other charsets, non-ASCII bytes hardly ever form valid sequences.
    """
    if is_utf8(data):
        return _without_nulls(data)
    text = data.decode("utf-8", "replace")
    broken = text.count("\N{REPLACEMENT CHARACTER}")
    valid = len(text) - broken - len(data.translate(None, _NOT_ASCII))
    return _to_utf8(text) if valid >= VALID_TO_BROKEN * broken else None


def _decode_if_valid(data: bytes, charset: str) -> str | None:
    """Return the text decoded with this charset; None if there are too many errors."""
    try:
        return data.decode(charset)
    except UnicodeDecodeError:
        text = data.decode(charset, "replace")
    # Bytes that cp1252 leaves undefined are C1 controls on the web: they are no sign of another charset.
    broken = text.count("\N{REPLACEMENT CHARACTER}")
    return text if charset.startswith("cp125") or broken <= max(1, MAX_BROKEN_SHARE * len(text)) else None


def _wide_charset(data: bytes) -> str | None:
    """Detect UTF-16 without a byte-order mark, by the positions of its zero bytes."""
    head = data[:1024]
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if half < 4:
        return None
    if odd > 0.7 * half and even < 0.1 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def _detect(data: bytes) -> str:
    from resiliparse.parse.encoding import detect_encoding

    detected = detect_encoding(data[:DETECT_BYTES], max_len=DETECT_BYTES, html5_compatible=True)
    charset = known_charset(detected or "") or "cp1252"
    # Latin charsets share most letters; a few accented bytes do not distinguish them; the web's default is likelier.
    few = len(data.translate(None, _ASCII)) < LATIN_BYTES
    return "cp1252" if few and charset in _LATIN else charset


def _without_nulls(data: bytes) -> bytes:
    return data.replace(b"\0", b"") if b"\0" in data else data


def _to_utf8(text: str) -> bytes:
    return _without_nulls(text.encode("utf-8", "replace"))

"""Read XML streams tolerantly: feeds and dumps are often not well-formed, where a strict parser would stop.

The reader knows tags, attributes, text, CDATA and comments. It ignores nesting and entity declarations, so
nothing is expanded or fetched. Control characters are dropped, broken bytes become U+FFFD, and a stray `&` or `<` is
text. Only one piece of the stream is in memory.
"""

import codecs
import html
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MAX_ENTITY = 12  # characters
MAX_TAG = 1 << 16  # characters; what opens like a tag and is longer is text
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_NUMBERS = re.compile(r"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcBC]|[eE]|[fF]|1[0-9a-fA-F]));")
# A tag ends at the next `<` at the latest, so that no text is scanned twice, however broken it is.
_TAG = re.compile(r"<(?:(/?)([A-Za-z_][\w:.-]*+)((?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>|[!?](?!--|\[CDATA)[^<>]*+>)")
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w:.-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))")
_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']\s*([\w.:-]+)", re.I)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_FIRST_BYTES = 256
_DATA, _DATA_END = "<![CDATA[", "]]>"


class Token(NamedTuple):
    """A tag or text; `kind` is start, end or text. Names are in lower case, without prefix."""

    kind: str
    name: str  # of a tag; the text of a text
    prefix: str = ""
    attributes: dict[str, str] = {}  # noqa: RUF012 - never changed: the readers only look into it


def tokens(chunks: Iterable[bytes], *, charset: str | None = None) -> Iterator[Token]:
    r"""Yield the tags and texts of a stream of bytes.

    >>> [token.name for token in tokens([b"<a:B c='1'>x &amp; y & z\x01</a:B>"])]
    ['b', 'x & y & z', 'b']
    """
    held, inside = "", ""  # inside: what ends the comment or CDATA that the stream is in
    for text in clean_text(chunks, charset=charset):
        held += text
        at, size = 0, len(held)
        while at < size:
            if inside:
                closing = held.find(inside, at)
                end = closing if closing >= 0 else max(at, size - 2)
                if inside == _DATA_END and end > at:
                    yield Token("text", held[at:end])
                at = closing + 3 if closing >= 0 else end
                if closing < 0:
                    break
                inside = ""
                continue
            opened = held.find("<", at)
            end = opened if opened >= 0 else _before_entity(held, at)
            if end > at:
                yield from _text(held[at:end])
            at = end
            if opened < 0:
                break
            if tag := _TAG.match(held, at):
                yield from _tag(tag)
                at = tag.end()
            elif held.startswith("<!--", at):
                inside, at = "-->", at + 4
            elif held.startswith(_DATA, at):
                inside, at = _DATA_END, at + len(_DATA)
            elif size - at < MAX_TAG and held.find("<", at + 1) < 0:  # the rest of the tag is still to come
                break
            else:
                yield Token("text", "<")
                at += 1
        held = held[at:]
    if not inside:
        yield from _text(held)


def clean_text(chunks: Iterable[bytes], *, charset: str | None = None) -> Iterator[str]:
    """Yield the stream as text without control characters, with broken bytes replaced."""
    stream = iter(chunks)
    first = b""
    while len(first) < _FIRST_BYTES and (more := next(stream, b"")):
        first += more
    decoder = codecs.getincrementaldecoder(charset_of(first, charset))(errors="replace")
    yield _CONTROL.sub("", decoder.decode(first).removeprefix("\ufeff"))
    for chunk in stream:
        yield _CONTROL.sub("", decoder.decode(chunk))
    yield decoder.decode(b"", True)


def charset_of(first: bytes, stated: str | None = None) -> str:
    """Return the charset: byte-order mark, then the HTTP header, then the XML declaration, then UTF-8.

    >>> charset_of(b"<?xml version='1.0' encoding='latin1'?>"), charset_of(b"<a>", "no-such-charset")
    ('iso8859-1', 'utf-8')
    """
    for mark, name in _BOMS:
        if first.startswith(mark):
            return name
    declared = _ENCODING.match(first)
    for label in (stated, declared[1].decode("ascii") if declared else None):
        try:
            if label and codecs.lookup(label)._is_text_encoding and not label.lower().startswith("utf-16"):
                return codecs.lookup(label).name
        except LookupError:
            continue
    return "utf-8"


def _before_entity(held: str, at: int) -> int:
    """Return where the text surely ends: a piece may end inside an entity."""
    cut = held.rfind("&", max(at, len(held) - MAX_ENTITY))
    return cut if cut >= 0 and ";" not in held[cut:] else len(held)


def _tag(match: re.Match[str]) -> Iterator[Token]:
    slash, name, inside = match.groups()
    if name is None:  # a declaration or a processing instruction
        return
    prefix, _, local = name.lower().rpartition(":")
    if slash:
        yield Token("end", local, prefix)
        return
    pairs = _ATTRIBUTE.findall(inside) if "=" in inside else ()
    yield Token("start", local, prefix, {key.lower(): unescaped(a or b or c) for key, a, b, c in pairs})
    if inside.endswith("/"):
        yield Token("end", local, prefix)


def _text(text: str) -> Iterator[Token]:
    if text and not text.isspace():
        yield Token("text", unescaped(text))


def unescaped(text: str) -> str:
    """Replace the entities of XML and HTML, once; entities of control characters are removed."""
    return html.unescape(_NUMBERS.sub("", text)) if "&" in text else text

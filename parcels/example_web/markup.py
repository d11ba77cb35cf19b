"""Provide what all templates share: escaping, inline marks, dates, addresses of stories, slugs, stable numbers."""

import hashlib
import posixpath
import re
import unicodedata
from collections.abc import Callable
from datetime import datetime
from importlib import import_module

from parcels.example_web.gold import gold
from parcels.example_web.stories import EMPHASIS, LINK, Story, stories

HOSTS = {
    "harbourcourier": "www.harbourcourier.example",
    "meridianpost": "www.meridianpost.example",
    "lumen": "lumen.example",
}


def text(value: str) -> str:
    """Escape text for an element.

    >>> text("Fish & chips <hot>")
    'Fish &amp; chips &lt;hot&gt;'
    """
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attr(value: str) -> str:
    """Escape text for a quoted attribute."""
    return text(value).replace('"', "&quot;")


def inline(
    line: str, href: Callable[[str], str], *, emphasis: str = "em", escape: Callable[[str], str] = text, extra: str = ""
) -> str:
    """Convert a line of a story to HTML; each of its links is a content link.

    >>> inline("See [this](x) & *that*", lambda target: "/" + target)
    'See <a href="/x" data-gold="contentlink">this</a> &amp; <em>that</em>'
    """
    out, end = [], 0
    for match in LINK.finditer(line):
        out.append(_emphasised(line[end : match.start()], emphasis, escape))
        out.append(f'<a href="{attr(href(match[2]))}"{extra}{gold("contentlink")}>{escape(match[1])}</a>')
        end = match.end()
    return "".join(out) + _emphasised(line[end:], emphasis, escape)


def _emphasised(line: str, tag: str, escape: Callable[[str], str]) -> str:
    return EMPHASIS.sub(rf"<{tag}>\1</{tag}>", escape(line))


def slug(name: str) -> str:
    """Return a name in a form for addresses.

    >>> slug("Inês Valadares")
    'ines-valadares'
    """
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")


def digest(*parts: str, size: int = 6) -> str:
    """Return a short stable hash in base 36, like those of build tools in class names and addresses.

    >>> digest("card"), digest("card", size=4)
    ('sh5yw4', 'sh5y')
    """
    letters = "0123456789abcdefghijklmnopqrstuvwxyz"
    number = int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:16], "big")
    out = ""
    for _ in range(size):
        number, rest = divmod(number, 36)
        out += letters[rest]
    return out


def choice(story: Story, what: str, count: int) -> int:
    """Return a number below `count` that is stable for a story, to choose a variant of a template."""
    return hashlib.sha256(f"{story.site}/{story.slug}/{what}".encode()).digest()[0] % count


def moment(iso: str) -> datetime:
    """Parse an ISO date or time of any precision."""
    return datetime.fromisoformat(iso)


def said(iso: str, form: str) -> str:
    """Format a date; `%-d` and `%-I` work on every system.

    >>> said("2004-03-02T09:40", "%A, %-d %B %Y, %H:%M")
    'Tuesday, 2 March 2004, 09:40'
    """
    when = moment(iso)
    form = form.replace("%-d", str(when.day)).replace("%-I", str(when.hour % 12 or 12))
    return when.strftime(form)


def elsewhere(target: str) -> str:
    """Return the address of `site/slug`, an article of another site.

    >>> elsewhere("harbourcourier/pier-repairs")
    'http://www.harbourcourier.example/story.asp?id=1042'
    """
    site, _, name = target.partition("/")
    story_path: Callable[[Story], str] = import_module(f"parcels.example_web.sites.{site}_frame").story_path
    return f"http://{HOSTS[site]}{story_path(stories(site)[name])}"


def relative(page: str, target: str) -> str:
    """Return the path of `target` relative to `page`, both on one site.

    >>> relative("/sport/2004/rovers-cup.htm", "/story.asp?id=1042")
    '../../story.asp?id=1042'
    >>> relative("/story.asp?id=1", "/images/logo.gif")
    'images/logo.gif'
    """
    path, mark, query = target.partition("?")
    base = posixpath.dirname(page.partition("?")[0]) or "/"
    path_to = posixpath.relpath(path, base)
    if path.endswith("/"):
        path_to += "/"
    return path_to + mark + query

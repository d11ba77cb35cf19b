"""Pages made worse: the mutations of benchmarks/quality/mutations.py and those that aim at compiled code.

Every function takes a page as bytes and a random generator, and returns another page.
"""

import random
import re
from collections.abc import Callable

from benchmarks.quality import mutations as general

TAG = re.compile(rb"<[a-zA-Z][^<>]{0,2000}>")
ANY_TAG = re.compile(rb"</?[a-zA-Z][^<>]{0,2000}>")
NUMBER = re.compile(rb"\d+(?:\.\d+)?")
CLASS = re.compile(rb"""class=["']?([\w -]{1,200})""")
NUMBERS = [
    b"0", b"-1", b"-0", b"255", b"256", b"32767", b"32768", b"65535", b"65536", b"2147483647", b"2147483648",
    b"-2147483649", b"4294967296", b"9223372036854775807", b"9223372036854775808", b"99999999999999999999999999",
    b"1e9", b"1e38", b"1e39", b"1e308", b"1e309", b"-1e309", b"1e-320", b"NaN", b"Infinity", b"0x7fffffff",
    b"1" * 400, b"0." + b"9" * 400, b"1e", b".", "\u0661\u0662\u0663".encode(), "\uff11\uff12".encode(),
    "\u00b2".encode(), "\U0001d7d9".encode(),
]  # fmt: skip
ATTRIBUTES = b"""
    colspan rowspan span width height size cols rows border cellpadding hspace start value tabindex class id href
    src srcset alt title datetime content rel role hidden aria-hidden style data-x align valign color face itemprop
""".split()
PROPERTIES = b"""
    width height min-width max-width min-height max-height margin margin-left padding border border-width font-size
    font line-height letter-spacing text-indent left top inset z-index flex flex-basis flex-grow order gap
    grid-template-columns grid-column grid-row grid-area grid-auto-flow columns column-count opacity transform clip
    color background text-indent vertical-align border-spacing aspect-ratio --x
""".split()
UNITS = [b"", b"px", b"em", b"rem", b"%", b"vw", b"vh", b"fr", b"pt", b"ch", b"cm", b"deg", b"q", b"\\9"]
KEYWORDS = [
    b"auto", b"none", b"inherit", b"initial", b"min-content", b"fit-content(1px)", b"calc(1px * (2 + 3) / 0)",
    b"calc(100% - 1e30px)", b"var(--x)", b"var(--x, var(--x))", b"repeat(99999, 1fr)",
    b"repeat(auto-fill, minmax(0, 1fr))", b"minmax(1e30px, 0)", b"span 99999", b"-1 / 99999", b"url(", b"#fff",
    b"#12345678", b"rgb(999,-1,1e9)", b"hsl(1e9,1%,1%)", b"!important", b"\\0", b"\\110000", b"attr(x)",
    b"clamp(1px,0,-1px)",
]  # fmt: skip
DISPLAYS = b"""
    display:flex display:grid display:table display:table-cell display:table-row display:inline-block display:none
    display:contents display:inline display:list-item float:left float:right clear:both position:absolute
    position:fixed position:sticky visibility:hidden overflow:hidden flex-wrap:wrap flex-direction:column-reverse
    white-space:pre white-space:nowrap text-transform:uppercase box-sizing:border-box direction:rtl
    writing-mode:vertical-rl
""".split()
SELECTORS = [
    b"*", b"div", b"p", b"a", b"td", b"li", b"span", b"body *", b"div > *", b"* + *", b"p ~ p", b":not(p)",
    b":is(div, p)", b":nth-child(2n+1)", b":nth-child(99999999999n-1)", b":first-child", b"[class]", b"[href^='/']",
    b"[id*=a i]", b"::before", b":has(a)", b":where(*)", b"div:not(:not(div))", b"a:hover", b"\\31 23", b"#\\0", b".",
    b"[", b":", b"html|*",
]  # fmt: skip
LETTERS = [
    "\u0130", "\u00df", "\u0149", "\ufb03", "\u1e9e", "\u0345", "\u03a3", "\u0000", "\u00a0", "\u00ad", "\u200b",
    "\u200d", "\u202e", "\u2028", "\u3000", "\ufeff", "\ufffe", "\uffff", "\U0001f469\u200d\U0001f467", "\U0010ffff",
    "e" + "\u0301" * 60, "\u4e2d\u6587", "\u0e01\u0e33", "\u0627\u0644", "\uac00", "\u1100\u1161", "\u0661", "\u2160",
    "\u00bd", "\u2014", "\u201c", "\x0b", "\x0c", "\x1c", "\x1f", "\x7f", "\x85",
]  # fmt: skip
BAD_UTF8 = [b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x82", b"\xf0\x9f", b"\x80"]
WORDS = [
    b"By Ann Lee, Reuters", b"2024-02-30T25:61:61+99:99", b"31 February 0000", b"Monday, 99 Foo 20244", b"12/13/14",
    b"A. B. C.", b"5 minutes ago", b"PARIS (AFP) -", b"www.", b"a@b", b"a-b-c-", b"...", b"$1,000,000.00",
    b"&amp;&lt;&#x0;&#99999999;&bogus;", b"http://[::1", b"//", b"\xe2\x80\x94", b"|", b"\xc2\xbb", b"x" * 300,
    b"1" * 300,
]  # fmt: skip
CHARSETS = [
    "utf-16", "utf-16-be", "utf-32", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr", "koi8_r", "cp1251", "cp1252",
    "cp437", "iso8859_7", "utf-7", "iso2022_jp",
]  # fmt: skip


def mutate(html: bytes, rng: random.Random) -> bytes:
    """Return the page with one to six random changes."""
    for _ in range(rng.randint(1, 6)):
        html = rng.choice(MUTATORS)(html, rng)
    return html


def cropped(html: bytes, limit: int, rng: random.Random) -> bytes:
    """Return a part of the page of about `limit` bytes: the end of its head, and a window of its body."""
    if len(html) <= limit:
        return html
    body = max(0, html.find(b"<body"))
    head = html[max(0, body - limit // 3) : body]
    start = rng.randrange(body, max(body + 1, len(html) - limit // 2))
    start = max(start, html.find(b"<", start))
    return head + html[start : start + limit - len(head)]


def duplicate_tags(html: bytes, rng: random.Random) -> bytes:
    """Repeat a few tags."""
    return _edited(html, rng, ANY_TAG, lambda tag: tag * rng.choice((2, 3, 10, 200)))


def delete_tags(html: bytes, rng: random.Random) -> bytes:
    """Remove a few tags."""
    return _edited(html, rng, ANY_TAG, lambda tag: b"", most=30)


def exchange_tags(html: bytes, rng: random.Random) -> bytes:
    """Put other tags in the place of a few."""
    known = ANY_TAG.findall(html) or [b"<p>"]
    return _edited(html, rng, ANY_TAG, lambda tag: rng.choice(known), most=30)


def nest_tags(html: bytes, rng: random.Random) -> bytes:
    """Wrap the page from some place on into many elements."""
    match = rng.choice(list(TAG.finditer(html)) or [None])
    if match is None:
        return html
    name = rng.choice((b"div", b"b", b"table><tr><td", b"ul><li", b"span", b"blockquote", b"font", b"form", b"dl><dd"))
    return html[: match.start()] + b"<%s>" % name * rng.choice((5, 50, 300)) + html[match.start() :]


def add_attributes(html: bytes, rng: random.Random) -> bytes:
    """Give a few elements attributes with absurd values."""

    def changed(tag: bytes) -> bytes:
        name, quote = rng.choice(ATTRIBUTES), rng.choice((b'"', b"'", b""))
        value = (
            declarations(rng) if name == b"style" else rng.choice((rng.choice(NUMBERS), _text(rng), rng.choice(WORDS)))
        )
        return tag[:-1] + b" " + name + b"=" + quote + value + quote + b">"

    return _edited(html, rng, TAG, changed, most=30)


def change_numbers(html: bytes, rng: random.Random) -> bytes:
    """Put absurd numbers in the place of a few: in attributes, in style and in the text."""
    return _edited(html, rng, NUMBER, lambda number: rng.choice(NUMBERS), most=30)


def add_style(html: bytes, rng: random.Random) -> bytes:
    """Insert a style sheet that concerns the page's own elements."""
    classes = [b"." + name for found in CLASS.findall(html)[:200] for name in found.split()]
    rules = []
    for _ in range(rng.randint(1, 12)):
        parts = [rng.choice(classes) if classes and rng.random() < 0.6 else rng.choice(SELECTORS) for _ in range(3)]
        selector = rng.choice((b" ", b" > ", b", ", b"")).join(parts[: rng.randint(1, 3)])
        rules.append(selector + b"{" + declarations(rng) + rng.choice((b"}", b"}", b"}", b"", b"}}")))
    at = rng.choice((0, rng.randrange(len(html) + 1)))
    wrapped = rng.choice((b"%s", b"@media screen{%s}", b"@media (min-width:%s", b"@layer a{%s}", b"@supports (x){%s}"))
    return html[:at] + b"<style>" + wrapped.replace(b"%s", b"".join(rules)) + b"</style>" + html[at:]


def declarations(rng: random.Random) -> bytes:
    """Return a few declarations of CSS."""
    found = []
    for _ in range(rng.randint(1, 5)):
        if rng.random() < 0.4:
            found.append(rng.choice(DISPLAYS))
            continue
        values = [
            rng.choice(KEYWORDS) if rng.random() < 0.3 else rng.choice(NUMBERS[:24]) + rng.choice(UNITS)
            for _ in range(rng.randint(1, 4))
        ]
        found.append(rng.choice(PROPERTIES) + b":" + b" ".join(values))
    return b";".join(found)


def add_letters(html: bytes, rng: random.Random) -> bytes:
    """Insert odd letters and words in a few places."""
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(html) + 1)
        html = html[:at] + _text(rng) + html[at:]
    return html


def encode_otherwise(html: bytes, rng: random.Random) -> bytes:
    """Write the page in another encoding, which it may or may not state."""
    charset = rng.choice(CHARSETS)
    if rng.random() < 0.3:
        html = b"<meta charset=%s>" % rng.choice(CHARSETS).encode() + html
    return html.decode("utf-8", "replace").encode(charset, rng.choice(("replace", "xmlcharrefreplace", "ignore")))


def _edited(
    html: bytes, rng: random.Random, pattern: re.Pattern[bytes], edit: Callable[[bytes], bytes], most: int = 5
) -> bytes:
    """Return the page with a few of the pattern's matches edited."""
    found = list(pattern.finditer(html))
    chosen = sorted(rng.sample(found, min(len(found), rng.randint(1, most))), key=lambda match: match.start())
    parts, end = [], 0
    for match in chosen:
        parts += [html[end : match.start()], edit(match[0])]
        end = match.end()
    return b"".join([*parts, html[end:]])


def _text(rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.4:
        return "".join(rng.choices(LETTERS, k=rng.choice((1, 3, 30)))).encode()
    return rng.choice(BAD_UTF8) * rng.randint(1, 3) if kind < 0.6 else rng.choice(WORDS) * rng.choice((1, 1, 20))


MUTATORS: list[Callable[[bytes, random.Random], bytes]] = [
    general.flip_bits, general.cut, general.cut_off, general.repeat, general.nest, general.insert_hostile, general.swap,
    general.drop_quotes, duplicate_tags, delete_tags, exchange_tags, nest_tags, add_attributes, add_attributes,
    change_numbers, change_numbers, add_style, add_style, add_letters, add_letters, encode_otherwise,
]  # fmt: skip

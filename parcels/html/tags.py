"""HTML's tags as data: one number per tag, and sets of tags as lookup tables.

Numbers index lookup tables (`IS_BLOCK_LEVEL[tag]`), so that a test of all nodes of a page is one array
operation. A tag that is not listed (custom elements) is OTHER.
"""

import numpy as np
from numpy.typing import NDArray

OTHER, COMMENT = 0, 1

_NAMES = (
    "? ! html head body title base link meta style script noscript template "
    "header footer nav main aside article section search address hgroup "
    "div span p a h1 h2 h3 h4 h5 h6 hr br wbr pre blockquote center layer ilayer "
    "ul ol li dl dt dd dir menu menuitem "
    "table caption colgroup col thead tbody tfoot tr td th "
    "form fieldset legend label button input textarea select optgroup option datalist output progress meter keygen "
    "img picture source figure figcaption map area svg math canvas video audio track iframe embed object param applet "
    "b strong i em u s strike del ins small big sub sup font tt code kbd samp var abbr acronym cite q dfn mark time "
    "data bdi bdo ruby rb rt rp rtc nobr basefont blink marquee spacer "
    "details summary dialog slot frameset frame noframes noembed isindex plaintext xmp listing image"
)
NAMES: tuple[str, ...] = tuple(_NAMES.split())
NUMBER: dict[str, int] = {name: number for number, name in enumerate(NAMES)}

Lookup = NDArray[np.bool_]


def lookup(names: str) -> Lookup:
    """Return a table over tag numbers that is True for the named tags.

    >>> bool(lookup("p div")[NUMBER["p"]]), bool(lookup("p div")[NUMBER["a"]])
    (True, False)
    """
    wanted = set(names.split())
    unknown = wanted - NUMBER.keys()
    if unknown:
        raise KeyError(f"Unknown tags: {' '.join(sorted(unknown))}. Add them to _NAMES in parcels/html/tags.py.")
    return np.array([name in wanted for name in NAMES])


# No visible leaf is inside these (a `title` in the body is not shown either).
INVISIBLE_TAGS = frozenset(
    [
        "title",
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "math",
        "object",
        "option",
        "datalist",
        "canvas",
        "map",
        "head",
    ]
)

# Elements that are leaves themselves; their content (fallback text, raw text) is not shown.
MEDIA = frozenset(["img", "video", "audio", "iframe", "embed"])
CONTROLS = frozenset(["input", "textarea", "select"])

# Void elements that libxml2 does not know: it nests what follows in them, and the walk undoes that.
VOID_BUT_NESTED = frozenset(["source", "track", "wbr", "embed"])

# HTML's block-level elements: a line break before and after (content-extraction-svm, footnote 1, which adds br).
BLOCK_LEVEL = (
    "html body header footer nav main aside article section search address hgroup div p h1 h2 h3 h4 h5 h6 hr pre "
    "blockquote center layer ul ol li dl dt dd dir menu table caption thead tbody tfoot tr td th form fieldset legend "
    "figure figcaption details summary dialog noframes frameset plaintext xmp listing isindex optgroup option"
)
IS_BLOCK_LEVEL = lookup(BLOCK_LEVEL)
IS_BREAK = lookup("br")
IS_LINK = lookup("a area")

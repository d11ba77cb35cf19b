"""Any selector: text to compounds, pseudo-classes and all."""

import re

from parcels.css.scan import plain_start, selector_list
from parcels.css.selectors import (
    CLASS,
    ID,
    NEVER,
    TAG,
    Attribute,
    Compound,
    Fact,
    Inner,
    Nth,
    Selector,
    Test,
    made,
    plain_selector,
)

MAX_INNER_DEPTH = 8  # of :not(:is(:where(…)))
MAX_COMPOUNDS = 100
_IDENT = r"(?:[-\w]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}[ \t\n\f]?|\\[^\n0-9a-fA-F])++"
_TOKEN = re.compile(
    rf"(?P<combinator>\s*[>+~]\s*|\s+)|(?:[-\w*]*\|)?(?P<tag>{_IDENT}|\*)|#(?P<id>{_IDENT})|\.(?P<class>{_IDENT})"
    rf"|\[\s*(?:[-\w*]*\|)?(?P<attribute>{_IDENT})\s*(?:(?P<operator>[~|^$*]?=)\s*"
    rf"(?P<value>\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|[^\]\s]++)\s*(?P<flag>[iIsS])?\s*)?\]"
    rf"|::(?P<element>{_IDENT})(?P<of>\()?|:(?P<pseudo>{_IDENT})(?P<call>\()?|(?P<nesting>&)",
    re.S,
)
_ROUND = re.compile(r"[()]")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\f]?|(.))", re.S)
_NTH = re.compile(r"([+-]?\d*)n\s*([+-]\s*\d+)?\Z|([+-]?\d+)\Z")
ELEMENTS = frozenset(["before", "after", "first-line", "first-letter"])
NEVER_NOW = frozenset(
    [
        "hover",
        "focus",
        "active",
        "visited",
        "focus-within",
        "focus-visible",
        "target",
        "target-within",
        "fullscreen",
        "modal",
        "popover-open",
        "autofill",
        "user-invalid",
        "user-valid",
        "playing",
        "paused",
        "picture-in-picture",
        "past",
        "current",
        "future",
        "host",
        "host-context",
        "indeterminate",
        "invalid",
        "out-of-range",
        "local-link",
        "seeking",
        "stalled",
        "buffering",
        "muted",
    ]
)
NEVER_HOLDS = ELEMENTS | NEVER_NOW
_ALWAYS = frozenset(["defined", "valid", "in-range", "optional", "read-write", "ltr"])
_STRUCTURAL = {
    "first-child": (0, 1, False, False),
    "last-child": (0, 1, True, False),
    "first-of-type": (0, 1, False, True),
    "last-of-type": (0, 1, True, True),
}
_NTHS = {
    "nth-child": (False, False),
    "nth-last-child": (True, False),
    "nth-of-type": (False, True),
    "nth-last-of-type": (True, True),
}
_HAS_ATTRIBUTE = {
    "checked": "checked selected",
    "disabled": "disabled",
    "required": "required",
    "read-only": "readonly",
}
_WITH_SELECTORS = frozenset(["is", "where", "not", "has", "matches", "any", "-webkit-any", "-moz-any"])
KNOWN = (
    _ALWAYS
    | _WITH_SELECTORS
    | frozenset(_STRUCTURAL)
    | frozenset(_NTHS)
    | frozenset(_HAS_ATTRIBUTE)
    | frozenset(
        [
            "only-child",
            "only-of-type",
            "empty",
            "root",
            "scope",
            "link",
            "any-link",
            "enabled",
            "placeholder-shown",
            "lang",
            "dir",
        ]
    )
)


class _Unknown(ValueError):
    """A selector that is not understood."""


def unescaped(name: str) -> str:
    r"""An identifier with its escapes resolved.

    >>> unescaped(r"sm\:w-1\/2")
    'sm:w-1/2'
    """
    if "\\" not in name:
        return name

    def character(found: re.Match[str]) -> str:
        if not found[1]:
            return found[2]
        code = int(found[1], 16)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"

    return _ESCAPE.sub(character, name)


def selector(text: str, depth: int = 0) -> Selector | None:
    """The compiled selector; None where it is not valid.

    >>> selector("ul > li.x a").keys, selector("a:hover").is_never, selector("a:no-such-thing")
    (('a',), True, None)
    """
    if plain_start(text) >= 0:
        return plain_selector(text)
    try:
        return _Parser(text.strip(), depth).parse()
    except _Unknown:
        return None


class _Parser:
    def __init__(self, text: str, depth: int):
        if depth > MAX_INNER_DEPTH:
            raise _Unknown("too deep")
        self.text, self.depth = text, depth
        self.compounds: list[Compound] = []
        self.combinators: list[str] = []
        self.specificity = 0
        self.is_never = self.is_positional = False
        self.inner_names: set[str] = set()  # inside :not() and its like, of this compound or of those before
        self.attributes: set[Attribute | Fact] = set()
        self.start()

    def start(self) -> None:
        self.tag, self.ident, self.is_open = "", "", False
        self.classes: list[str] = []
        self.tests: list[Test] = []

    def finish(self) -> None:
        if not self.is_open:
            raise _Unknown(self.text)
        self.compounds.append(Compound(self.tag, self.ident, tuple(self.classes), tuple(self.tests)))
        self.start()

    def parse(self) -> Selector:
        at, text = 0, self.text
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None or token.end() == at:
                raise _Unknown(text)
            at = token.end()
            kind = token.lastgroup
            if kind == "combinator":
                if len(self.compounds) > MAX_COMPOUNDS:
                    raise _Unknown("too long")
                self.finish()
                self.combinators.append(token[0].strip() or " ")
                self.is_positional |= self.combinators[-1] in "+~"
                continue
            self.is_open = True
            at = self.simple(token, kind or "", at)
        self.finish()
        return self.result()

    def simple(self, token: re.Match[str], kind: str, at: int) -> int:
        """One simple selector, of which a part is of this kind; returns where the text goes on."""
        if kind == "class":
            self.classes.append(unescaped(token["class"]))
            self.specificity += CLASS
        elif kind == "tag":
            if self.tag or self.ident or self.classes or self.tests:
                raise _Unknown(self.text)
            if token["tag"] != "*":
                self.tag = unescaped(token["tag"]).lower()
                self.specificity += TAG
        elif kind == "id":
            ident = unescaped(token["id"])
            if self.ident and self.ident != ident:
                self.is_never = True
            self.ident = ident
            self.specificity += ID
        elif kind in ("attribute", "operator", "value", "flag"):
            name = unescaped(token["attribute"]).lower()
            value = token["value"] or ""
            if value[:1] in "\"'":
                value = value[1:-1]
            value = unescaped(value)
            ignores = (token["flag"] or "").lower() == "i" or name in (
                "type",
                "rel",
                "align",
                "valign",
                "dir",
                "method",
            )
            self.ask(Attribute(name, token["operator"] or "", value.lower() if ignores else value, ignores))
            self.specificity += CLASS
        elif kind == "nesting":
            self.tests.append(Fact("root"))
        elif kind in ("element", "of"):
            self.is_never = True
            return self.closing(at) if token["of"] else at
        else:
            inside = ""
            if token["call"]:
                end = self.closing(at)
                inside, at = self.text[at : end - 1].strip(), end
            self.pseudo(token["pseudo"].lower(), inside, token["call"] is not None)
        return at

    def ask(self, test: Attribute | Fact) -> None:
        """A test that depends on the attributes."""
        self.tests.append(test)
        self.attributes.add(test)

    def closing(self, at: int) -> int:
        depth = 1
        for sign in _ROUND.finditer(self.text[at:]):
            depth += 1 if sign[0] == "(" else -1
            if depth == 0:
                return at + sign.end()
        raise _Unknown(self.text)

    def pseudo(self, name: str, inside: str, is_call: bool) -> None:
        if name in ELEMENTS:
            self.is_never = True
            return
        if name in _WITH_SELECTORS:
            self.inner(name, inside)
            return
        self.specificity += CLASS
        if name in NEVER_NOW or name[0] == "-":
            self.is_never = True
        elif name in _STRUCTURAL:
            self.tests.append(Nth(*_STRUCTURAL[name]))
            self.is_positional = True
        elif name in _NTHS and is_call:
            self.tests.append(_nth(inside, *_NTHS[name]))
            self.is_positional = True
        elif name in ("only-child", "only-of-type", "empty"):
            self.tests.append(Fact(name))
            self.is_positional = True
        elif name in ("root", "scope"):
            self.tests.append(Fact(name))
        elif name in ("link", "any-link"):
            self.ask(Fact("link"))
        elif name in _HAS_ATTRIBUTE:
            self.ask(Fact("has " + _HAS_ATTRIBUTE[name]))
        elif name in ("enabled", "placeholder-shown"):
            self.ask(Fact(name))
        elif name == "lang" and is_call:
            self.ask(Fact("lang " + inside.strip("\"'").lower()))
        elif name == "dir" and is_call:
            self.is_never |= inside.strip() != "ltr"
        elif name not in _ALWAYS:
            raise _Unknown(self.text)

    def inner(self, name: str, inside: str) -> None:
        found = []
        for text in selector_list(inside):
            relative = text if name != "has" else ":scope " + text if text[:1] in ">+~" else ":scope  " + text
            made = selector(relative, self.depth + 1)
            if made is not None:
                found.append(made)
                self.is_positional |= made.is_positional
                self.inner_names |= made.names | made.context
                self.attributes |= made.attributes
            elif name in ("not", "has"):
                raise _Unknown(self.text)  # :is() and :where() forgive, these do not
        self.is_positional |= name == "has"
        kind = name if name in ("not", "has") else "is"
        kept = tuple([made for made in found if not made.is_never])
        if name != "where" and found:
            self.specificity += max([made.specificity for made in found]) - (CLASS if name == "has" else 0)
        if kind != "not" and not kept:
            self.is_never = True
        elif kept:
            self.tests.append(Inner(kind, kept))

    def result(self) -> Selector:
        if self.is_never:
            return NEVER
        return made(
            tuple(self.compounds[::-1]),
            tuple(self.combinators[::-1]),
            self.specificity,
            self.inner_names,
            frozenset(self.attributes),
            self.is_positional,
        )


def _nth(text: str, from_end: bool, of_type: bool) -> Nth:
    text = text.lower().split(" of ")[0].strip()
    text = {"odd": "2n+1", "even": "2n"}.get(text, text)
    found = _NTH.match(text)
    if found is None or len(text) > 20:
        raise _Unknown(text)
    if found[3] is not None:
        return Nth(0, int(found[3]), from_end, of_type)
    step = {"": 1, "+": 1, "-": -1}.get(found[1])
    return Nth(int(found[1]) if step is None else step, int((found[2] or "0").replace(" ", "")), from_end, of_type)

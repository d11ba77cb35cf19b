"""Parser for any selector, including pseudo-classes and escapes."""

import re

from parcels.css.selectors.compound import (
    CLASS,
    ID,
    NEVER,
    TAG,
    AttributeTest,
    Compound,
    LogicalTest,
    NthTest,
    PseudoClassTest,
    Selector,
    Test,
    build_selector,
    plain_selector,
)
from parcels.css.selectors.pseudo_classes import (
    ALWAYS,
    HAS_ATTRIBUTE,
    NEVER_MATCHING,
    NTHS,
    PSEUDO_ELEMENTS,
    STRUCTURAL,
    WITH_SELECTORS,
)
from parcels.css.selectors.scan import plain_start, selector_list

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
_IGNORE_CASE = ("type", "rel", "align", "valign", "dir", "method")  # attributes whose values are case-insensitive
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\f]?|(.))", re.S)
_NTH = re.compile(r"([+-]?\d*)n\s*([+-]\s*\d+)?\Z|([+-]?\d+)\Z")


class _InvalidSelector(ValueError):
    """Raised for an invalid or unsupported selector."""


def unescaped(name: str) -> str:
    r"""Return an identifier with its escapes resolved.

    >>> unescaped(r"sm\:w-1\/2")
    'sm:w-1/2'
    """
    if "\\" not in name:
        return name

    def character(match: re.Match[str]) -> str:
        if not match[1]:
            return match[2]
        code = int(match[1], 16)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"

    return _ESCAPE.sub(character, name)


def selector(text: str, depth: int = 0) -> Selector | None:
    """Return the compiled selector; None if it is invalid.

    >>> selector("ul > li.x a").keys, selector("a:hover").is_never, selector("a:no-such-thing")
    (('a',), True, None)
    """
    if plain_start(text) >= 0:
        return plain_selector(text)
    try:
        return _Parser(text.strip(), depth).parse()
    except _InvalidSelector:
        return None


class _Parser:
    def __init__(self, text: str, depth: int):
        if depth > MAX_INNER_DEPTH:
            raise _InvalidSelector("too deep")
        self.text, self.depth = text, depth
        self.compounds: list[Compound] = []
        self.combinators: list[str] = []
        self.specificity = 0
        self.is_never = self.is_positional = False
        self.inner_names: set[str] = set()  # inside :not() and its like, of this compound or of those before
        self.attributes: set[AttributeTest | PseudoClassTest] = set()
        self.start()

    def start(self) -> None:
        self.tag, self.ident, self.is_open = "", "", False
        self.classes: list[str] = []
        self.tests: list[Test] = []

    def finish(self) -> None:
        if not self.is_open:
            raise _InvalidSelector(self.text)
        self.compounds.append(Compound(self.tag, self.ident, tuple(self.classes), tuple(self.tests)))
        self.start()

    def parse(self) -> Selector:
        at, text = 0, self.text
        while at < len(text):
            after = self.plain(at)
            if after < 0:
                after = self.token(at)
            at = after
        self.finish()
        return self.result()

    def token(self, at: int) -> int:
        """Parse the token at a position by regular expression; return the position behind it."""
        token = _TOKEN.match(self.text, at)
        if token is None or token.end() == at:
            raise _InvalidSelector(self.text)
        if token.lastgroup == "combinator":
            self.combine(token[0].strip() or " ")
            return token.end()
        self.is_open = True
        return self.simple(token, token.lastgroup or "", token.end())

    def plain(self, at: int) -> int:
        """Read what most selectors are made of, letter by letter, which is quicker than the regular expression.

        Returns the position behind it; -1 for anything that needs the regular expression.
        """
        text = self.text
        sign = text[at]
        if sign == "[":
            return self.plain_attribute(at)
        if sign in " >+~":
            end = _end_of_space(text, at)
            sign = text[end] if end < len(text) else " "
            if sign in ">+~":
                self.combine(sign)
                return _end_of_space(text, end + 1)
            self.combine(" ")
            return end
        start = at + 1 if sign in ".#:" else at
        end = _end_of_name(text, start)
        if end == start or (end < len(text) and (text[end] in "\\|*" or text[end] > "\x7f")):
            return -1
        self.is_open = True
        name = text[start:end]
        if sign == ".":
            self.classes.append(name)
            self.specificity += CLASS
        elif sign == "#":
            self.identify(name)
        elif sign == ":":
            inside, is_call = "", end < len(text) and text[end] == "("
            if is_call:
                start, end = end + 1, self.closing(end + 1)
                inside = text[start : end - 1].strip()
            self.pseudo(name.lower(), inside, is_call)
        else:
            self.name_tag(name)
        return end

    def plain_attribute(self, at: int) -> int:
        """Parse a common attribute selector; return the position behind it, -1 for the regular expression."""
        text, operator, value, flag = self.text + "]", "", "", ""  # a sentinel
        start = _end_of_space(text, at + 1)
        end = _end_of_name(text, start)
        if end == start or text[end] == "\\" or text[end] > "\x7f":
            return -1
        name = text[start:end]
        end = _end_of_space(text, end)
        if text[end] != "]":
            start = end
            end += text[end] in "~|^$*"
            if text[end] != "=":
                return -1
            operator = text[start : end + 1]
            start = _end_of_space(text, end + 1)
            if text[start] in "\"'":
                end = text.find(text[start], start + 1)
                value = text[start + 1 : end]
                end += 1
            else:
                end = start
                while text[end] != "]" and not text[end].isspace():
                    end += 1
                value = text[start:end]
            if end == 0 or end == start or "\\" in value:
                return -1
            end = _end_of_space(text, end)
            if text[end] in "iIsS":
                flag = text[end]
                end = _end_of_space(text, end + 1)
        if end >= len(self.text) or text[end] != "]":
            return -1
        self.is_open = True
        self.ask_attribute(name, operator, value, flag)
        return end + 1

    def combine(self, sign: str) -> None:
        """End the compound at a combinator."""
        if len(self.compounds) > MAX_COMPOUNDS:
            raise _InvalidSelector("too long")
        self.finish()
        self.combinators.append(sign)
        self.is_positional |= sign in "+~"

    def name_tag(self, tag: str) -> None:
        if self.tag or self.ident or self.classes or self.tests:
            raise _InvalidSelector(self.text)
        if tag != "*":
            self.tag = unescaped(tag).lower()
            self.specificity += TAG

    def identify(self, ident: str) -> None:
        if self.ident and self.ident != ident:
            self.is_never = True
        self.ident = ident
        self.specificity += ID

    def ask_attribute(self, name: str, operator: str, value: str, flag: str) -> None:
        name = name.lower()
        ignores = flag in ("i", "I") or name in _IGNORE_CASE
        self.ask(AttributeTest(name, operator, value.lower() if ignores else value, ignores))
        self.specificity += CLASS

    def simple(self, token: re.Match[str], kind: str, at: int) -> int:
        """Add the simple selector of a token; return the position behind it."""
        if kind == "class":
            self.classes.append(unescaped(token["class"]))
            self.specificity += CLASS
        elif kind == "tag":
            self.name_tag(token["tag"])
        elif kind == "id":
            self.identify(unescaped(token["id"]))
        elif kind in ("attribute", "operator", "value", "flag"):
            value = token["value"] or ""
            if value[:1] in "\"'":
                value = value[1:-1]
            self.ask_attribute(
                unescaped(token["attribute"]), token["operator"] or "", unescaped(value), token["flag"] or ""
            )
        elif kind == "nesting":
            self.tests.append(PseudoClassTest("root"))
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

    def ask(self, test: AttributeTest | PseudoClassTest) -> None:
        """Add a test that depends on attributes."""
        self.tests.append(test)
        self.attributes.add(test)

    def closing(self, at: int) -> int:
        depth = 1
        for sign in _ROUND.finditer(self.text[at:]):
            depth += 1 if sign[0] == "(" else -1
            if depth == 0:
                return at + sign.end()
        raise _InvalidSelector(self.text)

    def pseudo(self, name: str, inside: str, is_call: bool) -> None:
        if name in PSEUDO_ELEMENTS:
            self.is_never = True
            return
        if name in WITH_SELECTORS:
            self.inner(name, inside)
            return
        self.specificity += CLASS
        if name in NEVER_MATCHING or name[0] == "-":
            self.is_never = True
        elif name in STRUCTURAL:
            self.tests.append(NthTest(*STRUCTURAL[name]))
            self.is_positional = True
        elif name in NTHS and is_call:
            self.tests.append(_nth(inside, *NTHS[name]))
            self.is_positional = True
        elif name in ("only-child", "only-of-type", "empty"):
            self.tests.append(PseudoClassTest(name))
            self.is_positional = True
        elif name in ("root", "scope"):
            self.tests.append(PseudoClassTest(name))
        elif name in ("link", "any-link"):
            self.ask(PseudoClassTest("link"))
        elif name in HAS_ATTRIBUTE:
            self.ask(PseudoClassTest("has " + HAS_ATTRIBUTE[name]))
        elif name in ("enabled", "placeholder-shown"):
            self.ask(PseudoClassTest(name))
        elif name == "lang" and is_call:
            self.ask(PseudoClassTest("lang " + inside.strip("\"'").lower()))
        elif name == "dir" and is_call:
            self.is_never |= inside.strip() != "ltr"
        elif name not in ALWAYS:
            raise _InvalidSelector(self.text)

    def inner(self, name: str, inside: str) -> None:
        children = []
        for text in selector_list(inside):
            relative = text if name != "has" else ":scope " + text if text[:1] in ">+~" else ":scope  " + text
            child = selector(relative, self.depth + 1)
            if child is not None:
                children.append(child)
                self.is_positional |= child.is_positional
                self.inner_names |= child.names | child.context
                self.attributes |= child.attributes
            elif name in ("not", "has"):
                raise _InvalidSelector(self.text)  # :is() and :where() forgive, these do not
        self.is_positional |= name == "has"
        kind = name if name in ("not", "has") else "is"
        possible = tuple([child for child in children if not child.is_never])
        if name != "where" and children:
            self.specificity += max([child.specificity for child in children]) - (CLASS if name == "has" else 0)
        if kind != "not" and not possible:
            self.is_never = True
        elif possible:
            self.tests.append(LogicalTest(kind, possible))

    def result(self) -> Selector:
        if self.is_never:
            return NEVER
        return build_selector(
            tuple(self.compounds[::-1]),
            tuple(self.combinators[::-1]),
            self.specificity,
            self.inner_names,
            frozenset(self.attributes),
            self.is_positional,
        )


def _end_of_name(text: str, at: int) -> int:
    """Return the position behind a name of ASCII letters, digits, hyphens and underscores."""
    while at < len(text) and (
        "a" <= text[at] <= "z" or "A" <= text[at] <= "Z" or "0" <= text[at] <= "9" or text[at] in "-_"
    ):
        at += 1
    return at


def _end_of_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _nth(text: str, from_end: bool, of_type: bool) -> NthTest:
    text = text.lower().split(" of ")[0].strip()
    text = {"odd": "2n+1", "even": "2n"}.get(text, text)
    match = _NTH.match(text)
    if match is None or len(text) > 20:
        raise _InvalidSelector(text)
    if match[3] is not None:
        return NthTest(0, int(match[3]), from_end, of_type)
    step = {"": 1, "+": 1, "-": -1}.get(match[1])
    return NthTest(int(match[1]) if step is None else step, int((match[2] or "0").replace(" ", "")), from_end, of_type)

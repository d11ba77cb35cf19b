"""Session ids in addresses: the parameters that hold one, so that a page has one address for all visitors.

The names are those that web archives and crawlers strip: Heritrix (StripSessionIDs, StripSessionCFIDs), the Internet
Archive's `urlcanon`/`surt` tables, Apache Nutch (regex-normalize.xml), and the forums and shops that made them.
"""

import re

# Names that are used for nothing else.
ALWAYS = frozenset({
    "phpsessid",  # PHP
    "jsessionid",  # Java servlets; also as a parameter of the path
    "bv_sessionid", "bv_engineid",  # BroadVision
    "oscsid", "zenid", "xtcsid",  # the shops osCommerce, Zen Cart and xt:Commerce
    "cftoken",  # ColdFusion, together with `cfid`
})  # fmt: skip
ALWAYS_PREFIX = "aspsessionid"  # ASP adds eight letters of its own
# Names that are also used for other things: `sid` is a story's number as well as the session of phpBB, `s` a search.
IF_OPAQUE = frozenset({"sid", "sessid", "sessionid", "session_id", "session", "sess", "bbsessionhash", "s"})
WITH_CFTOKEN = "cfid"  # a small number, meaningless without its token

_OPAQUE = re.compile(
    r"[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-z]{26}|[0-9a-z]{32}", re.I | re.ASCII
)  # MD5, SHA-1, a UUID, PHP's own
_IN_PATH = re.compile(r"(?:;|%3B)(?:jsessionid|phpsessid)=[^/;]*", re.I)
_ASP_NET = re.compile(r"/\((?:[A-Z]\([0-9a-z]{24}\))+\)(?=/)|/\([0-9a-z]{24}\)(?=/)", re.I | re.ASCII)  # cookieless
MAY_HOLD = re.compile(
    rf"[?&](?:{ALWAYS_PREFIX}|(?:{'|'.join(sorted(ALWAYS | IF_OPAQUE))})(?:[=&]|$))", re.I
)  # in a query; the other forms need signs that no plain address has


def is_session(parameter: str) -> bool:
    """Return whether a parameter of a query holds a session id.

    >>> [is_session(p) for p in ("PHPSESSID=1a2b", "sid=4711", "sid=9682993c8daa2c5497996114facdc805", "s=boats")]
    [True, False, True, False]
    """
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in ALWAYS or name.startswith(ALWAYS_PREFIX):
        return True
    return name in IF_OPAQUE and _OPAQUE.fullmatch(value) is not None and not value.isalpha()


def without_session(path: str) -> str:
    """Return the path of an address without the session ids in it.

    >>> without_session("/shop;jsessionid=0A1B/cart"), without_session("/b;v=2")
    ('/shop/cart', '/b;v=2')
    """
    return _ASP_NET.sub("", _IN_PATH.sub("", path))


def kept_parameters(parameters: list[str]) -> list[str]:
    """Return the parameters of a query that hold no session id.

    >>> kept_parameters(["cfid=12", "cftoken=ab", "page=2"]), kept_parameters(["cfid=12"])
    (['page=2'], ['cfid=12'])
    """
    names = {parameter.partition("=")[0].lower() for parameter in parameters}
    has_token = "cftoken" in names
    return [
        parameter
        for parameter in parameters
        if not is_session(parameter) and not (has_token and parameter.partition("=")[0].lower() == WITH_CFTOKEN)
    ]

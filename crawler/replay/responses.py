"""Make the responses of a replayed web: the stored status, headers and bytes, a redirect, or 404."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crawler.replay.files import headers_of
from crawler.replay.index import Hit, PageIndex
from parcels.urls import canonical, content_hash

# Headers of the connection that the page once came by, and of encodings that were undone.
_DROPPED = frozenset([
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade", "content-encoding", "content-length", "content-type", "etag", "location",
    "strict-transport-security", "alt-svc", "content-md5", "digest",
])  # fmt: skip
_NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True)
class ReplayResponse:
    """An HTTP response."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def respond(index: PageIndex, url: str, *, if_none_match: str | None = None) -> ReplayResponse:
    """Return the response to an address, also for spellings that the URL standard or any server treats alike.

    Tried in this order: the canonical address, then with the other scheme, then with or without its last slash (a
    redirect to the stored address). A page with another final address is a redirect to that address.
    """
    asked = canonical(url)
    if asked is None:
        return _words(400, f"{url!r} is not a web address")
    hit = index.find(asked) or index.find(_other_scheme(asked))
    if hit is not None:
        return _stored(hit, if_none_match)
    slashed = _other_slash(asked)
    for near in (slashed, _other_scheme(slashed)):
        if index.find(near) is not None:
            return _redirect(301, near)
    return _words(404, f"{asked} is not among the stored pages")


def _stored(hit: Hit, if_none_match: str | None) -> ReplayResponse:
    row = hit.row
    status = int(row.get("status") or 200)
    final = str(row.get("final_url") or "")
    target = canonical(final)
    own = canonical(str(row["url"]))
    if 300 <= status < 400 and status != _NOT_MODIFIED:
        place = {name.lower(): value for name, value in headers_of(row)}.get("location") or final
        return _redirect(status, place) if place else _words(502, f"a redirect from {hit.url} without its target")
    if hit.url == own and target and target not in (own, _other_scheme(str(own))):
        return _redirect(302, final)
    body = _bytes(row)
    tag = f'"{row.get("content_hash") or content_hash(body)}"'
    if if_none_match and tag in if_none_match:
        return ReplayResponse(_NOT_MODIFIED, (("ETag", tag),), b"")
    kept = [(name, value) for name, value in headers_of(row) if name.lower() not in _DROPPED and _is_clean(name, value)]
    return ReplayResponse(
        200 if status == _NOT_MODIFIED else status, (("Content-Type", _type(row)), ("ETag", tag), *kept), body
    )


def _bytes(row: Mapping[str, Any]) -> bytes:
    value = row.get("html") if "html" in row else row.get("body")
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value or b"")


def _type(row: Mapping[str, Any]) -> str:
    """Return the stored Content-Type header if there is one: only it has the charset as the server sent it."""
    for name, value in headers_of(row):
        if name.lower() == "content-type" and _is_clean(name, value):
            return value
    kind = row.get("content_type") or ("text/html" if "html" in row else "text/css")
    return f"{kind}; charset={row['charset']}" if row.get("charset") else str(kind)


def _is_clean(name: str, value: str) -> bool:
    return name.isascii() and name.replace("-", "").replace("_", "").isalnum() and not set(value) & set("\r\n\0")


def _redirect(status: int, target: str) -> ReplayResponse:
    return ReplayResponse(status, (("Location", target.replace("\r", "").replace("\n", "")),), b"")


def _words(status: int, text: str) -> ReplayResponse:
    return ReplayResponse(status, (("Content-Type", "text/plain; charset=utf-8"),), f"{status}: {text}\n".encode())


def _other_scheme(url: str) -> str:
    return f"http{url[5:]}" if url.startswith("https:") else f"https{url[4:]}"


def _other_slash(url: str) -> str:
    """Return the address without its last slash if it has one, otherwise with one.

    >>> _other_slash("http://a.example/b"), _other_slash("http://a.example/b/?c")
    ('http://a.example/b/', 'http://a.example/b?c')
    """
    path, mark, query = url.partition("?")
    return (path[:-1] if path.endswith("/") else f"{path}/") + mark + query

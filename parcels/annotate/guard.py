"""Access control of the annotator's server, and the security headers of its responses.

Pages are untrusted and a browser has other tabs: every answer forbids what it does not need, a change needs the
server's token in a header that another site cannot send, and a name that was bound to this address afterwards (DNS
rebinding) is refused by the Host header. On an address that others can reach, everything needs the access token.
"""

import hmac
import ipaddress
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from parcels.errors import ConfigError

# The app itself: its own scripts and sheets, its own server, nothing else.
APP_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A stored page: its own styles and images. No scripts, requests, forms or navigation.
FRAME_POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), clipboard-read=()",
    "Cache-Control": "no-store",
    "X-DNS-Prefetch-Control": "off",
}
TOKEN_HEADER = "x-parcels-token"
COOKIE = "parcels-access"
MAX_BODY_BYTES = 2_000_000  # bytes of a request
CONTENT_TOO_LARGE = 413
MIN_TOKEN_CHARS = 16


def is_loopback(host: str) -> bool:
    """Return whether an address is reachable from this machine only.

    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "192.168.0.7")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def access_token(host: str, given: str | None) -> str | None:
    """Return the access token that requests must show; None on loopback unless one is given."""
    if given is not None and len(given) < MIN_TOKEN_CHARS:
        raise ConfigError(
            f"--token must have at least {MIN_TOKEN_CHARS} characters, got {len(given)}. Without it, one is generated."
        )
    if given is None and not is_loopback(host):
        return secrets.token_urlsafe(24)
    return given


@dataclass
class Guard:
    """ASGI middleware that checks every request and adds the security headers."""

    app: Any
    host: str
    port: int
    access: str | None = None  # the token of --token
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass a request on, or refuse it with a reason."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            if refusal[0] != CONTENT_TOO_LARGE:
                await _discard_body(receive)
            await _respond(send, *refusal)
            return
        cookie = self._cookie(scope)

        async def guarded(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                extra = {**HEADERS, "Content-Security-Policy": APP_POLICY} | ({"Set-Cookie": cookie} if cookie else {})
                more = [(name.lower().encode(), value.encode()) for name, value in extra.items()]
                message = message | {"headers": [*message["headers"], *(pair for pair in more if pair[0] not in own)]}
            await send(message)

        await self.app(scope, receive, guarded)

    def _refusal(self, scope: dict[str, Any], headers: dict[str, str]) -> tuple[int, str] | None:
        if headers.get("host", "") not in self._hosts():
            return 421, "The host name of this request is unknown. Open the address that the server printed."
        if self.access is not None and not self._has_access(scope, headers):
            return 401, "The access token is missing. Open the address that the server printed."
        if scope["method"] in ("GET", "HEAD"):
            return None
        if int(headers.get("content-length") or MAX_BODY_BYTES + 1) > MAX_BODY_BYTES:
            return CONTENT_TOO_LARGE, f"The request is larger than {MAX_BODY_BYTES:,} bytes."
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] not in self._hosts():
            return 403, "This request comes from another site."
        if not hmac.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self.csrf.encode()):
            return 403, "The token of this request is out of date. Reload the page."
        if not headers.get("content-type", "").startswith("application/json"):
            return 415, "The content type must be application/json."
        return None

    def _hosts(self) -> Iterable[str]:
        names = {self.host, "127.0.0.1", "localhost", "[::1]"} if is_loopback(self.host) else {self.host}
        if not is_loopback(self.host) and self.access is not None:
            return _Any()  # by which of its names a machine is reached is not known; the token is the guard
        return {f"{name}:{self.port}" for name in names} | (names if self.port == 80 else set())

    def _has_access(self, scope: dict[str, Any], headers: dict[str, str]) -> bool:
        shown = _shown(scope)
        kept = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        return any(
            token is not None and hmac.compare_digest(token.encode(), str(self.access).encode())
            for token in (shown, kept.value if kept else None)
        )

    def _cookie(self, scope: dict[str, Any]) -> str | None:
        """Return the cookie that replaces the token in addresses, where a request came with the token."""
        if self.access is None or _shown(scope) is None:
            return None
        return f"{COOKIE}={self.access}; HttpOnly; SameSite=Strict; Path=/"


class _Any:
    """A container that contains everything."""

    def __contains__(self, item: object) -> bool:
        return True

    def __iter__(self) -> Any:
        return iter(())


def _shown(scope: dict[str, Any]) -> str | None:
    tokens = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token")
    return tokens[0] if tokens else None


async def _discard_body(receive: Any) -> None:
    """Read and discard a request's body; closing the connection before that may lose the response."""
    taken = 0
    while taken <= MAX_BODY_BYTES:
        message = await receive()
        taken += len(message.get("body", b""))
        if not message.get("more_body"):
            return


async def _respond(send: Any, status: int, text: str) -> None:
    own = {"Content-Type": "text/plain; charset=utf-8", "Content-Security-Policy": APP_POLICY, "Connection": "close"}
    headers = HEADERS | own  # the connection ends: what was sent with a refused request is not read
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": text.encode()})

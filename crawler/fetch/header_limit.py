"""Limit the size of a response's header: Twisted refuses lines of 16 kB, which cookies reach, but not many lines."""

from typing import Any

MAX_HEAD = 262_144  # bytes of all lines together, as in Chromium


class HeaderTooLarge(Exception):
    """Raised when a response's header is too large."""


class LimitedHeaders:
    """A mixin for Twisted's response parser: one limit for the whole header instead of one per line."""

    MAX_LENGTH = MAX_HEAD
    transport: Any
    _size = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: N802 - Twisted's name, as below
        """Take a line of the head."""
        self._size += len(line)
        if self._size > MAX_HEAD:
            self.lineLengthExceeded(line)
        super().lineReceived(line)  # type: ignore[misc]

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802
        """Refuse the head at once: a connection that is merely closed is still read from."""
        self.transport._producer.abortConnection()
        raise HeaderTooLarge(f"more than {MAX_HEAD:,} bytes before the body")


def limit_header_size() -> None:
    """Bound the heads of all answers in this process; neither Scrapy nor Twisted has a setting for it."""
    from scrapy.core.downloader.handlers import http11  # not before Scrapy has chosen its reactor
    from twisted.web import _newclient

    for module, name in ((_newclient, "HTTPClientParser"), (http11, "_LenientHTTPClientParser")):
        parser = getattr(module, name, None)
        if parser is not None and not issubclass(parser, LimitedHeaders):
            setattr(module, name, type(f"Bounded{name}", (LimitedHeaders, parser), {}))


def is_header_too_large(error: BaseException) -> bool:
    """Return True if a request failed because of a too large header; Scrapy wraps Twisted's error."""
    reasons: Any = getattr(error.__cause__ or error, "reasons", ())
    return any(reason.check(HeaderTooLarge) for reason in reasons)

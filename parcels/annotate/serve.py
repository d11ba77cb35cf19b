"""The annotator's server: uvicorn around the guarded application, and a thread that seals journals."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

from parcels.annotate.app import make_app
from parcels.annotate.guard import Guard, access_token
from parcels.annotate.page_sources import warm_up
from parcels.annotate.session import AnnotationSession
from parcels.common.optional import missing_extra
from parcels.errors import ConfigError, ParcelsError

SEAL_EVERY = 5.0  # seconds


class Server:
    """One running server."""

    def __init__(self, session: AnnotationSession, *, host: str = "127.0.0.1", port: int = 0, token: str | None = None):
        self.session, self.host = session, host
        self.token = access_token(host, token)
        self._socket = _bound(host, port)
        self.port = int(self._socket.getsockname()[1])
        self.guard = Guard(None, host, self.port, self.token)
        self.guard.app = make_app(session, csrf=lambda: self.guard.csrf)
        self._uvicorn = _uvicorn(self.guard)
        self._stop = threading.Event()

    @property
    def url(self) -> str:
        """Return the address to open, with the token where one is needed."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    def run(self, report: Callable[[str], None] = lambda line: None) -> None:
        """Serve until stopped; all labels are in the table when this returns."""
        sealer = threading.Thread(target=self._seal_periodically, args=(report,), daemon=True)
        sealer.start()
        threading.Thread(target=warm_up, args=(self.session.source.fallback,), daemon=True).start()
        try:
            self._uvicorn.run(sockets=[self._socket])
        finally:
            self._stop.set()
            sealer.join()
            self._socket.close()
            self.session.close()

    def stop(self) -> None:
        """Stop the server."""
        self._uvicorn.should_exit = True

    def _seal_periodically(self, report: Callable[[str], None]) -> None:
        while not self._stop.wait(SEAL_EVERY):
            try:
                self.session.seal_if_idle()
            except (ParcelsError, OSError) as error:  # the journal keeps the labels; the next start seals it
                report(f"The labels are in the journal, but not in the table yet: {error}")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)  # from now on a browser waits where it would be refused
    except OSError as error:
        listener.close()
        raise ConfigError(f"Cannot listen on {host}:{port}: {error.strerror}. Choose another --port.") from error
    return listener


def _uvicorn(app: Any) -> Any:
    try:
        import uvicorn
    except ModuleNotFoundError as error:
        raise missing_extra("The browser page needs uvicorn and starlette", extra="ui") from error
    config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off", server_header=False)
    return uvicorn.Server(config)


@contextlib.contextmanager
def running(session: AnnotationSession, **settings: Any) -> Iterator[Server]:
    """Run a server in a thread of its own."""
    server = Server(session, **settings)
    server._uvicorn.install_signal_handlers = lambda: None
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()

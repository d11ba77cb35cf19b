"""The server: uvicorn around the guarded app, and a thread that puts journals into the table."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

from parcels.annotate.app import make_app
from parcels.annotate.desk import Desk
from parcels.annotate.guard import Guard, access_token
from parcels.annotate.shelf import warm_up
from parcels.common.optional import missing_extra
from parcels.errors import ConfigError, ParcelsError

SEAL_EVERY = 5.0  # seconds between looks at the journal


class Server:
    """One running server."""

    def __init__(self, desk: Desk, *, host: str = "127.0.0.1", port: int = 0, token: str | None = None):
        self.desk, self.host = desk, host
        self.token = access_token(host, token)
        self._socket = _bound(host, port)
        self.port = int(self._socket.getsockname()[1])
        self.guard = Guard(None, host, self.port, self.token)
        self.guard.app = make_app(desk, csrf=lambda: self.guard.csrf)
        self._uvicorn = _uvicorn(self.guard)
        self._stop = threading.Event()

    @property
    def url(self) -> str:
        """The address to open, with the token where one is needed."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    def run(self, tell: Callable[[str], None] = lambda line: None) -> None:
        """Serve until it is stopped; labels are in the table when this returns."""
        sealer = threading.Thread(target=self._seal_now_and_then, args=(tell,), daemon=True)
        sealer.start()
        threading.Thread(target=warm_up, args=(self.desk.shelf.fallback,), daemon=True).start()
        try:
            self._uvicorn.run(sockets=[self._socket])
        finally:
            self._stop.set()
            sealer.join()
            self._socket.close()
            self.desk.close()

    def stop(self) -> None:
        """Ask it to end."""
        self._uvicorn.should_exit = True

    def _seal_now_and_then(self, tell: Callable[[str], None]) -> None:
        while not self._stop.wait(SEAL_EVERY):
            try:
                self.desk.seal_if_quiet()
            except (ParcelsError, OSError) as error:  # the journal keeps the labels; the next start seals it
                tell(f"labels are safe in the journal, but not in the table yet: {error}")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(128)  # from now on a browser waits where it would be refused
    except OSError as error:
        found.close()
        raise ConfigError(f"cannot listen on {host}:{port}: {error.strerror}; choose another --port") from error
    return found


def _uvicorn(app: Any) -> Any:
    try:
        import uvicorn
    except ModuleNotFoundError as error:
        raise missing_extra("the browser page needs uvicorn and starlette", extra="ui") from error
    config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off", server_header=False)
    return uvicorn.Server(config)


@contextlib.contextmanager
def running(desk: Desk, **settings: Any) -> Iterator[Server]:
    """A server in a thread of its own."""
    server = Server(desk, **settings)
    server._uvicorn.install_signal_handlers = lambda: None
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()

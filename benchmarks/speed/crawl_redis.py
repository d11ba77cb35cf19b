"""A Redis server for measuring, on a free loopback port, that can be killed and started again."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

from parcels.common import machine
from parcels.errors import InputMissing

START_SECONDS = 30.0


class RedisServer:
    """Append-only persistence in a folder of its own; `appendfsync always`: what was answered is on disk."""

    def __init__(self, folder: Path, *, persistent: bool = True):
        if machine.redis_server() is None:
            raise InputMissing("no Redis server: make setup")
        folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        settings = {"bind": "127.0.0.1", "port": self.port, "dir": folder, "save": "", "appendfsync": "always"}
        settings["appendonly"] = "yes" if persistent else "no"
        words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        self._command = [str(machine.redis_server()), *words]
        self._process = self._start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        return self._process.pid

    def _start(self) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ends = time.monotonic() + START_SECONDS
        while time.monotonic() < ends and process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as server:
                server.sendall(b"PING\r\n")
                if server.recv(16).startswith(b"+PONG"):
                    return process
            time.sleep(0.02)
        raise InputMissing(f"the Redis server did not start on port {self.port}")

    def restart(self, *, away_seconds: float = 0.0) -> None:
        """kill -9, then the same again."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        time.sleep(away_seconds)
        self._process = self._start()

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGTERM)
        self._process.wait(START_SECONDS)

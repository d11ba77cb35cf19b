"""Every web page of webkb asked for through `parcels replay`: bytes compared, the server's CPU and memory."""

import http.client
import os
import resource
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow.parquet as pq

from benchmarks.corpora import folder
from parcels.urls import canonical

MAX_MS = 2.0  # of the server's CPU a page


def main() -> bool:
    path = folder() / "webkb" / "pages.parquet"
    stored: dict[str, bytes] = {}
    for row in pq.read_table(path, columns=["url", "html"]).to_pylist():
        if url := canonical(row["url"]):
            stored.setdefault(url, row["html"])
    words = [sys.executable, "-m", "parcels.cli", "replay", "--store", str(path), "--seconds", "600"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ)
    assert server.stdout is not None
    try:
        proxy = urlsplit(server.stdout.readline().strip())
        wrong = compare(str(proxy.hostname), int(proxy.port or 0), stored)
        peak_mb = peak_of(server.pid)
    finally:
        server.terminate()
        server.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_ms = 1000 * (used.ru_utime + used.ru_stime) / len(stored)
    print(
        f"{len(stored):,} pages, {wrong} with other bytes or another status; server: {cpu_ms:.2f} ms of CPU a page "
        f"(start included), {peak_mb:.0f} MB at its peak"
    )
    return wrong == 0 and cpu_ms <= MAX_MS


def peak_of(pid: int) -> float:
    """Megabytes of a process at its peak; what getrusage tells of a child begins with its parent's size."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))


def compare(host: str, port: int, stored: dict[str, bytes]) -> int:
    """How many addresses get anything else than 200 and their bytes."""
    connection = http.client.HTTPConnection(host, port, timeout=60)
    wrong = 0
    for url, html in stored.items():
        connection.request("GET", url)
        got = connection.getresponse()
        wrong += got.read() != html or got.status != 200
    connection.close()
    return wrong

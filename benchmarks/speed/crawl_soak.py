"""A crawl of an endless site for some minutes: memory, open files and bytes of frontier per address must stay flat.

Minutes by the variable SOAK_MINUTES (3 where it is not set): `SOAK_MINUTES=30 python -m benchmarks crawl_soak`.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.speed.crawl_site import MadeWeb, page

MINUTES = 3.0
WARM = 0.4  # share of the time after which nothing may grow: caches are full by then
MAX_GROWTH = 0.15  # of memory from then on
SPARE_MB, SPARE_FILES = 15.0, 5
WITHOUT_END = 1 << 40
SAMPLES = 60


class EndlessWeb(MadeWeb):
    """Hosts whose pages lead to further ones for ever; no page is kept."""

    def answer(self, host: str, path: str) -> bytes:
        number = path[1:] or "0"
        if host not in self.pages or not number.isdigit():
            return super().answer(host, path)
        words = " ".join(chr(97 + int(digit)) * 3 + number[-2:] for digit in f"{int(number) * 7919:014d}")
        body = page(host, int(number), WITHOUT_END, 20) + words.encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


def main() -> bool:
    minutes = float(os.environ.get("SOAK_MINUTES", MINUTES))
    web = EndlessWeb({f"{name}.example": WITHOUT_END for name in ("one", "two", "three")})
    with tempfile.TemporaryDirectory() as folder, web.serve():
        words = [*(f"http://{host}/" for host in web.pages), "--store", f"{folder}/store", "--delay", "0.05"]
        line = [sys.executable, "-m", "parcels.cli", "crawl", *words, "--no-progress", "--proxy", web.proxy]
        crawler = subprocess.Popen(line, stdout=subprocess.DEVNULL)
        try:
            rows = watch(crawler, Path(folder), web, minutes * 60)
        finally:
            crawler.terminate()
            crawler.wait(120)
    return is_flat(rows)


def watch(crawler: "subprocess.Popen[bytes]", folder: Path, web: EndlessWeb, seconds: float) -> list[tuple[float, ...]]:
    """Seconds, pages, MB of memory, open files and bytes of frontier per page, as time goes by."""
    begin, rows = time.monotonic(), []
    while (now := time.monotonic() - begin) < seconds:
        time.sleep(seconds / SAMPLES)
        if crawler.poll() is not None:
            raise RuntimeError(f"the crawl has ended by itself after {now:.0f} s")
        pages = len(web.asked)
        status = Path(f"/proc/{crawler.pid}/status").read_text()
        memory = next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))
        files = len(list(Path(f"/proc/{crawler.pid}/fd").iterdir()))
        frontier = sum(path.stat().st_size for path in folder.rglob("frontier.sqlite*"))
        rows.append((now, pages, memory, files, frontier / max(pages, 1)))
        if len(rows) % 10 == 0:
            said = f"{memory:6.1f} MB {files:3d} files {rows[-1][4]:6.0f} bytes of frontier per page"
            print(f"{now:5.0f} s {pages:7,d} pages {said}", flush=True)
    return rows


def is_flat(rows: list[tuple[float, ...]]) -> bool:
    """Print how much was gained after the warming up, and return True where that is next to nothing."""
    late = rows[int(len(rows) * WARM) :]
    half = len(late) // 2
    first, last = ([max(column) for column in zip(*part, strict=True)] for part in (late[:half], late[half:]))
    print(f"memory {first[2]:.1f} then {last[2]:.1f} MB, files {first[3]:.0f} then {last[3]:.0f}, "
          f"frontier {first[4]:.0f} then {last[4]:.0f} bytes per page")  # fmt: skip
    is_steady = last[2] <= first[2] * (1 + MAX_GROWTH) + SPARE_MB
    return is_steady and last[3] <= first[3] + SPARE_FILES and last[4] <= first[4] * (1 + MAX_GROWTH)

"""Send pages to worker processes that run the sanitized package, and keep those that lead to a report."""

import json
import os
import re
import selectors
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

from benchmarks.fuzz.pages import FuzzPage

SAID = re.compile(r"runtime error:|AddressSanitizer|UndefinedBehaviorSanitizer|Sanitizer: |hard rss limit")
FRAME = re.compile(r"#\d+ 0x\w+ in (\S*(?:pyx|parcels)\S*)")
WHERE = re.compile(r"^\S+?:\d+:\d+: runtime error: .*|ERROR: \S+: \S+", re.M)
START_SECONDS = 120.0
KEPT_PER_KIND = 3  # pages that are saved of reports of one kind
TELL_SECONDS = 10.0
LONGEST_REPORT = 20_000  # characters


class Report(NamedTuple):
    """A fault found with one page."""

    kind: str  # reports of one kind are counted together
    page: FuzzPage
    text: str


@dataclass
class Tally:
    """Counts and faults of all pages so far."""

    total: int
    outcomes: Counter[str] = field(default_factory=Counter)
    reports: list[Report] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    started: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> int:
        """The number of pages tried."""
        return self.outcomes.total()

    def line(self) -> str:
        """Return the progress as one line."""
        seconds = time.monotonic() - self.started
        left = seconds / max(1, self.done) * (self.total - self.done)
        return (
            f"sanitize: {self.done:,} of {self.total:,} pages, {len(self.reports)} reports, "
            f"{seconds:.0f} s, about {left:.0f} s left"
        )


class Worker:
    """A process that runs the sanitized package; it is started again when it dies."""

    def __init__(self, target: str, folder: Path, number: int, variables: Mapping[str, str]):
        self.command = [sys.executable, "-W", "ignore", "-m", "benchmarks.fuzz.worker", target]
        self.folder, self.variables = folder, variables
        self.log = folder / f"worker-{number}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the process with the sanitized package before all others on its path."""
        root = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join([str(self.folder / "tree"), root])
        environ = os.environ | dict(self.variables) | {"PYTHONPATH": path, "PARCELS_CONFIG": "none"}
        with self.log.open("wb") as log:
            return subprocess.Popen(
                self.command, cwd=self.folder, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )

    def try_page(self, page: FuzzPage, seconds: float) -> tuple[str, list[Report]]:
        """Return what became of a page, and what was reported of it."""
        is_new = self.process is None
        if self.process is None:
            self.process = self.start()
        before = self.log.stat().st_size
        header = json.dumps({"size": len(page.html), "url": page.url}).encode() + b"\n"
        try:
            _pipe(self.process.stdin).write(header + page.html)
            _pipe(self.process.stdin).flush()
            line = self._answer(seconds + START_SECONDS * is_new)
        except BrokenPipeError:
            line = b""
        if not line:
            return self._ended(page, before, seconds)
        answer = json.loads(line)
        said = self._said(before)
        reports = [Report(_python_kind(error), page, error) for error in answer["errors"]]
        if SAID.search(said):
            reports.append(Report(_kind(said), page, said))
        return "report" if reports else answer["outcome"], reports

    def _answer(self, seconds: float) -> bytes:
        assert self.process
        with selectors.DefaultSelector() as selector:
            selector.register(_pipe(self.process.stdout), selectors.EVENT_READ)
            return _pipe(self.process.stdout).readline() if selector.select(seconds) else b""

    def _ended(self, page: FuzzPage, before: int, seconds: float) -> tuple[str, list[Report]]:
        """Report a page at which the process died, or which took too long."""
        assert self.process
        is_slow = self.process.poll() is None and not SAID.search(self._said(before))
        try:
            self.process.wait(0 if is_slow else 30)  # while a report is written
        except subprocess.TimeoutExpired:
            self.process.kill()
        code, self.process = self.process.wait(), None
        said = self._said(before)
        if is_slow:
            return "too slow", [Report("too slow", page, f"no answer within {seconds:.0f} s\n{said}")]
        return "died", [Report(_kind(said) if SAID.search(said) else f"exit code {code}", page, said)]

    def _said(self, before: int) -> str:
        with self.log.open("rb") as log:
            log.seek(before)
            return log.read(LONGEST_REPORT).decode("utf-8", "replace")

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            _pipe(self.process.stdin).close()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def run(
    pages: Iterable[tuple[FuzzPage, float]], total: int, target: str, folder: Path, variables: Mapping[str, str], *,
    workers: int, tell: IO[str] = sys.stderr,
) -> Tally:  # fmt: skip
    """Try every page within its seconds and return what became of them; pages with a report are saved in the folder."""
    tally, lock = Tally(total), threading.Lock()
    rest: Iterator[tuple[FuzzPage, float]] = iter(pages)
    kinds: Counter[str] = Counter()
    told = [time.monotonic()]

    def work(worker: Worker) -> None:
        while True:
            with lock:
                page, seconds = next(rest, (None, 0.0))
            if page is None:
                break
            started = time.monotonic()
            outcome, reports = worker.try_page(page, seconds)
            with lock:
                tally.outcomes[outcome] += 1
                tally.slowest = max(tally.slowest, (time.monotonic() - started, page.name))
                for report in reports:
                    kinds[report.kind] += 1
                    tally.reports.append(report)
                    if kinds[report.kind] <= KEPT_PER_KIND:
                        save(report, folder / "reports", len(tally.reports))
                        print(f"sanitize: {report.kind} ({page.name})", file=tell, flush=True)
                if time.monotonic() - told[0] > TELL_SECONDS:
                    told[0] = time.monotonic()
                    print(tally.line(), file=tell, flush=True)
        worker.close()

    (folder / "reports").mkdir(parents=True, exist_ok=True)
    for old in (folder / "reports").iterdir():
        old.unlink()
    threads = [threading.Thread(target=work, args=[Worker(target, folder, n, variables)]) for n in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return tally


def save(report: Report, folder: Path, number: int) -> None:
    """Write the page and the report beside each other."""
    (folder / f"{number:04}.html").write_bytes(report.page.html)
    head = f"{report.kind}\npage: {report.page.name}\nurl: {report.page.url}\n\n"
    (folder / f"{number:04}.txt").write_text(head + report.text, encoding="utf-8")


def _kind(said: str) -> str:
    """Return what a sanitizer's report has in common with those of the same fault: what, and the innermost function."""
    what, frame = WHERE.search(said), FRAME.search(said)
    return f"{what[0] if what else said[:80]!s:.160}{f' in {frame[1]}' if frame else ''}"


def _python_kind(report: str) -> str:
    """Return the error and the innermost place of a Python traceback."""
    lines = report.strip().splitlines()
    places = [line.strip() for line in lines if line.lstrip().startswith("File ")]
    return f"{lines[-1]:.160}{f' in {places[-1]}' if places else ''}"


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe
    return pipe

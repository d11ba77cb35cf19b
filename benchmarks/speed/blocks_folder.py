"""`parcels blocks FOLDER` as a user runs it, beside `trafilatura.extract` over the same folder.

Each runs in a process of its own on one core: start, models, reading files, labels and JSON all count, and every page
comes once.

    python -m benchmarks blocks_folder

The two take turns; the CPU of the whole process counts, the least of several turns, since other work on a machine makes
CPU only dearer. What a folder of one page costs is told beside it: it is nearly all start. PARCELS_BENCH_EVERY=4 takes
every fourth page.
"""

import os
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from benchmarks import corpora
from benchmarks.quality.layout import one_core

CORPORA = ("news17", "news-unlabelled")
EVERY = int(os.environ.get("PARCELS_BENCH_EVERY", "1"))
TURNS = 3
MARK = 1.0  # times trafilatura's pages a second
OWN, PEER = "parcels blocks FOLDER", "trafilatura.extract"
COMMANDS = {
    OWN: ["-m", "parcels.cli", "blocks", "--no-progress", "--out", os.devnull],
    PEER: ["-m", "benchmarks.speed.blocks_folder"],
}


def main() -> bool:
    with tempfile.TemporaryDirectory() as made, one_core():
        every, one = Path(made, "every"), Path(made, "one")
        count = written(every, None)
        written(one, 1)
        whole, start = (least_seconds(folder) for folder in (every, one))
    print(f"{' and '.join(CORPORA)}, {count} pages, every page once; CPU on one core, least of {TURNS} turns")
    for name in COMMANDS:
        page = 1000 * whole[name] / count
        beyond = 1000 * (whole[name] - start[name]) / (count - 1)
        told = f"{page:6.2f} ms a page, {1000 / page:5.1f} pages/s"
        print(f"  {name:<22} {told}; start and the first page {start[name]:.2f} s, then {beyond:.2f} ms a page")
    ratio = whole[PEER] / whole[OWN]
    print(
        f"  pages/s, {ratio:.2f} times trafilatura's (mark {MARK:g}); behind the first page {_behind(whole, start):.2f}"
    )
    return ratio >= MARK


def _behind(whole: dict[str, float], start: dict[str, float]) -> float:
    return (whole[PEER] - start[PEER]) / (whole[OWN] - start[OWN])


def written(folder: Path, most: int | None) -> int:
    """Write the pages as files; how many there are."""
    folder.mkdir()
    raws = (raw for name in CORPORA for raw in corpora.pages(name))
    count = 0
    for count, raw in enumerate(islice(raws, 0, most, EVERY), 1):
        (folder / f"{count:05}.html").write_bytes(raw.html)
    return count


def least_seconds(folder: Path) -> dict[str, float]:
    """Seconds of CPU of each command over the folder."""
    least = dict.fromkeys(COMMANDS, float("inf"))
    # Installed packages have their bytecode beside them, so ours may write its own in the first turn.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(TURNS):
        for name, command in COMMANDS.items():
            process = subprocess.Popen([sys.executable, *command, str(folder)], stderr=subprocess.DEVNULL, env=environ)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise RuntimeError(f"{name} ended with {process.returncode}")
            least[name] = min(least[name], used.ru_utime + used.ru_stime)
    return least


def peer(folder: Path) -> None:
    """Extract every page of a folder with trafilatura, as its users do."""
    from trafilatura import extract

    with Path(os.devnull).open("w") as out:
        for path in sorted(folder.iterdir()):
            out.write(extract(path.read_bytes()) or "")


if __name__ == "__main__":
    peer(Path(sys.argv[1]))

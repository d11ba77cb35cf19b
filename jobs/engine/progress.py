"""What a user hears of a job: pages and blocks, not stages."""

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from parcels.common.progress import Progress

LOOK_SECONDS = 0.5


@contextmanager
def progress(total: int, *, pages: Callable[[], int], blocks: Callable[[], int], enabled: bool) -> Iterator[None]:
    """Tell how far a pass is while the block runs; the counts are those of finished tasks."""
    ended = threading.Event()
    with Progress("pages", total=total, enabled=enabled) as bar:

        def look() -> None:
            while not ended.wait(LOOK_SECONDS):
                bar.what = f"pages ({blocks():,} blocks)"
                bar.add(max(pages() - bar.done, 0))

        watcher = threading.Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()
            bar.what = f"pages ({blocks():,} blocks)"
            bar.add(max(pages() - bar.done, 0))


def summary(job: str, counts: Mapping[str, int], seconds: float) -> str:
    """One line of what a job did.

    >>> summary("divide", {"pages": 10, "blocks": 70, "rejected: empty": 1}, 2.0)
    'divide: 10 pages, 70 blocks; rejected: empty 1; 2.0 s, 5.0 pages/s'
    >>> summary("divide", {}, 1.0)
    'divide: nothing to do'
    """
    if not counts:
        return f"{job}: nothing to do"
    made = ", ".join(f"{count:,} {name}" for name, count in counts.items() if ":" not in name)
    parts = [made] if made else []
    rejected = [
        f"{name.partition(': ')[2]} {count:,}" for name, count in counts.items() if name.startswith("rejected:")
    ]
    if rejected:
        parts.append(f"rejected: {', '.join(rejected)}")
    rate = f", {counts['pages'] / seconds:,.1f} pages/s" if counts.get("pages") and seconds else ""
    return f"{job}: {'; '.join([*parts, f'{seconds:,.1f} s{rate}'])}"


def tell(line: str) -> None:
    """A line for the user that is no result."""
    print(line, file=sys.stderr, flush=True)

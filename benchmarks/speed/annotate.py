"""Is the browser page quick? A page of 1,000 blocks in a real Chromium: when it can be used, and how soon a key shows.

Usable: all regions are drawn and a key is taken, counted from the navigation. A key shows: from the key's own time to
the frame in which the region has its colour. Both are told by the browser's clock and in CPU time (of this process, in
which the server runs, and of the tab's main thread). The marks are held against the clock and the first opening.
"""

import os
import statistics
import tempfile
import time
from pathlib import Path

from parcels.annotate.page_sources import StorePageSource
from parcels.annotate.serve import running
from parcels.annotate.session import AnnotationSession
from parcels.common.machine import chromium
from parcels.errors import ConfigError
from parcels.importing.run_record import RunRecord
from parcels.layout.chromium.renderer import FLAGS
from parcels.store import Store, open_store

BLOCKS = 1000
LOADS, KEYS = 3, 20
USABLE_MS, KEY_MS = 1500.0, 50.0

Times = tuple[float, float]  # by the clock, of CPU

MEASURE_KEY = """() => new Promise((done) => {
  const { labelling } = parcels.app;
  const n = labelling.at;
  document.addEventListener('keydown', (event) => {
    const began = event.timeStamp;
    queueMicrotask(() => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done({
        ms: performance.now() - began, shows: labelling.stage.regions[n].classList.contains('own') });
      channel.port2.postMessage(null);
    }));
  }, { once: true });
})"""


def page_of(blocks: int) -> bytes:
    """A long page as sites make them: teasers with headline, link, date and image in columns."""
    teaser = (
        '<article class="t"><img width=120 height=80 alt="picture {n}"><h3><a href="/a/{n}">Headline number {n} of the '
        "day</a></h3><p>A sentence that says what story {n} is about.</p><time>{day} May 2025</time></article>"
    )
    teasers = "".join(teaser.format(n=n, day=n % 28 + 1) for n in range(blocks // 4))
    style = ".t { width: 23%; float: left; margin: 1% } h3 { font: bold 15px serif } time { color: #777 }"
    return f"<!DOCTYPE html><title>{blocks} blocks</title><style>{style}</style>{teasers}".encode()


def make_store(folder: Path) -> Store:
    store = open_store(folder, create=True)
    with RunRecord(store, step="benchmark", crawl="benchmark", settings={}) as run:
        html = page_of(BLOCKS)
        run.page(html, record="long", address="http://long.example/", name="long", source="benchmark")
    return store


def cpu_ms(session) -> float:
    """CPU time of a tab's main thread."""
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(found["TaskDuration"])


def measure(url: str, page: str) -> tuple[int, list[Times], list[Times]]:
    """Blocks, and ms until usable and until a key shows, by the clock and in CPU time."""
    from playwright.sync_api import sync_playwright

    program = chromium()
    if program is None:
        raise ConfigError("no Chromium: make setup")
    loads, keys = [], []
    with sync_playwright() as playwright:
        flags = [flag for flag in FLAGS if "host-resolver" not in flag]  # they would not find this machine either
        browser = playwright.chromium.launch(executable_path=str(program), args=flags)
        for number in range(LOADS):
            tab = browser.new_page(viewport={"width": 1440, "height": 900})
            tab.set_default_timeout(120_000)
            tab.route("**/why/*", lambda route: route.abort())  # explanations come behind the label, at leisure
            session = tab.context.new_cdp_session(tab)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            began = time.process_time()
            tab.goto(f"{url}?page={page}#/label/bench{number}")
            tab.wait_for_selector("body[data-ready]")
            spent = cpu_ms(session) + 1000 * (time.process_time() - began)
            loads.append((float(tab.evaluate("parcels.app.usableAt")), spent))
        blocks = int(tab.evaluate("document.querySelectorAll('.region').length"))
        for number in range(KEYS):
            waits = tab.evaluate_handle(f"() => ({{ done: ({MEASURE_KEY})() }})")
            before = cpu_ms(session)  # the server is not asked before the key shows
            tab.keyboard.press("mstv"[number % 4])
            found = tab.evaluate("(waits) => waits.done", waits)
            assert found["shows"], "the key did nothing"
            keys.append((float(found["ms"]), cpu_ms(session) - before))
        browser.close()
    return blocks, loads, keys


def main() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        store = make_store(Path(folder) / "store")
        source = StorePageSource(store)
        with running(AnnotationSession(source, store=store, journals=Path(folder) / "journals")) as server:
            blocks, loads, keys = measure(server.url, next(iter(source.entries)))
    first, again = loads[0], min(loads[1:])
    typical = [statistics.median(times[kind] for times in keys) for kind in (0, 1)]
    slow = [sorted(times[kind] for times in keys)[int(0.95 * len(keys))] for kind in (0, 1)]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for what, kind in (("by the clock", 0), ("of CPU", 1)):
        print(f"{blocks} blocks: usable after {first[kind]:.0f} ms {what}, {again[kind]:.0f} ms when opened again")
        print(
            f"a key shows after {typical[kind]:.0f} ms {what} (median), {slow[kind]:.0f} ms (95 %), of {len(keys)} keys"
        )
    return first[0] <= USABLE_MS and typical[0] <= KEY_MS


if __name__ == "__main__":
    raise SystemExit(0 if main() else 4)

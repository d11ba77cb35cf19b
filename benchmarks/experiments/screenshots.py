"""Take the pictures of README.md and docs/annotating.md from a real browser.

`python -m benchmarks.experiments.screenshots` makes a store of the example web with the whole pipeline, on Spark here.
`--store STORE` uses a store that has labels, annotations and rounds. `--without-store` takes only the pictures of
`parcels inspect`.
"""

import argparse
import os
import tempfile
from collections import Counter
from pathlib import Path

from parcels import example_web
from parcels.annotate.page_sources import FilePageSource, StorePageSource
from parcels.annotate.serve import running
from parcels.annotate.session import AnnotationSession
from parcels.cli.main import main as parcels
from parcels.common.machine import chromium
from parcels.divide import fine
from parcels.errors import ConfigError
from parcels.example_web.gold import ATTRIBUTE
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.labels.gold import INSIDE_TEXT
from parcels.layout.chromium.renderer import FLAGS
from parcels.report.report import report
from parcels.store import Store, open_store
from parcels.urls import canonical

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SCREEN, SMALL_SCREEN = {"width": 1360, "height": 820}, {"width": 1000, "height": 490}
ARTICLE = "lumen.example"
READY = "body[data-ready]"
EXPLAINED = "#panel table th"  # the table of features has a head, that of votes has none


def make_store(folder: Path) -> Store:
    """Make a store of the example web, divided, labelled by two annotators and by models."""
    os.chdir(folder)  # the report prints the path of the store
    where = "example"
    parcels(["demo", "--store", where, "--no-progress"])
    store = open_store(where)
    label_some(store)
    parcels(["run", "divide..classify", "--store", where, "--rounds", "8", "--name", "mine", "--no-progress"])
    return store


def label_some(store: Store, *, pages: int = 24) -> None:
    """Label pages as two annotators: one gives the known labels, the other differs on some of them."""
    source = StorePageSource(store)
    session = AnnotationSession(source, store=store, journals=Path(store.location.path("_annotate")))
    articles = [url for host in example_web.hosts()[:3] for url in example_web.article_urls(host)[: pages // 3]]
    for page, entry in source.entries.items():
        if entry.url in articles:
            labels = known_labels(entry.url)
            session.save(page, "ann", f"ann-{page}", labels)
            other = {n: "sitecontent" if label == "sitenav" and n % 7 == 0 else label for n, label in labels.items()}
            session.save(page, "bob", f"bob-{page}", other)
    session.close()


def known_labels(url: str) -> dict[int, str]:
    """Return the labels of a page's blocks, from the marks in the example web's gold markup."""
    page = read_page(example_web.gold_html(url), url)
    labels = {}
    for block, (first, end) in enumerate(fine.divide(page).ranges()):
        votes: Counter[str] = Counter()
        for leaf in range(first, end):
            row = int(page.leaves.node[leaf])
            while not (label := page.nodes.elements[row].get(ATTRIBUTE)):
                row = int(page.nodes.parent[row])
            votes[INSIDE_TEXT.get(label, label)] += max(1, len(page.leaves.text[leaf]))
        labels[block] = votes.most_common(1)[0][0]
    return labels


def take_of_store(store: Store, tab) -> None:
    """Take the pictures of the annotator and of the report."""
    source = StorePageSource(store)
    url = example_web.article_urls(ARTICLE)[-1]
    page = next(page for page, entry in source.entries.items() if entry.url == url)
    with running(AnnotationSession(source, store=store, journals=Path(store.location.path("_annotate")))) as server:
        annotator(tab, server.url, page)
        project(tab)
        film(tab)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        file.write_text(report(store), "utf-8")
        tab.goto(file.as_uri())
        picture(tab, "report")


def take_of_file(tab) -> None:
    """Take the pictures of `parcels inspect` on a page."""
    url = example_web.article_urls(ARTICLE)[-1]
    raw = RawPage(url, example_web.fetch(url).body, url, css=sheets_of(url))
    with running(AnnotationSession(FilePageSource([raw], model="news"))) as server:
        inspector(tab, server.url)
        tab.set_viewport_size(SMALL_SCREEN)
        labelled_page(tab, server.url)


def sheets_of(url: str) -> dict[str, bytes]:
    """Return the style sheets of a page of the example web."""
    links = read_page(example_web.fetch(url).body, url).root.iter("link")
    sheets = [canonical(link.get("href") or "", url) for link in links if "stylesheet" in (link.get("rel") or "")]
    return {address: example_web.fetch(address).body for address in sheets if address}


def annotator(tab, url: str, page: str) -> None:
    tab.goto(f"{url}?page={page}#/label/dan")
    tab.wait_for_selector(READY)
    first = tab.evaluate("parcels.app.page.blocks.find((block) => block.label === 'title').n")
    tab.evaluate(f"parcels.app.labelling.go({first})")
    for _ in range(5):
        tab.keyboard.press("Enter")
    tab.wait_for_selector(EXPLAINED)
    picture(tab, "annotator")


def project(tab) -> None:
    tab.keyboard.press("q")
    tab.click("[data-tab=agreement]")
    tab.wait_for_selector("#project table, #project p")
    tab.click("[data-tab=curve]")
    tab.wait_for_selector("#project svg, #project p:not(.muted)")
    picture(tab, "project")
    tab.keyboard.press("Escape")


def film(tab) -> None:
    tab.click("#open-film")
    tab.wait_for_selector("#film input, #film .muted")
    if tab.locator("#film input").count():  # there is no film before co-training
        tab.evaluate("parcels.app.show(parcels.app.rounds.history.pages[0].page)")
        tab.wait_for_timeout(1500)
        sure = "parcels.app.rounds.blocks.findIndex((one, n) => one && ['title', 'maincontent'].includes(one.label))"
        tab.evaluate(f"parcels.app.labelling.go(Math.max({sure}, 0))")
        tab.wait_for_selector(EXPLAINED)
        picture(tab, "film")


def inspector(tab, url: str) -> None:
    tab.goto(f"{url}#/inspect")
    tab.wait_for_selector(READY)
    tab.keyboard.press("u")
    tab.wait_for_selector(EXPLAINED)
    picture(tab, "inspector")


def labelled_page(tab, url: str) -> None:
    tab.goto("about:blank")
    tab.goto(f"{url}#/inspect")
    tab.wait_for_selector(READY)
    title = tab.evaluate("parcels.app.page.blocks.find((block) => block.label === 'title').n")
    tab.evaluate(f"parcels.app.labelling.go({title})")
    tab.keyboard.press("x")  # hides the cookie banner
    tab.wait_for_selector(EXPLAINED)
    picture(tab, "page")


def picture(tab, name: str) -> None:
    tab.wait_for_timeout(600)
    tab.screenshot(path=str(IMAGES / f"{name}.png"))
    print(f"docs/images/{name}.png: {(IMAGES / f'{name}.png').stat().st_size:,} bytes")


def main(store: str | None = None, *, without_store: bool = False) -> bool:
    from playwright.sync_api import sync_playwright

    program = chromium()
    if program is None:
        raise ConfigError("no Chromium: make setup")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        flags = [flag for flag in FLAGS if "host-resolver" not in flag]
        browser = playwright.chromium.launch(executable_path=str(program), args=flags)
        tab = browser.new_page(viewport=SCREEN)
        tab.set_default_timeout(180_000)
        take_of_file(tab)
        if not without_store:
            tab.set_viewport_size(SCREEN)
            take_of_store(open_store(store) if store else make_store(Path(folder)), tab)
        browser.close()
    return True


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", help="a store with labels, annotations and rounds of the example web")
    parser.add_argument("--without-store", action="store_true", help="only the pictures of parcels inspect")
    arguments = parser.parse_args()
    raise SystemExit(0 if main(arguments.store, without_store=arguments.without_store) else 4)

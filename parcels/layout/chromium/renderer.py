"""Chromium as a renderer: a browser's boxes on the rows of a page.

Every element carries its row into the browser as an attribute, so that the browser's own parser may move it without
shifting anything. Nothing of the page runs and nothing leaves the machine: scripts are taken out and switched off,
available style sheets are inlined, every request is blocked, and the browser can resolve no name.
"""

import base64
import copy
import os
import re
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from lxml import etree

from parcels.common import machine
from parcels.common.optional import missing_extra
from parcels.css.sheets.source import SheetSource
from parcels.errors import ConfigError, SkipRecord
from parcels.html.page import Page
from parcels.layout.boxes import Layout
from parcels.layout.chromium.boxes import COMPUTED, layout_of
from parcels.layout.chromium.sheets import Inliner

NO_SHEETS = SheetSource()
SCREEN_HEIGHT = 800
SECONDS_A_PAGE = 20.0
START_SECONDS = 60.0
ROW = "data-parcels-row"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no name is ever resolved
)
BLOCKED = ("http*", "ws*", "ftp*", "file*", "chrome*", "blob*")  # data: stays: it is in the page
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CHANGED = ("script", "noscript", "template", "style", "link", "meta", "base", "iframe", "object", "embed", "frame")
_SILENT = frozenset(["script", "noscript", "template"])  # a browser that runs scripts shows nothing of these


class ChromiumRenderer:
    """One browser for many pages; use it as a context manager.

    All talk with the browser happens in a thread of its own: callers may be several threads (they take turns), or run
    inside an event loop, where Playwright's plain interface would refuse to work.
    """

    def __init__(self, *, program: Path | None = None, seconds: float = SECONDS_A_PAGE):
        self.program, self.seconds = program, seconds
        self.starts = 0  # browser starts: more than one after crashes and timeouts
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="chromium")
        self._playwright: Any = None
        self._browser: Any = None
        self._process: int | None = None
        self._tab: tuple[Any, str] | None = None  # the session of the one tab, and its frame

    def __enter__(self) -> "ChromiumRenderer":
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def start(self) -> None:
        """Start the browser; ConfigError where there is none."""
        self._thread.submit(self._start).result()

    def close(self) -> None:
        """End the browser."""
        self._thread.submit(self._close).result()
        self._thread.shutdown()

    def render(self, page: Page, sheets: SheetSource = NO_SHEETS, *, width: float = 1000.0) -> Layout:
        """Return the page's layout; SkipRecord if the browser crashes or takes too long."""
        html = marked_html(page, sheets)
        wanted = {"computedStyles": list(COMPUTED), "includePaintOrder": True, "includeBlendedBackgroundColors": True}
        work = partial(self._show, html, width, page.url or page.name, "DOMSnapshot.captureSnapshot", wanted)
        return layout_of(page, self._thread.submit(work).result(), width=width, row_attribute=ROW)

    def screenshot(
        self, page: Page, sheets: SheetSource = NO_SHEETS, *, width: float = 1000.0, height: float = 4000.0
    ) -> bytes:
        """Return a screenshot of the page as PNG, from its top down to `height`."""
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        wanted = {"clip": clip, "captureBeyondViewport": True}
        html = marked_html(page, sheets)
        work = partial(self._show, html, width, page.url or page.name, "Page.captureScreenshot", wanted)
        return base64.b64decode(self._thread.submit(work).result()["data"])

    def _start(self) -> None:
        program = self.program or machine.chromium()
        if program is None:
            raise ConfigError(
                "--renderer chromium needs Chromium, which was not found. Run: apt-get install chromium, or make setup."
            )
        try:
            from playwright.sync_api import Error, sync_playwright
        except ImportError as error:
            raise missing_extra("--renderer chromium needs playwright", extra="browser") from error
        try:
            if self._playwright is None:
                self._playwright = sync_playwright().start()
            self._browser = self._playwright.chromium.launch(
                executable_path=str(program), args=list(FLAGS), timeout=START_SECONDS * 1000
            )
            self._process = _process_of(self._browser)
        except Error as error:
            self._close()
            raise ConfigError(f"Chromium at {program} failed to start: {str(error).splitlines()[0]}") from error
        self.starts += 1

    def _close(self) -> None:
        self._stop_browser()
        if self._playwright is not None:
            with suppress(Exception):
                self._playwright.stop()
            self._playwright = None

    def _show(self, html: str, width: float, where: str, question: str, wanted: dict[str, Any]) -> dict[str, Any]:
        """Show a page and ask for something; a watchdog ends the browser when the page's time is over."""
        from playwright.sync_api import Error

        if self._browser is None or not self._browser.is_connected():
            self._stop_browser()
            self._start()
        is_late = threading.Event()
        watchdog = threading.Timer(self.seconds, self._end_process, (is_late,))
        watchdog.daemon = True
        watchdog.start()
        try:
            tab, frame = self._tab or self._open_tab()
            screen = {"width": round(width), "height": SCREEN_HEIGHT, "deviceScaleFactor": 1, "mobile": False}
            tab.send("Emulation.setDeviceMetricsOverride", screen)
            tab.send("Page.setDocumentContent", {"frameId": frame, "html": html})
            answer: dict[str, Any] = tab.send(question, wanted)
            tab.send("Page.setDocumentContent", {"frameId": frame, "html": ""})
            return answer
        except Error as error:
            self._stop_browser()  # the tab crashed or was killed; the browser's state is unknown
            raise _skipped(error, where, is_late.is_set(), self.seconds) from error
        finally:
            watchdog.cancel()

    def _open_tab(self) -> tuple[Any, str]:
        context = self._browser.new_context(java_script_enabled=False, offline=True, service_workers="block")
        tab = context.new_cdp_session(context.new_page())
        for command, values in (
            ("Network.enable", {}),
            ("Network.setBlockedURLs", {"urls": list(BLOCKED)}),
            ("Page.enable", {}),
        ):
            tab.send(command, values)
        self._tab = tab, tab.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        return self._tab

    def _end_process(self, is_late: threading.Event) -> None:
        is_late.set()
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)

    def _stop_browser(self) -> None:
        if self._browser is None:
            return
        from playwright.sync_api import Error

        with suppress(Error):
            self._browser.close()
        self._browser, self._process, self._tab = None, None, None


def marked_html(page: Page, sheets: SheetSource = NO_SHEETS) -> str:
    """Return the page's HTML for the browser: rows marked, sheets inlined, scripts and links removed."""
    root = copy.deepcopy(page.root)
    for row, element in enumerate(root.iter(etree.Element)):
        element.set(ROW, str(row))
    base = next((element.get("href") or "" for element in root.iter("base")), "")
    inliner = Inliner(sheets, page.url, base)
    for element in list(root.iter(*_CHANGED)):
        tag = element.tag
        if tag in _SILENT:
            _empty(element)
        elif tag == "style":
            element.text = _safe(inliner.complete(element.text or ""))
        elif tag == "link":
            _put_in_place(element, inliner)
        elif tag == "meta":
            _drop(element, "http-equiv")  # refresh, content-security-policy, default-style
        else:
            _drop(element, "href", "src", "srcdoc", "data")
    doctype: str = page.root.getroottree().docinfo.doctype  # type: ignore[attr-defined]
    text: str = etree.tostring(root, method="html", encoding="unicode", with_tail=False)
    return f"{doctype}\n{text}"


def _drop(element: etree._Element, *names: str) -> None:
    for name in names:
        if name in element.attrib:
            del element.attrib[name]


def _empty(element: etree._Element) -> None:
    element.text = None
    for child in list(element):
        element.remove(child)


def _put_in_place(link: etree._Element, inliner: Inliner) -> None:
    """Turn a link to an available sheet into a `style` element."""
    words = (link.get("rel") or "").lower().split()
    is_sheet = "stylesheet" in words and "alternate" not in words and link.get("disabled") is None
    address = link.get("href")
    _drop(link, "href")
    text = inliner.linked(address) if is_sheet and address else None
    if text is None:
        return
    kept = {name: link.get(name) for name in (ROW, "media", "title", "id", "class")}
    link.attrib.clear()
    link.tag = "style"
    for name, value in kept.items():
        if value is not None:
            link.set(name, value)
    link.text = _safe(text)


def _safe(css: str) -> str:
    """Return a sheet that neither ends its element early nor holds characters that XML forbids."""
    return _NOT_XML.sub(" ", css.replace("</", "<\\/"))


def _process_of(browser: Any) -> int | None:
    """Return the browser's process id, to kill it when it no longer responds."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return next((int(process["id"]) for process in processes if process["type"] == "browser"), None)


def _skipped(error: Exception, where: str, is_late: bool, seconds: float) -> SkipRecord:
    if is_late:
        return SkipRecord("too-slow", where, f"Chromium took more than {seconds:g} s")
    return SkipRecord("crashed", where, f"Chromium: {str(error).splitlines()[0][:200]}")

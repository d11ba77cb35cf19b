"""Render pages with Chromium, with limits on time and on what a page may load.

Only documents, scripts, style sheets and data are loaded, by GET, from where the crawler itself may fetch. The browser
resolves names again after the check: a name that changes its IP address in between could lead it to a private address,
so crawls of untrusted pages should render through a proxy.
"""

import asyncio
from pathlib import Path
from typing import Any

from crawler.fetch.safety import is_private_address, refusal
from parcels.common import machine
from parcels.common.optional import missing_extra
from parcels.errors import ConfigError, SkipRecord
from parcels.urls import host_of

SECONDS_A_PAGE = 20.0
SETTLE_SECONDS = 0.5  # after the network is quiet
MAX_HTML = 20_000_000  # characters
_LOADED = frozenset(["document", "script", "stylesheet", "xhr", "fetch"])
_NO_WINDOWS = "window.open = () => null"
_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run")


class Browser:
    """Chromium controlled by Playwright, started for the first page; it renders one page at a time."""

    def __init__(
        self, *, program: Path | None = None, proxy: str | None = None, is_private_allowed: bool = False,
        user_agent: str | None = None, seconds: float = SECONDS_A_PAGE,
    ):  # fmt: skip
        self._program, self._proxy, self._seconds = program, proxy, seconds
        self._is_private_allowed, self._user_agent = is_private_allowed, user_agent
        self._turn = asyncio.Lock()
        self._playwright: Any = None
        self._browser: Any = None

    async def html(self, url: str) -> tuple[str, str]:
        """Return a page's address and markup after its scripts ran; raise SkipRecord on failure or time-out."""
        from playwright.async_api import Error

        async with self._turn:
            await self._start()
            context = await self._browser.new_context(
                user_agent=self._user_agent, accept_downloads=False, service_workers="block",
                ignore_https_errors=self._proxy is not None,
            )  # fmt: skip
            try:
                return await asyncio.wait_for(self._load(context, url), self._seconds)
            except TimeoutError as error:
                raise SkipRecord("render-time-out", url, f"more than {self._seconds:g} s") from error
            except Error as error:
                raise SkipRecord("render-failed", url, str(error).splitlines()[0]) from error
            finally:
                await context.close()

    async def close(self) -> None:
        """End the browser."""
        if self._browser is not None:
            await self._browser.close()
        if self._playwright is not None:
            await self._playwright.stop()
        self._browser = self._playwright = None

    async def _load(self, context: Any, url: str) -> tuple[str, str]:
        await context.route("**/*", self._gate)
        await context.add_init_script(_NO_WINDOWS)
        tab = await context.new_page()
        context.on("page", lambda other: asyncio.ensure_future(other.close()))  # what a click opened all the same
        await tab.goto(url, wait_until="networkidle", timeout=self._seconds * 1000)
        await asyncio.sleep(SETTLE_SECONDS)
        return str(tab.url), str(await tab.content())[:MAX_HTML]

    async def _gate(self, route: Any) -> None:
        """Let a request pass if a page's text needs it and the crawler itself may fetch it."""
        request = route.request
        if request.resource_type in _LOADED and request.method == "GET" and await self._is_safe(request.url):
            await route.continue_()
        else:
            await route.abort()

    async def _is_safe(self, url: str) -> bool:
        if self._is_private_allowed:
            return True
        if refusal(url) is not None:
            return False
        if self._proxy is not None:  # names are the proxy's business
            return True
        try:
            addresses = await asyncio.get_running_loop().getaddrinfo(host_of(url), None)
        except OSError:
            return False
        return bool(addresses) and not any(is_private_address(str(entry[4][0])) for entry in addresses)

    async def _start(self) -> None:
        if self._browser is not None and self._browser.is_connected():
            return
        program = self._program or machine.chromium()
        if program is None:
            raise ConfigError("--render auto needs Chromium: apt-get install chromium, or make setup")
        try:
            from playwright.async_api import async_playwright
        except ImportError as error:
            raise missing_extra("--render auto needs playwright", extra="browser") from error
        if self._playwright is None:
            self._playwright = await async_playwright().start()
        self._browser = await self._playwright.chromium.launch(
            executable_path=str(program), args=list(_FLAGS), proxy={"server": self._proxy} if self._proxy else None
        )

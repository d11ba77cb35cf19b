"""Define the typed settings of a crawl, from the command line or Scrapy's settings; its run stores them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import parcels
from crawler.frontier.contract import FrontierPolicy
from parcels.errors import ConfigError
from parcels.store import Store

STATE = "_crawl"  # beside the tables: frontier and spool
WARC = "_warc"
SPIDERS = ("news", "directory", "focused")
FOCUSED_PATIENCE = 600.0  # a focused crawl chooses among hosts: the usual patience would serve them in turn
USER_AGENT = f"parcels/{parcels.__version__} (crawler; robots.txt is obeyed)"


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """The settings of a crawl. The comment of a field says what None means."""

    store: str
    seeds: tuple[str, ...] = ()
    crawl: str = "crawl"
    spider: str = "news"
    frontier: str | None = None  # sqlite:STORE/_crawl/CRAWL/frontier.sqlite
    state: str | None = None  # folder for frontier and spool: STORE/_crawl/CRAWL
    limit: int | None = None  # no limit
    depth: int | None = None  # any
    per_host: int | None = None  # as FrontierPolicy has it
    per_prefix: int | None = None
    per_topic: int | None = None
    focus: str | None = None  # focused: MODEL:TOPIC
    positive: str | None = None  # focused: a folder of pages on the topic, and one of others, to train from
    negative: str | None = None
    explore: float | None = None  # focused: share of links that are fetched regardless of their score
    doubt: float | None = None  # focused: pages whose words give a probability from this to 1 - this are laid out
    stop_below: float | None = None  # focused: end when a smaller share of the last pages is on topic
    stay: bool = False  # focused: only the hosts of the seeds
    page_types: str | None = None  # [MODEL:]TYPE,… that are stored: all
    delay: float = 1.0
    concurrency: int = 1
    per_address: int = 4  # 0: no limit by network address
    requests: int = 16  # at once, to all hosts
    patience: float | None = None  # None: that of the spider
    lease_seconds: float = 300.0
    retry_seconds: float = 10.0
    timeout: float = 60.0
    max_bytes: int = 20_000_000
    proxy: str | None = None
    user_agent: str = USER_AGENT
    css: bool = True
    robots: bool = True
    revisit: bool = False
    warc: bool = False
    exact: bool = False
    follow_copies: bool = False  # fetch addresses whose responses are near-identical too
    allow_private: bool = False
    render: str = "off"
    metrics: int | None = None
    segment_bytes: int = 128 << 20
    segment_seconds: float = 600.0

    def policy(self) -> FrontierPolicy:
        """Return the politeness limits and budgets."""
        usual = FrontierPolicy()
        patience = FOCUSED_PATIENCE if self.spider == "focused" else usual.patience
        return FrontierPolicy(
            delay=self.delay, concurrency=self.concurrency,
            patience=patience if self.patience is None else self.patience, lease_seconds=self.lease_seconds,
            host_budget=self.per_host or usual.host_budget, prefix_budget=self.per_prefix or usual.prefix_budget,
            per_address=0 if self.proxy else self.per_address,
            max_depth=usual.max_depth if self.depth is None else self.depth, robots=self.robots, exact=self.exact,
            copies=0 if self.follow_copies else usual.copies,
        )  # fmt: skip

    def folder(self, store: Store) -> Path:
        """Return the folder of the crawl's spool, and of its frontier unless that is elsewhere."""
        if self.state is not None:
            return Path(self.state)
        if not store.location.is_local:
            raise ConfigError(
                f"{self.store} is not on this machine. Give a local folder for frontier and spool: --state DIR"
            )
        return Path(store.location.path(STATE, self.crawl.replace("/", "%2F")))

    def warc_folder(self, store: Store) -> Path:
        """Return the folder of the WARC files: in the store, or with the state if the store is not on this machine."""
        if store.location.is_local:
            return Path(store.location.path(WARC, self.crawl.replace("/", "%2F")))
        return self.folder(store) / WARC

    def frontier_at(self, folder: Path) -> str:
        """Return the location of the frontier."""
        return self.frontier or f"sqlite:{folder / 'frontier.sqlite'}"

    def as_settings(self) -> dict[str, Any]:
        """Return the options under the names of Scrapy's settings."""
        return {
            "PARCELS": asdict(self), "USER_AGENT": self.user_agent, "CONCURRENT_REQUESTS": self.requests,
            "CONCURRENT_REQUESTS_PER_DOMAIN": self.requests, "DOWNLOAD_TIMEOUT": self.timeout,
            "DOWNLOAD_MAXSIZE": self.max_bytes, "PROXY": self.proxy, "ALLOW_PRIVATE": self.allow_private,
            "RENDER": self.render, "PER_ADDRESS": self.per_address,
        }  # fmt: skip


def from_settings(settings: Any, spider: Any) -> CrawlOptions:
    """Return the options of `scrapy crawl NAME -a seeds=… -s STORE=…`, or those that `parcels crawl` set."""
    given = settings.getdict("PARCELS")
    if given:
        return CrawlOptions(**given | {"seeds": tuple(given["seeds"])})
    if not settings.get("STORE"):
        raise ConfigError("The setting STORE is missing. Run: scrapy crawl news -a seeds=http://... -s STORE=FOLDER")
    words: Sequence[str] = str(getattr(spider, "seeds", "")).split()
    return CrawlOptions(
        store=settings.get("STORE"), seeds=tuple(words), crawl=settings.get("CRAWL", "crawl"), spider=spider.name,
        frontier=settings.get("FRONTIER"), state=settings.get("STATE"), delay=settings.getfloat("DELAY", 1.0),
        limit=settings.getint("LIMIT") or None, proxy=settings.get("PROXY"),
        allow_private=settings.getbool("ALLOW_PRIVATE"), requests=settings.getint("CONCURRENT_REQUESTS"),
        user_agent=settings.get("USER_AGENT"), per_address=settings.getint("PER_ADDRESS"),
    )  # fmt: skip

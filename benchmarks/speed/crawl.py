"""The crawler against plain Scrapy: CPU a page, Redis round trips and bytes, politeness across processes, a hot host.

Kills have their own run: `python -m benchmarks crawl_kill`.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from benchmarks.speed.crawl_redis import RedisServer
from benchmarks.speed.crawl_site import MadeWeb
from parcels.errors import BelowFloor

PAGES, TURNS = 2000, 3
MARK_SQLITE, MARK_REDIS = 1.0, 1.1
MARK_TRIPS, MARK_QUEUED, MARK_SEEN = 3.0, 250.0, 20.0
MARK_GAP, MARK_HOT = 0.9, 1.2
URLS = 1_000_000


def cpu_of(command: list[str]) -> float:
    """Seconds of CPU (user and system) that a command took, with all its threads."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise BelowFloor(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def ours(web: MadeWeb, store: Path, *words: str, delay: float = 0.0, concurrency: int = 16) -> list[str]:
    seeds = [f"http://{host}/" for host in web.pages]
    return [
        sys.executable, "-m", "parcels.cli", "crawl", *seeds, "--store", str(store), "--proxy", web.proxy, "--delay",
        str(delay), "--concurrency", str(concurrency), "--requests", "16", "--no-progress", *words,
    ]  # fmt: skip


def cpu_a_page() -> bool:
    """The three take turns; each one's smallest time counts."""
    best = dict.fromkeys(("scrapy", "sqlite", "redis"), float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(TURNS):
            for name in best:
                web = MadeWeb({f"h{n}.example": PAGES // 4 for n in range(4)})
                base = Path(folder) / f"{name}{turn}"
                server = RedisServer(base / "redis") if name == "redis" else None
                with web.serve():
                    if name == "scrapy":
                        seeds = " ".join(f"http://{host}/" for host in web.pages)
                        command = [
                            sys.executable,
                            "-m",
                            "benchmarks.speed.crawl_peer",
                            seeds,
                            str(base / "store"),
                            web.proxy,
                        ]
                        used = cpu_of([*command, str(base / "job")])
                    else:
                        where = ["--frontier", server.url] if server else []
                        used = cpu_of(ours(web, base / "store", *where))
                if server:
                    server.stop()
                fetched = len(web.fetched())
                if fetched != PAGES:
                    raise BelowFloor(f"{name} fetched {fetched} of {PAGES} pages")
                best[name] = min(best[name], 1000 * used / PAGES)
    for name, label in (
        ("scrapy", "plain Scrapy with JOBDIR"),
        ("sqlite", "parcels, SQLite"),
        ("redis", "parcels, Redis"),
    ):
        print(f"  {label:26} {best[name]:5.2f} ms of CPU a page, {best[name] / best['scrapy']:.2f} of the peer")
    return best["sqlite"] <= MARK_SQLITE * best["scrapy"] and best["redis"] <= MARK_REDIS * best["scrapy"]


def redis_bytes() -> bool:
    """Memory at a million addresses: all of them seen, half of them queued."""
    import redis

    from crawler.frontier.contract import FrontierPolicy, Offer
    from crawler.frontier.redis import RedisFrontier

    choose = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        server = RedisServer(Path(folder), persistent=False)
        try:
            client = redis.Redis.from_url(server.url)
            empty = client.info("memory")["used_memory"]
            frontier = RedisFrontier.open(
                server.url, crawl="bytes", policy=FrontierPolicy(robots=False, prefix_budget=10**9)
            )
            for start in range(0, URLS, 10_000):
                frontier.mark_done([f"http://h{n % 1000}.example/seen/{n}" for n in range(start, start + 10_000)])
            seen = (client.info("memory")["used_memory"] - empty) / URLS
            before = client.info("memory")["used_memory"]
            for start in range(0, URLS, 2000):
                frontier.admit([_offer(n, choose, Offer) for n in range(start, start + 2000)])
            queued = (client.info("memory")["used_memory"] - before) / URLS - seen
        finally:
            server.stop()
    print(f"  {seen:.1f} bytes a seen address, {queued:.0f} a queued one (beside), at {URLS:,} each, 1,000 hosts")
    return seen <= MARK_SEEN and queued <= MARK_QUEUED


def _offer(n: int, choose: random.Random, offer: type) -> object:
    """An address of the usual length (60 to 90 characters) that a page of the same host links to."""
    slug = "-".join(choose.choices(("harbour", "council", "bridge", "vote", "storm", "school", "market"), k=4))
    host = f"www.site{n % 1000}.example"
    return offer(f"http://{host}/2024/05/{slug}-{n}.html", choose.random(), 3, f"http://{host}/section/{n % 40}")


def round_trips() -> bool:
    """Redis round trips a page, as the server counts commands of clients."""
    import redis

    web = MadeWeb({f"h{n}.example": 250 for n in range(4)})
    with tempfile.TemporaryDirectory() as folder, web.serve():
        server = RedisServer(Path(folder) / "redis")
        try:
            client = redis.Redis.from_url(server.url)
            cpu_of(ours(web, Path(folder) / "store", "--frontier", server.url))
            stats = client.info("commandstats")
            calls = stats.get("cmdstat_evalsha", {}).get("calls", 0) + stats.get("cmdstat_eval", {}).get("calls", 0)
            trips = calls / len(web.fetched())
        finally:
            server.stop()
    print(f"  {trips:.2f} scripts a page in Redis (each is one round trip)")
    return trips <= MARK_TRIPS


def gaps(delay: float = 0.5, processes: int = 4) -> bool:
    """The smallest gap between two requests to one host, of four processes on one Redis."""
    web = MadeWeb({f"h{n}.example": 15 for n in range(6)})
    with tempfile.TemporaryDirectory() as folder, web.serve():
        server = RedisServer(Path(folder) / "redis")
        try:
            command = ours(web, Path(folder) / "store", "--frontier", server.url, delay=delay, concurrency=1)
            crawlers = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(processes)]
            for crawler in crawlers:
                crawler.wait()
        finally:
            server.stop()
    smallest = min(smallest_gap(web, host) for host in web.pages)
    print(f"  four processes, delay {delay} s: smallest gap {smallest:.3f} s, {smallest / delay:.2f} of the delay")
    return smallest >= MARK_GAP * delay and len(web.fetched()) == 90


def smallest_gap(web: MadeWeb, host: str) -> float:
    times = sorted(one.at for one in web.asked if one.host == host)
    return min((two - one for one, two in pairwise(times)), default=float("inf"))


def hot_host(delay: float = 0.2) -> bool:
    """When the cold hosts are done, with and without a host that has nine of ten addresses."""
    ends = {}
    for name, hot in (("without", 0), ("with", 900)):
        pages = {f"cold{n}.example": 25 for n in range(4)} | ({"hot.example": hot} if hot else {})
        web = MadeWeb(pages)
        with tempfile.TemporaryDirectory() as folder, web.serve():
            crawler = subprocess.Popen(
                ours(web, Path(folder) / "store", delay=delay, concurrency=1), stdout=subprocess.DEVNULL
            )
            while crawler.poll() is None and sum(host.startswith("cold") for host, _ in web.fetched()) < 100:
                time.sleep(0.05)
            crawler.kill()
            crawler.wait()
        times = [one.at for one in web.asked]
        ends[name] = max(one.at for one in web.asked if one.host.startswith("cold")) - min(times)
    ratio = ends["with"] / ends["without"]
    print(f"  cold hosts done after {ends['with']:.1f} s with a hot host, {ends['without']:.1f} s without: {ratio:.2f}")
    return ratio <= MARK_HOT


def main() -> bool:
    parts = {
        "CPU a page": cpu_a_page, "round trips": round_trips, "Redis memory": redis_bytes, "politeness": gaps,
        "hot host": hot_host,
    }  # fmt: skip
    wanted = os.environ.get("PARCELS_CRAWL_PARTS", "").split(",") if os.environ.get("PARCELS_CRAWL_PARTS") else parts
    reached = []
    for name, part in parts.items():
        if name in wanted:
            print(name, flush=True)
            reached.append(part())
    return all(reached)

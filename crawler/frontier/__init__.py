"""Frontiers: which addresses are known, queued, leased, done. One contract, two back ends."""

from pathlib import Path

from crawler.frontier.contract import Frontier, Policy
from parcels.errors import ConfigError

KINDS = "sqlite:PATH or redis://HOST:PORT/DB"


def open_frontier(where: str, *, crawl: str, worker: str = "1", policy: Policy | None = None) -> Frontier:
    """The frontier that `where` names: `sqlite:PATH`, or the address of a Redis server."""
    if where.startswith("sqlite:"):
        from crawler.frontier.sqlite.frontier import SqliteFrontier

        return SqliteFrontier.open(Path(where.removeprefix("sqlite:")), policy)
    if where.startswith(("redis://", "rediss://", "unix://")):
        from crawler.frontier.redis import RedisFrontier

        return RedisFrontier.open(where, crawl=crawl, worker=worker, policy=policy)
    raise ConfigError(f"{where} is not a frontier: give {KINDS}")

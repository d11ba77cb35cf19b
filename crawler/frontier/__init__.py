"""Keep the state of every address of a crawl: queued, leased, done or dead.

In: addresses with priorities. Out: leases, within the politeness limits of each host. `contract.py` defines the
interface; SQLite and Redis implement it.
"""

from pathlib import Path

from crawler.frontier.contract import Frontier, FrontierPolicy
from parcels.errors import ConfigError

FORMS = "sqlite:PATH or redis://HOST:PORT/DB"


def open_frontier(where: str, *, crawl: str, worker: str = "1", policy: FrontierPolicy | None = None) -> Frontier:
    """Open the frontier at `where`: `sqlite:PATH` or the URL of a Redis server."""
    if where.startswith("sqlite:"):
        from crawler.frontier.sqlite.frontier import SqliteFrontier

        return SqliteFrontier.open(Path(where.removeprefix("sqlite:")), policy)
    if where.startswith(("redis://", "rediss://", "unix://")):
        from crawler.frontier.redis import RedisFrontier

        return RedisFrontier.open(where, crawl=crawl, worker=worker, policy=policy)
    raise ConfigError(f"'{where}' is not a frontier. Give {FORMS}.")

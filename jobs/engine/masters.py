"""Checks of Spark masters before a JVM starts: an address where nothing listens is reported at once."""

import re
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

from parcels.errors import ConfigError, InputMissing

ANSWER_SECONDS = 5.0
KINDS = "local[N], spark://HOST:PORT, yarn or k8s://https://HOST:PORT"


def check_master(master: str) -> None:
    """Raise ConfigError if it is not a master, and InputMissing if nothing listens at its address."""
    if master == "yarn" or re.fullmatch(r"local(\[.*\])?", master):
        return
    errors = []
    for host, port in addresses(master):
        try:
            socket.create_connection((host, port), timeout=ANSWER_SECONDS).close()
            return
        except OSError as error:
            errors.append(f"{host}:{port} ({error})")
    raise InputMissing(
        f"No Spark master answers at {master}: {', '.join(errors)}. Start it, or give another one with --master."
    )


def addresses(master: str) -> Iterator[tuple[str, int]]:
    """Yield the hosts and ports of a master. Several are alternatives for failover.

    >>> list(addresses("spark://a:7077,b:7078")), list(addresses("k8s://https://c.example"))
    ([('a', 7077), ('b', 7078)], [('c.example', 443)])
    """
    scheme, _, rest = master.partition("://")
    if scheme == "k8s":
        given = [rest if "://" in rest else f"https://{rest}"]
    elif scheme == "spark":
        given = [f"spark://{one}" for one in rest.split(",")]
    else:
        raise ConfigError(f"'{master}' is not a Spark master: use {KINDS}")
    for one in given:
        try:
            url = urlsplit(one)
            port = url.port or {"https": 443, "http": 80}.get(url.scheme)
        except ValueError as error:
            raise ConfigError(f"'{master}' is not a Spark master ({error}): use {KINDS}") from error
        if not url.hostname or not port:
            raise ConfigError(f"'{master}' has no host and port: use {KINDS}")
        yield url.hostname, port

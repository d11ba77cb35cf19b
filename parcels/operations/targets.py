"""What is to be forgotten: addresses and hosts, and how rows are told that speak of them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from parcels.errors import ConfigError
from parcels.urls import canonical, host_of

_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?(\.[a-z0-9-]+)+|localhost|\[[0-9a-f:]+\]")
BY_HOST = ("host", "target_host")
BY_ADDRESS = ("url", "final_url", "target", "record")
BY_PAGE = ("page_id", "duplicate_of", "record")


@dataclass(frozen=True)
class Targets:
    """Canonical addresses, and host names."""

    urls: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, words: Iterable[str]) -> "Targets":
        """What a user named: an address with its scheme, or a host.

        >>> Targets.of(["HTTP://News.Example:80/a#x"]).urls, Targets.of(["News.example"]).hosts
        (frozenset({'http://news.example/a'}), frozenset({'news.example'}))
        """
        urls, hosts = set(), set()
        for word in words:
            if "://" in word:
                url = canonical(word)
                if url is None:
                    raise ConfigError(f"{word} is not a web address")
                urls.add(url)
            elif _HOST.fullmatch(word.lower()):
                hosts.add(word.lower())
            else:
                raise ConfigError(f"{word} is neither an address (http://host/path) nor the name of a host")
        return cls(frozenset(urls), frozenset(hosts))

    def meets(self, address: str | None) -> bool:
        """True for an address that is to be forgotten."""
        if not address:
            return False
        if address in self.urls or host_of(address) in self.hosts:
            return True
        url = canonical(address)
        return url is not None and (url in self.urls or host_of(url) in self.hosts)

    def mask(self, rows: pa.Table, pages: pa.Array) -> Any:
        """True for each row that speaks of a target: by host, by address, or by one of the pages."""
        found = pa.chunked_array([pa.array([False] * rows.num_rows, pa.bool_())])
        for name in BY_HOST:
            if name in rows.column_names:
                found = pc.or_(found, _among(rows[name], pa.array(sorted(self.hosts), pa.string())))
        for name in BY_ADDRESS:
            if name in rows.column_names:
                found = pc.or_(found, self._addresses(rows[name]))
        for name in BY_PAGE:
            if name in rows.column_names:
                found = pc.or_(found, _among(rows[name], pages))
        return found

    def _addresses(self, column: Any) -> Any:
        """The same for a column of addresses; each distinct one is looked at once."""
        distinct = column.unique()
        met = [address for address in distinct.to_pylist() if self.meets(address)]
        return _among(column, pa.array(met, pa.string()))


def _among(column: Any, values: pa.Array) -> Any:
    return pc.fill_null(pc.is_in(column, value_set=values), False)

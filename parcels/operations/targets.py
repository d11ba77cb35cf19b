"""Targets to forget: addresses and hosts, and the rows that refer to them."""

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
    """Canonical addresses and host names."""

    urls: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, words: Iterable[str]) -> "Targets":
        """Return the targets that a user named: addresses with a scheme, or hosts.

        >>> Targets.of(["HTTP://News.Example:80/a#x"]).urls, Targets.of(["News.example"]).hosts
        (frozenset({'http://news.example/a'}), frozenset({'news.example'}))
        """
        urls, hosts = set(), set()
        for word in words:
            if "://" in word:
                url = canonical(word)
                if url is None:
                    raise ConfigError(f"{word} is not a web address. Use http://host/path or https://host/path.")
                urls.add(url)
            elif _HOST.fullmatch(word.lower()):
                hosts.add(word.lower())
            else:
                raise ConfigError(f"{word} is neither an address (http://host/path) nor a host name (news.example).")
        return cls(frozenset(urls), frozenset(hosts))

    def contains(self, address: str | None) -> bool:
        """Return whether an address is to be forgotten."""
        if not address:
            return False
        if address in self.urls or host_of(address) in self.hosts:
            return True
        url = canonical(address)
        return url is not None and (url in self.urls or host_of(url) in self.hosts)

    def mask(self, rows: pa.Table, pages: pa.Array) -> Any:
        """Return True for each row that refers to a target by host, address or page id."""
        is_target = pa.chunked_array([pa.array([False] * rows.num_rows, pa.bool_())])
        for name in BY_HOST:
            if name in rows.column_names:
                is_target = pc.or_(is_target, _among(rows[name], pa.array(sorted(self.hosts), pa.string())))
        for name in BY_ADDRESS:
            if name in rows.column_names:
                is_target = pc.or_(is_target, self._addresses(rows[name]))
        for name in BY_PAGE:
            if name in rows.column_names:
                is_target = pc.or_(is_target, _among(rows[name], pages))
        return is_target

    def _addresses(self, column: Any) -> Any:
        """Return the mask of a column of addresses, checking each distinct one once."""
        distinct = column.unique()
        matching = [address for address in distinct.to_pylist() if self.contains(address)]
        return _among(column, pa.array(matching, pa.string()))


def _among(column: Any, values: pa.Array) -> Any:
    return pc.fill_null(pc.is_in(column, value_set=values), False)

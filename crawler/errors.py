"""Errors that end a crawl before its time: frontier, disk or store is gone. One message each, with what to do."""

import sqlite3

from parcels.errors import ParcelsError
from parcels.store.errors import DiskFull, WriteFailed
from parcels.store.writer import NO_ROOM

FATAL_ERRORS = (ParcelsError, OSError, sqlite3.Error)  # what may come from spool, frontier and store
_SAFE = "Nothing that was fetched and written is lost"


class StoreGone(WriteFailed):
    """The folder that a crawl writes into was removed or moved meanwhile: put it back, or begin anew."""


def as_parcels_error(error: Exception) -> ParcelsError:
    """The error as a user reads it.

    >>> str(told(sqlite3.OperationalError("database or disk is full"))).partition(".")[0]
    'the crawl cannot write its frontier or spool: no room left (database or disk is full)'
    """
    if isinstance(error, ParcelsError):
        return error
    is_full = isinstance(error, OSError) and error.errno in NO_ROOM
    where = "the crawl cannot write its frontier or spool"
    if is_full or "disk is full" in str(error):
        return DiskFull(f"{where}: no room left ({error}). {_SAFE}: make room and run the same command again.")
    return WriteFailed(f"{where}: {error}. {_SAFE}: run the same command again.")

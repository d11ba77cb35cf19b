"""Define the errors that end a crawl early: frontier, disk or store is gone. Each message says what to do."""

import sqlite3

from parcels.errors import ParcelsError
from parcels.store.errors import DiskFull, WriteFailed
from parcels.store.writer import NO_ROOM

FATAL_ERRORS = (ParcelsError, OSError, sqlite3.Error)  # what may come from spool, frontier and store
_SAFE = "Nothing that was fetched and written is lost"


class StoreGone(WriteFailed):
    """Raised when the folder that a crawl writes into was removed or moved."""


def as_parcels_error(error: Exception) -> ParcelsError:
    """Convert an error of spool, frontier or store into one with a message for users.

    >>> str(as_parcels_error(sqlite3.OperationalError("database or disk is full"))).partition(".")[0]
    'the crawl cannot write its frontier or spool: no room left (database or disk is full)'
    """
    if isinstance(error, ParcelsError):
        return error
    is_full = isinstance(error, OSError) and error.errno in NO_ROOM
    where = "the crawl cannot write its frontier or spool"
    if is_full or "disk is full" in str(error):
        return DiskFull(f"{where}: no room left ({error}). {_SAFE}: make room and run the same command again.")
    return WriteFailed(f"{where}: {error}. {_SAFE}: run the same command again.")

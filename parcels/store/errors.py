"""Errors of a store."""

from parcels.errors import ParcelsError


class SchemaMismatch(ParcelsError):
    """Raised where rows do not fit the table; the message names the table and the column."""


class DamagedFile(ParcelsError):
    """Raised where a file in a table's folder is not a complete file of that table; the message names the file."""

    exit_code = 3


class WriteFailed(ParcelsError):
    """Raised where a write failed; nothing of it is in the store."""

    exit_code = 3


class DiskFull(WriteFailed):
    """Raised where a write failed because there was no space left."""

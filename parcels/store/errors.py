"""What can be wrong with a store, named by what to do next."""

from parcels.errors import ParcelsError


class SchemaMismatch(ParcelsError):
    """Rows do not fit the table: the message names the table and the column. Fix the code that made them."""


class DamagedFile(ParcelsError):
    """A file in a table folder is not a whole file of that table: the message names it. Move it away or restore it."""

    exit_code = 3


class WriteFailed(ParcelsError):
    """Nothing of what was being written is in the store: mend what the message says and run again."""

    exit_code = 3


class DiskFull(WriteFailed):
    """The same, because there was no room left. Make room and run again."""

"""Errors, named by what to do next.

The message of every error that a user can cause states what is wrong, the value received, and what to do. Each class
has an exit code (0 done, 1 bug, 2 usage or configuration, 3 input missing, 4 below a quality floor, 130 interrupted).
"""


class ParcelsError(Exception):
    """Base class of errors that are shown as one message without a traceback."""

    exit_code = 1


class ConfigError(ParcelsError):
    """Raised for an invalid setting or argument: fix it and run again."""

    exit_code = 2


class InputMissing(ParcelsError):
    """Raised where the input does not exist or nothing of it could be read."""

    exit_code = 3


class SkipRecord(ParcelsError):
    """Raised for a record that cannot be processed: count it in `rejects` with its reason and continue.

    >>> str(SkipRecord("empty", "page 7", "no bytes"))
    'empty: page 7 (no bytes)'
    """

    exit_code = 3

    def __init__(self, reason: str, where: str = "", detail: str = ""):
        self.reason, self.where, self.detail = reason, where, detail
        super().__init__(reason + (f": {where}" if where else "") + (f" ({detail})" if detail else ""))

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.reason, self.where, self.detail)


class RetryLater(ParcelsError):
    """Raised where a server or store is temporarily unavailable: the same call may succeed later."""

    exit_code = 3


class ModelMismatch(ParcelsError):
    """Raised where a model does not fit this version of the code; the message names the difference."""

    exit_code = 2


class BelowFloor(ParcelsError):
    """Raised where a score is below its pinned floor."""

    exit_code = 4

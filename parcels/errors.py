"""Errors, named by what to do next.

Every error that a user can cause carries a message that says what, where and what to do, and the exit code of the
command line (0 done, 1 bug, 2 usage or config, 3 input missing, 4 below a quality floor, 130 stopped by Ctrl-C).
"""


class ParcelsError(Exception):
    """Base of all errors that are shown to a user as one message, without a traceback."""

    exit_code = 1


class ConfigError(ParcelsError):
    """A setting or an argument is wrong: fix it and run again."""

    exit_code = 2


class InputMissing(ParcelsError):
    """What should be read is not there, or nothing of it could be read."""

    exit_code = 3


class SkipRecord(ParcelsError):
    """This record cannot be processed: count it in `rejects` with its reason and go on with the next.

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
    """Something outside is not ready (a server that went away): the same call may succeed later."""

    exit_code = 3


class ModelMismatch(ParcelsError):
    """A model and this code do not fit together; the message says which part changed and what to do."""

    exit_code = 2


class BelowFloor(ParcelsError):
    """A measured score is below its pinned floor."""

    exit_code = 4

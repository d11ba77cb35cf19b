"""Provide a clock that does not jump: the wall time at its creation plus the monotonic time since.

A machine's time may be set forward or back (NTP, a suspended laptop, a wrong hardware clock). A frontier that followed
it would expire all leases at once, or leave every host alone for the length of the jump.
"""

import time
from collections.abc import Callable

MAX_WAIT_SECONDS = 86_400.0  # no delay or retry is longer; a later time was set by a wrong clock


class SteadyClock:
    """A callable that returns seconds since 1970."""

    def __init__(self, wall: Callable[[], float] = time.time, passed: Callable[[], float] = time.monotonic):
        self._passed = passed
        self._offset = wall() - passed()

    def __call__(self) -> float:
        """Return the current time.

        >>> wall, passed = [1000.0], [5.0]
        >>> clock = SteadyClock(lambda: wall[0], lambda: passed[0])
        >>> wall[0], passed[0] = 9999.0, 6.0
        >>> clock()
        1001.0
        """
        return self._offset + self._passed()

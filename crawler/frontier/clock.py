"""A clock that does not jump: wall time when it was made, and from then on the seconds that have really passed.

A machine's time is set forward and back (NTP, a suspended laptop, a wrong battery clock). A frontier that followed it
would take all leases for expired, or leave every host alone for as long as the jump was.
"""

import time
from collections.abc import Callable

FURTHEST = 86_400.0  # seconds: no host asks for more peace, and no attempt is put off for longer; what says so is wrong


class SteadyClock:
    """Call it for the seconds since 1970."""

    def __init__(self, wall: Callable[[], float] = time.time, passed: Callable[[], float] = time.monotonic):
        self._passed = passed
        self._offset = wall() - passed()

    def __call__(self) -> float:
        """Return the time.

        >>> wall, passed = [1000.0], [5.0]
        >>> clock = SteadyClock(lambda: wall[0], lambda: passed[0])
        >>> wall[0], passed[0] = 9999.0, 6.0
        >>> clock()
        1001.0
        """
        return self._offset + self._passed()

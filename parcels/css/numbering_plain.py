"""Numbers of pairs of numbers."""


class Numbering:
    """Which number a pair of numbers was given.

    >>> given = Numbering()
    >>> given.put(-1, 5, 7)
    >>> given.find(-1, 5), given.find(5, -1)
    (7, -1)
    """

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}

    def find(self, first: int, second: int) -> int:
        """The number of a pair; -1 where it has none."""
        return self._numbers.get((first, second), -1)

    def put(self, first: int, second: int, number: int) -> None:
        """Give a pair that has none a number."""
        self._numbers[first, second] = number

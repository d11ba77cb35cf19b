"""The values of a declaration, split for the style computer: numbers by column, and deferred values."""

from parcels.css.columns import OBJECTS
from parcels.css.values.longhands import Key, Values

_OBJECTS = frozenset(OBJECTS)


class PackedValues:
    """Values of a declaration by how they are applied. The contents are shared: do not change them.

    >>> made = PackedValues({7: 3.0, 8: "inherit", "--gap": "1px"})
    >>> made.columns, made.numbers, made.deferred, made.own
    ([7], [3.0], [(8, 'inherit')], {'--gap': '1px'})
    """

    __slots__ = ("columns", "count", "deferred", "numbers", "own", "values")

    def __init__(self, values: Values):
        self.values = values
        self.columns: list[int] = []
        self.numbers: list[float] = []
        self.deferred: list[
            tuple[Key, object]
        ] = []  # values that need the parent's style or the font size, and objects
        self.own: dict[str, str] | None = None  # custom properties
        for key, value in values.items():
            if type(value) is float:
                self.columns.append(int(key))
                self.numbers.append(value)
            elif isinstance(key, int) or key in _OBJECTS:
                self.deferred.append((key, value))
            elif self.own is None:
                self.own = {key: str(value)}
            else:
                self.own[key] = str(value)
        self.count = len(self.columns)

# cython: wraparound=False, cdivision=True
"""The hash maps of compiled code: IntMap has a number for each 64-bit key, StringMap numbers texts as they come.

Python's dict needs an object for each key. These read letters where they stand in a page's text and pairs of numbers
where they stand in arrays. The seed differs between processes, so no page can choose keys that collide.
"""

import numpy as np

ALL_BITS = 0xFFFFFFFFFFFFFFFF
LOW_BITS = 0xFFFFFFFF
MULTIPLIER = 0x9E3779B97F4A7C15  # Fibonacci hashing: Knuth, The Art of Computer Programming, volume 3, section 6.4
SEED = hash("the seed of this process") & ALL_BITS
FEWEST_SLOTS = 64  # a power of two, as every number of slots


class IntMap:
    """A number of 0 or more for each of many 64-bit keys.

    >>> ages = IntMap()
    >>> (ages.put(17, 3), ages.put(17, 5), ages.find(17), ages.find(18), ages.count) == (3, 3, 3, -1, 1)
    True
    """

    def __init__(self, room: int = 0):
        slots = FEWEST_SLOTS
        while slots < 2 * room:
            slots *= 2
        self.count, self.mask = 0, slots - 1
        self.keys = np.empty(slots, np.uint64).data  # whose items are plain numbers when interpreted
        self.numbers = np.full(slots, -1, np.intc).data

    def find(self, key: int) -> int:
        """Return the number of a key, -1 where it has none."""
        number: int = self.numbers[self._slot(key)]
        return number

    def put(self, key: int, number: int) -> int:
        """Give a key a number unless it has one; return the number that it has."""
        slot = self._slot(key)
        old: int = self.numbers[slot]
        if old >= 0:
            return old
        self.keys[slot], self.numbers[slot] = key, number
        self.count += 1
        if 2 * self.count > self.mask:
            self._grow()
        return number

    def replace(self, key: int, number: int) -> int:
        """Give a key a number, whether it has one or not; return the one that it had, -1 for none."""
        slot = self._slot(key)
        old: int = self.numbers[slot]
        if old < 0:
            self.put(key, number)
        else:
            self.numbers[slot] = number
        return old

    def _slot(self, key: int) -> int:
        """Return where a key is, or would be put."""
        mixed = ((key ^ SEED) * MULTIPLIER) & ALL_BITS
        slot = (mixed >> 32) & self.mask
        while self.numbers[slot] >= 0 and self.keys[slot] != key:
            slot = (slot + 1) & self.mask
        return slot

    def _grow(self) -> None:
        """Move to four times the slots; other threads find the old ones or the new ones, never a mixture."""
        mask = 4 * (self.mask + 1) - 1
        keys = np.empty(mask + 1, np.uint64).data
        numbers = np.full(mask + 1, -1, np.intc).data
        for old in range(self.mask + 1):
            if self.numbers[old] >= 0:
                slot = (((self.keys[old] ^ SEED) * MULTIPLIER & ALL_BITS) >> 32) & mask
                while numbers[slot] >= 0:
                    slot = (slot + 1) & mask
                keys[slot], numbers[slot] = self.keys[old], self.numbers[old]
        self.keys, self.numbers, self.mask = keys, numbers, mask


class StringMap:
    """Texts, numbered 0, 1, 2, … as they come, and found by the letters between two places of any text.

    >>> words = StringMap()
    >>> (words.put("a fire at the pier", 2, 6), words.put("pier", 0, 4), words.put("fire", 0, 4)) == (0, 1, 0)
    True
    >>> (words.find("the pier", 4, 8), words.find("the pier", 0, 3), words.count) == (1, -1, 2)
    True
    >>> words.text(1)
    'pier'
    """

    def __init__(self, texts: "list[str] | None" = None):
        given = texts if texts is not None else []
        self.count = 0
        self.map = IntMap(len(given))
        self.ends = np.zeros(max(FEWEST_SLOTS, len(given)), np.intc).data
        self.letters = np.empty(max(8 * FEWEST_SLOTS, sum(map(len, given))), np.uint32).data
        for text in given:
            self.put(text, 0, len(text))

    def find(self, text: str, first: int, end: int) -> int:
        """Return the number of the text between two places, -1 where it has none."""
        key = hash_of(text, first, end)
        number = self.map.find(key)
        while number >= 0 and not self._is_text(number, text, first, end):
            key = (key + 1) & ALL_BITS  # two texts with the same 64 bits
            number = self.map.find(key)
        return number

    def put(self, text: str, first: int, end: int) -> int:
        """Return the number of the text between two places; a text that is new gets the next one."""
        key = hash_of(text, first, end)
        number = self.map.find(key)
        while number >= 0 and not self._is_text(number, text, first, end):
            key = (key + 1) & ALL_BITS
            number = self.map.find(key)
        if number >= 0:
            return number
        number = self.count
        begin = self.ends[number - 1] if number else 0
        if number == len(self.ends):
            self.ends = np.concatenate([self.ends, np.zeros(len(self.ends), np.intc)]).data
        if begin + end - first > len(self.letters):
            room = np.empty(len(self.letters) + end - first, np.uint32)
            self.letters = np.concatenate([self.letters, room]).data
        for at in range(first, end):
            self.letters[begin + at - first] = ord(text[at])
        self.ends[number] = begin + end - first
        self.map.put(key, number)
        self.count = number + 1
        return number

    def text(self, number: int) -> str:
        """Return the text that has a number."""
        if not 0 <= number < self.count:
            raise IndexError(f"there is no text {number}: there are {self.count}")
        begin = self.ends[number - 1] if number else 0
        return "".join([chr(self.letters[at]) for at in range(begin, self.ends[number])])

    def _is_text(self, number: int, text: str, first: int, end: int) -> bool:
        begin = self.ends[number - 1] if number else 0
        if self.ends[number] - begin != end - first:
            return False
        for at in range(first, end):  # noqa: SIM110 - a generator would not be compiled to a loop
            if self.letters[begin + at - first] != ord(text[at]):
                return False
        return True


def hash_of(text: str, first: int, end: int) -> int:
    """Return 64 bits of the letters between two places of a text; another number in each process."""
    mixed = SEED
    for at in range(first, end):
        mixed = ((mixed ^ ord(text[at])) * MULTIPLIER) & ALL_BITS
        mixed ^= mixed >> 29
    return mixed


def pair_key(first: int, second: int) -> int:
    """Return two numbers of 32 bits as one key of an IntMap.

    >>> pair_key(1, 2) == (1 << 32) + 2, pair_key(-1, 5) == pair_key(5, -1)
    (True, False)
    """
    return ((first & LOW_BITS) << 32) | (second & LOW_BITS)

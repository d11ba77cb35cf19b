"""Suggestions for mistyped names."""

from collections.abc import Iterable

MAX_EDITS_PER_LETTER = 0.4  # edits per letter: two in a word of five letters
MIN_PREFIX = 3  # letters of a name that was cut short


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint to append to a message, with a leading space; empty where no known name is similar.

    Leading dashes are ignored: they would make all flags similar.

    >>> did_you_mean("dilay", ["delay", "depth"]), did_you_mean("--fomat", ["--out", "--format"])
    (" Did you mean 'delay'?", " Did you mean '--format'?")
    >>> did_you_mean("xyz", ["delay"]), did_you_mean("--fomat", ["--out", "--css"])
    ('', '')
    """
    wanted = word.lstrip("-").lower()
    ranked = sorted((_distance_to(wanted, name.lstrip("-").lower()), name) for name in known)
    if not ranked or not wanted:
        return ""
    distance, name = ranked[0]
    return f" Did you mean '{name}'?" if distance <= max(1, MAX_EDITS_PER_LETTER * len(wanted)) else ""


def _distance_to(word: str, name: str) -> float:
    is_cut_short = len(word) >= MIN_PREFIX and name.startswith(word)
    return min(1, len(name) - len(word)) if is_cut_short else edit_distance(word, name)


def edit_distance(one: str, other: str) -> int:
    """Return the number of insertions, deletions, changes and swaps of neighbours between two words.

    >>> edit_distance("fomat", "format"), edit_distance("dealy", "delay"), edit_distance("out", "css")
    (1, 1, 3)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, above, row = row, before, [i]
        for j, its in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != its)))
            if i > 1 and j > 1 and letter == other[j - 2] and its == one[i - 2]:
                row[j] = min(row[j], above[j - 2] + 1)
    return row[-1]

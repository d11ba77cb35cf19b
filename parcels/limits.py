"""What one page may cost. Every limit is a setting; past it the page is a SkipRecord with the limit's name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one page, from real pages' sizes with much room above them."""

    max_bytes: int = 50_000_000
    max_tags: int = 300_000  # `<` followed by a letter; the largest of 10,000 corpus pages has 11,218
    max_attributes: int = 5_000  # of one tag, the rest are dropped: the parser's time grows with their square
    seconds: float = 5.0  # of CPU, for parsing


DEFAULT_LIMITS = Limits()

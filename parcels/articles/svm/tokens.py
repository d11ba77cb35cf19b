"""Id and class tokens that most clearly mark blocks as not content: Naive Bayes, event model."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from parcels.articles.body.parts import Floats

TOKENS = 10  # Yao and Zuo, section III B


def surest_tokens(
    names: Iterable[Sequence[str]], is_content: Iterable[bool], weight: Iterable[float], *, count: int = TOKENS
) -> tuple[str, ...]:
    """Return the tokens with the highest score: blocks with the token times its log-odds not to be content.

    phi(k | y) = (tokens k on blocks of class y + 1) / (all tokens on blocks of class y + size of the vocabulary)

    With weights of 1 these are the paper's counts.

    >>> names = [("nav", "top"), ("nav",), ("story",), ("story", "top")]
    >>> surest_tokens(names, [False, False, True, True], [1, 1, 1, 1], count=1)
    ('nav',)
    """
    seen: dict[bool, dict[str, float]] = {False: defaultdict(float), True: defaultdict(float)}
    blocks_with: dict[str, float] = defaultdict(float)
    for tokens, label, worth in zip(names, is_content, weight, strict=True):
        of_class = seen[bool(label)]
        for token, times in Counter(tokens).items():
            of_class[token] += times * worth
            blocks_with[token] += worth
    totals = {label: sum(counted.values()) + len(blocks_with) for label, counted in seen.items()}

    def score(token: str) -> float:
        other, content = (seen[label].get(token, 0.0) + 1 for label in (False, True))
        return blocks_with[token] * math.log(other / totals[False] * totals[True] / content)

    return tuple(sorted(blocks_with, key=lambda token: (-score(token), token))[:count])


def token_columns(names: Sequence[Sequence[str]], tokens: Sequence[str]) -> Floats:
    """Return one column per token: 1 where the block has it.

    >>> token_columns([("nav",), ("story", "nav")], ["story", "nav"]).tolist()
    [[0.0, 1.0], [1.0, 1.0]]
    """
    return np.array([[float(token in own) for token in tokens] for own in names]).reshape(len(names), len(tokens))

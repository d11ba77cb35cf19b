"""Scores of the decision between articles and the rest."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ArticleScores:
    """The share of pages decided right, overall and among articles and other pages."""

    pages: int
    right: float
    articles: float
    others: float

    @property
    def balanced(self) -> float:
        """The mean of both shares: articles and other pages count the same."""
        return (self.articles + self.others) / 2

    def __str__(self) -> str:
        return (
            f"{self.pages} pages, right {self.right:.4f}, balanced {self.balanced:.4f}, "
            f"articles {self.articles:.4f}, other pages {self.others:.4f}"
        )


def article_scores(gold: Sequence[bool], predicted: Sequence[bool]) -> ArticleScores:
    """Return the scores of decisions; a side without pages counts as right.

    >>> str(article_scores([True, True, False, False], [True, False, False, False]))
    '4 pages, right 0.7500, balanced 0.7500, articles 0.5000, other pages 1.0000'
    """
    is_article = np.array(gold, bool)
    is_right = is_article == np.array(predicted, bool)
    articles, others = is_right[is_article], is_right[~is_article]
    return ArticleScores(
        len(is_right),
        float(is_right.mean()),
        float(articles.mean()) if len(articles) else 1.0,
        float(others.mean()) if len(others) else 1.0,
    )

"""Learning the machine from pages whose content is known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parcels.articles.body.parts import Floats, Ints
from parcels.articles.svm.blocks import TextBlocks
from parcels.articles.svm.features import SETS, features
from parcels.articles.svm.machine import Machine
from parcels.articles.svm.model import Sureness, SvmModel
from parcels.articles.svm.tokens import surest_tokens

CONTENT = 0.5  # share of a block's words in the gold text from which it is content
SEED = 1
MOST_CHECKED = 20_000  # blocks left over from learning, from which it is learned how sure a distance is


@dataclass(frozen=True)
class Settings:
    """How to learn. `page_power` is the power of a block's words by which it weighs within its page, every page
    weighing the same; None lets every block weigh the same, as in the paper."""

    columns: str = SETS[2]
    positions: int = 50
    is_log: bool = True  # whether counts and quotients are read as logarithms
    tail: float = 0.01
    strength: float = 4.0
    gamma: float | None = 0.5
    page_power: float | None = 0.7
    most_blocks: int = 16_000  # drawn to learn from: the time grows with their square


# Yao and Zuo, section III C: scaled, the default C and gamma. They do not tell M, nor how many blocks they learn from.
PAPER = Settings(positions=10, is_log=False, tail=0.0, strength=1.0, gamma=None, page_power=None)
OURS = Settings()


@dataclass(frozen=True)
class Page:
    """A page to learn from."""

    name: str
    site: str
    gold: str
    blocks: TextBlocks
    is_content: "np.ndarray[tuple[int], np.dtype[np.bool_]]"

    def weight(self, power: float | None) -> Floats:
        """What each block weighs."""
        if power is None:
            return np.ones(len(self.blocks))
        worth: Floats = np.power(self.blocks.words, power)
        worth *= 100 / worth.sum()
        return worth


def train(pages: Sequence[Page], settings: Settings = OURS) -> SvmModel:
    """Find the tokens, draw blocks, fit, and learn from blocks that were not drawn how sure a distance is."""
    pages = [page for page in pages if len(page.blocks)]
    weight = np.concatenate([page.weight(settings.page_power) for page in pages])
    y = np.concatenate([page.is_content for page in pages]).astype(np.int64)
    names = [own for page in pages for own in page.blocks.names]
    tokens = surest_tokens(names, y.astype(bool).tolist(), weight.tolist()) if settings.columns == SETS[2] else ()
    read = {"of": settings.columns, "positions": settings.positions, "is_log": settings.is_log}
    rows = np.concatenate([features(page.blocks, tokens, **read) for page in pages])  # type: ignore[arg-type]
    order = np.random.default_rng(SEED).permutation(len(rows))
    drawn, rest = np.sort(order[: settings.most_blocks]), np.sort(order[settings.most_blocks :][:MOST_CHECKED])
    machine = Machine.fitted(
        rows[drawn], y[drawn], weight[drawn] / weight.mean(), strength=settings.strength, gamma=settings.gamma,
        tail=settings.tail,
    )  # fmt: skip
    checked = rest if len(rest) else drawn
    sureness = _sureness(machine.decide(rows[checked]), y[checked], weight[checked])
    return SvmModel(tokens, machine, sureness, settings.columns, settings.positions, settings.is_log)


def _sureness(distance: Floats, y: Ints, weight: Floats) -> Sureness:
    """Platt's logistic curve."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    if len(np.unique(y)) < 2:
        return Sureness(1.0, 0.0)
    curve = LogisticRegression(C=1000.0).fit(distance[:, None], y, sample_weight=weight / weight.mean())
    return Sureness(float(curve.coef_[0, 0]), float(curve.intercept_[0]))


def text_of(blocks: TextBlocks, taken: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> str:
    """The texts of the taken blocks, merged."""
    return "\n\n".join(text for text, is_taken in zip(blocks.texts, taken, strict=True) if is_taken)

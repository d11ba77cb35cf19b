"""Training of the SVM extractor from pages with gold text."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from parcels.articles.body.parts import Floats, Ints
from parcels.articles.scores import lcs_f1, word_f1
from parcels.articles.svm.blocks import TextBlocks
from parcels.articles.svm.examples import SvmExample, read_pages
from parcels.articles.svm.features import SETS, features
from parcels.articles.svm.machine import Machine
from parcels.articles.svm.model import Sureness, SvmModel
from parcels.articles.svm.tokens import surest_tokens
from parcels.common.output import log_to_stderr
from parcels.learn.folds import fold_of_group
from parcels.models.card import Source, Trained, examples_hash

SEED = 1
MOST_CHECKED = 20_000  # blocks not used for fitting, on which the probability curve is fitted


@dataclass(frozen=True)
class SvmSettings:
    """Settings of the training.

    `page_power` is the exponent of a block's words in its weight, all pages having the same total; None gives every
    block the same weight, as in the paper.
    """

    columns: str = SETS[2]
    positions: int = 50
    is_log: bool = True  # logarithms of counts and quotients
    tail: float = 0.01
    strength: float = 4.0
    gamma: float | None = 0.5
    page_power: float | None = 0.7
    most_blocks: int = 16_000  # sample size; time grows with its square


# Yao and Zuo, section III C: scaled, the default C and gamma. The paper gives neither M nor the number of blocks.
PAPER = SvmSettings(positions=10, is_log=False, tail=0.0, strength=1.0, gamma=None, page_power=None)
OURS = SvmSettings()

FOLDS = 5
CARD = """# Main content by a support vector machine (Yao and Zuo)

Classifies each text block of a page as content or not: seven numbers of its text, its position, and whether an element
around it has one of ten names, in a support vector machine with a radial kernel.

{made}- Examples: {drawn} blocks drawn from {blocks} of {pages} pages of {sites} sites; {supports} support vectors.
- The ten names: {tokens}.
- Scores by {folds} folds of sites (every page by a machine that has not seen its site), F1 per page, averaged:

{scores}

- Limits: no page types, and no context of a block but the size of the one before it. The default extractor is better on
  every kind of page; this one is for comparison.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages, cross-validate by folds of sites, and write the model folder."""
    pages: list[SvmExample] = []
    corpora: list[str] = []
    sources: list[Source] = []
    for folder in data:
        read, unreadable = read_pages([folder])
        log_to_stderr(f"{folder.name}: {len(read)} pages{f', not read: {len(unreadable)}' if unreadable else ''}")
        pages += read
        sources.append(Source(folder, len(read), len({page.site for page in read})))
        corpora += [folder.name] * len(read)
    scores = _table(_scored(pages), corpora)
    model = train(pages, OURS)
    sites, blocks = len({page.site for page in pages}), sum(len(page.blocks) for page in pages)
    digest = examples_hash(f"{page.site} {page.name}\0{page.gold}" for page in pages)
    trained = Trained("content-svm", sources, out, digest, settings={"folds": FOLDS})
    meta = trained.stated(pages=len(pages), sites=sites, blocks=blocks)
    replace(model, meta=meta).save(out)
    card = CARD.format(
        made=trained.lines(), blocks=blocks,
        drawn=min(blocks, OURS.most_blocks), pages=len(pages), sites=sites, supports=len(model.machine.supports),
        tokens=", ".join(model.tokens), folds=FOLDS, scores=scores,
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return f"{len(pages)} pages of {sites} sites, {len(model.machine.supports)} support vectors\n{scores}"


def _scored(pages: list[SvmExample]) -> list[tuple[float, float]]:
    """Return token and LCS F1 of every page, by folds of sites."""
    fold = fold_of_group(np.array([page.site for page in pages]), folds=FOLDS).tolist()
    scores = [(0.0, 0.0)] * len(pages)
    for number in range(FOLDS):
        model = train([page for page, own in zip(pages, fold, strict=True) if own != number], OURS)
        for at, (page, own) in enumerate(zip(pages, fold, strict=True)):
            if own == number:
                extracted = text_of(page.blocks, model.taken(page.blocks)[0])
                scores[at] = word_f1(page.gold, extracted), lcs_f1(page.gold, extracted)
        log_to_stderr(f"fold {number}")
    return scores


def _table(scores: list[tuple[float, float]], corpora: list[str]) -> str:
    of_corpus = defaultdict(list)
    for pair, corpus in zip(scores, corpora, strict=True):
        of_corpus[corpus].append(pair)
    lines = ["| pages | count | token F1 | LCS F1 |", "|---|---:|---:|---:|"]
    for corpus, pairs in of_corpus.items():
        token, lcs = np.mean(pairs, axis=0).tolist()
        lines.append(f"| {corpus} | {len(pairs)} | {token:.4f} | {lcs:.4f} |")
    return "\n".join(lines)


def train(pages: Sequence[SvmExample], settings: SvmSettings = OURS) -> SvmModel:
    """Select the tokens, fit the machine on a sample of blocks, and the probability curve on other blocks."""
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
    """Fit Platt's logistic curve."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    if len(np.unique(y)) < 2:
        return Sureness(1.0, 0.0)
    curve = LogisticRegression(C=1000.0).fit(distance[:, None], y, sample_weight=weight / weight.mean())
    return Sureness(float(curve.coef_[0, 0]), float(curve.intercept_[0]))


def text_of(blocks: TextBlocks, taken: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> str:
    """Return the joined texts of the chosen blocks."""
    return "\n\n".join(text for text, is_taken in zip(blocks.texts, taken, strict=True) if is_taken)

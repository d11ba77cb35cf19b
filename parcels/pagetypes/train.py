"""Training of page types, with cross-validation by folds of sites."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from parcels.common.output import Log, log_nothing, log_to_stderr
from parcels.learn.folds import fold_of_group, splits
from parcels.learn.linear_svm import KEPT_SHARE, LinearSvm, fitted
from parcels.models.card import Source, Trained, examples_hash
from parcels.pagetypes.evaluate import type_scores
from parcels.pagetypes.examples import TypedPage, read_typed
from parcels.pagetypes.model import PageTypeModel

FOLDS = 4  # as in the paper
NAMES_SHARE = 0.5  # share of kept tokens among names and sizes, which are fewer and more informative than terms
OWN = "parcels"
METHODS = (OWN, "positions", "names", "text", "segment")
WORKERS = 2
CARD = """# Functional types of pages

Predicts the functional type of a page: {types}.

{made}- Examples: {pages} pages of {sites} sites.
- Learner: linear SVMs, one type against the rest. One set reads terms by their position in the page and in its largest
  segment (Bing et al. 2014, section 8), the other reads names of elements, words of the address and claims.
- Scores by {folds} folds of sites (accuracy, macro F1):

{scores}

- Limits: only these types; other types can be learned from pages with a column page_type.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages, cross-validate by folds of sites, and write the model folder."""
    pages: list[TypedPage] = []
    sources: list[Source] = []
    for folder in data:
        read, unreadable = read_typed(folder, workers=WORKERS)
        log_to_stderr(f"{folder.name}: {len(read)} pages{f', not read: {len(unreadable)}' if unreadable else ''}")
        sources.append(Source(folder, len(read), len({page.site for page in read})))
        pages += read
    gold = [page.page_type for page in pages]
    answers = cross_validated(pages, log=log_to_stderr)
    scores = {method: type_scores(gold, answers[method]) for method in METHODS}
    sites = len({page.site for page in pages})
    digest = examples_hash(f"{page.site} {page.name} {page.page_type} {sorted(page.text.items())}" for page in pages)
    trained_on = Trained("pagetypes", sources, out, digest, settings={"folds": FOLDS})
    meta = trained_on.stated(pages=len(pages), sites=sites)
    meta["scores"] = {name: [round(own.accuracy, 4), round(own.f1, 4)] for name, own in scores.items()}
    replace(trained(pages), meta=meta).save(out)
    table = "\n".join(f"  - {name}: {own.accuracy:.3f}, {own.f1:.3f}" for name, own in scores.items())
    card = CARD.format(
        types=", ".join(sorted(set(gold))), made=trained_on.lines(), pages=len(pages), sites=sites,
        folds=FOLDS, scores=table,
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return f"{len(pages)} pages of {sites} sites; accuracy, macro F1 by folds of sites\n{table}"


def trained(pages: Sequence[TypedPage]) -> PageTypeModel:
    """Train both SVMs."""
    types = [page.page_type for page in pages]
    return PageTypeModel(
        fitted([page.positions for page in pages], types),
        fitted([page.names for page in pages], types, kept_share=NAMES_SHARE),
    )


def _machine(pages: Sequence[TypedPage], method: str) -> LinearSvm:
    share = NAMES_SHARE if method == "names" else KEPT_SHARE
    return fitted([getattr(page, method) for page in pages], [page.page_type for page in pages], kept_share=share)


def predicted(seen: Sequence[TypedPage], held_out: Sequence[TypedPage], method: str) -> list[str]:
    """Return the types of held-out pages by a method trained on others."""
    if method == OWN:
        model = trained(seen)
        proba = model.probabilities([page.positions for page in held_out], [page.names for page in held_out])
        types = model.by_position.types
    else:
        machine = _machine(seen, method)
        proba, types = machine.scores([getattr(page, method) for page in held_out]), machine.types
    return [types[place] for place in proba.argmax(axis=1).tolist()]


def cross_validated(
    pages: Sequence[TypedPage], *, methods: Sequence[str] = METHODS, folds: int = FOLDS, log: Log = log_nothing
) -> dict[str, list[str]]:
    """Return the type of each page by every method, trained on other sites."""
    fold = fold_of_group(np.array([page.site for page in pages]), folds=folds)
    types = {method: [""] * len(pages) for method in methods}
    for number, (seen, held_out) in enumerate(splits(fold), 1):
        for method in methods:
            answers = predicted([pages[n] for n in seen], [pages[n] for n in held_out], method)
            for place, answer in zip(held_out.tolist(), answers, strict=True):
                types[method][place] = answer
        log(f"fold {number} of {folds} done")
    return types

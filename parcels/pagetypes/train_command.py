"""`parcels train pagetypes`: from pages of known type to a model's folder."""

import sys
from dataclasses import replace
from pathlib import Path

from parcels.models.card import Source, Trained, examples_hash
from parcels.pagetypes.examples import Typed, read_typed
from parcels.pagetypes.train import FOLDS, METHODS, cross_validated, trained, type_scores

WORKERS = 2
CARD = """# Functional types of pages

Says what a page is there for: {types}.

{made}- Examples: {pages} pages of {sites} sites.
- Learner: linear SVMs, one type against the rest; one set reads terms by their position in the page and in its largest
  segment (Bing et al. 2014, section 8), the other names of elements, words of the address and what the page claims.
- Scores by {folds} folds of sites (accuracy, macro F1):

{scores}

- Limits: any other types can be learned from pages with a column page_type.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages, score by folds of sites, and write the model."""
    pages: list[Typed] = []
    sources: list[Source] = []
    for folder in data:
        found, lost = read_typed(folder, workers=WORKERS)
        _tell(f"{folder.name}: {len(found)} pages{f', not read: {len(lost)}' if lost else ''}")
        sources.append(Source(folder, len(found), len({page.site for page in found})))
        pages += found
    gold = [page.page_type for page in pages]
    answers = cross_validated(pages, tell=_tell)
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


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

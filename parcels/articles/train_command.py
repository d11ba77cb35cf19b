"""`parcels train content`: from pages with gold text to a content model's folder."""

import sys
from dataclasses import replace
from pathlib import Path

from parcels.articles.confidence import calibration_error
from parcels.articles.examples import Example, read_examples
from parcels.articles.held_out import HeldOut, table
from parcels.articles.train import FOLDS, cross_validated, finished, prepare
from parcels.models.card import Source, Trained, examples_hash

CARD = """# Main content of pages

Says of each block of a page how likely it belongs to the page's content, and guesses the page's type.

{made}- Examples: {blocks:,} blocks on {pages:,} pages of {sites:,} sites. A block is content where its words stand in
  the gold text, in order.
- Learners: log-odds of names and words (a site counts once); a linear SVM a type over what stands on the page;
  gradient boosted trees over tree and text of a block; the same again over what the first said around it.
- Scores: F1 of words a page, averaged, by {folds} folds of sites (every page scored by a model that has not seen its
  site):

{scores}

- Confidence: the F1 of words that is expected of the choice, bent by a rising curve to the F1 that such pages got.
  Expected calibration error by the same folds, each page by the curve of the other folds: {error:.4f}.
- Limits: what a style sheet hides is not known to it; forums and shops that draw themselves with scripts are read from
  their data, unscored.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages, score by folds of sites, and write the model."""
    examples: list[Example] = []
    kinds: list[str] = []
    sources: list[Source] = []
    for folder in data:
        found, lost = read_examples([folder])
        _tell(f"{folder.name}: {len(found)} pages{f', not read: {len(lost)}' if lost else ''}")
        examples += found
        sources.append(Source(folder, len(found), len({example.site for example in found})))
        kinds += [f"{folder.name} {example.page_type}" for example in found]
    prepared = prepare(examples, tell=_tell)
    proba = cross_validated(prepared, tell=_tell)
    held_out = HeldOut.of(prepared, proba)
    scores, error = held_out.scores(kinds), calibration_error(held_out.confidence, held_out.measured.tolist())
    model = finished(prepared)
    sites = len({example.site for example in examples})
    blocks = sum(len(example.parts) for example in examples)
    digest = examples_hash(f"{example.site} {example.name}\0{example.gold}" for example in examples)
    trained = Trained("content", sources, out, digest, settings={"folds": FOLDS})
    meta = trained.stated(pages=len(examples), sites=sites, blocks=blocks)
    meta["scores"] = {kind: round(f1, 4) for kind, (f1, _) in scores.items()}
    replace(model, curve=held_out.curve, meta=meta).save(out)
    card = CARD.format(
        made=trained.lines(), pages=len(examples), sites=sites, blocks=blocks, folds=FOLDS, scores=table(scores),
        error=error,
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return f"{len(examples)} pages of {sites} sites; F1 of words by folds of sites\n{table(scores)}"


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

"""`parcels train content-svm`: from pages with gold text to the folder of Yao and Zuo's extractor."""

import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from parcels.articles.scores import lcs_f1, word_f1
from parcels.articles.svm.examples import read_pages
from parcels.articles.svm.train import OURS, Page, text_of, train
from parcels.learn.folds import fold_of_group
from parcels.models.card import Source, Trained, examples_hash

FOLDS = 5
CARD = """# Main content by a support vector machine (Yao and Zuo)

Says of each text block of a page whether it is content: seven numbers of its text, where it stands, and whether the
elements that hold it have one of ten names, in a support vector machine with a radial kernel.

{made}- Examples: {drawn} blocks drawn from {blocks} of {pages} pages of {sites} sites; {supports} support vectors.
- The ten names: {tokens}.
- Scores by {folds} folds of sites (every page by a machine that has not seen its site), F1 a page, averaged:

{scores}

- Limits: it knows neither page types nor what stands around a block but its predecessor's size. The
  default extractor is better on every kind of page; this one is here for comparison.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages, score by folds of sites, and write the model."""
    pages: list[Page] = []
    corpora: list[str] = []
    sources: list[Source] = []
    for folder in data:
        found, lost = read_pages([folder])
        _tell(f"{folder.name}: {len(found)} pages{f', not read: {len(lost)}' if lost else ''}")
        pages += found
        sources.append(Source(folder, len(found), len({page.site for page in found})))
        corpora += [folder.name] * len(found)
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


def _scored(pages: list[Page]) -> list[tuple[float, float]]:
    """Token and LCS F1 of every page, by folds of sites."""
    fold = fold_of_group(np.array([page.site for page in pages]), folds=FOLDS).tolist()
    found = [(0.0, 0.0)] * len(pages)
    for number in range(FOLDS):
        model = train([page for page, own in zip(pages, fold, strict=True) if own != number], OURS)
        for at, (page, own) in enumerate(zip(pages, fold, strict=True)):
            if own == number:
                said = text_of(page.blocks, model.taken(page.blocks)[0])
                found[at] = word_f1(page.gold, said), lcs_f1(page.gold, said)
        _tell(f"fold {number}")
    return found


def _table(scores: list[tuple[float, float]], corpora: list[str]) -> str:
    of_corpus = defaultdict(list)
    for pair, corpus in zip(scores, corpora, strict=True):
        of_corpus[corpus].append(pair)
    lines = ["| pages | count | token F1 | LCS F1 |", "|---|---:|---:|---:|"]
    for corpus, pairs in of_corpus.items():
        token, lcs = np.mean(pairs, axis=0).tolist()
        lines.append(f"| {corpus} | {len(pairs)} | {token:.4f} | {lcs:.4f} |")
    return "\n".join(lines)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

"""`parcels train blocks`: from a folder of labelled pages to a model's folder."""

import sys
from collections.abc import Sequence
from pathlib import Path

from parcels import __version__
from parcels.classify.evaluation import cross_validate
from parcels.classify.examples import Example, read_examples, read_pool, without_labelled
from parcels.classify.training import train, with_meta

LEAVE_OUT = ("l3s-",)  # pages for experiments only: their licence does not allow a shipped model
CARD = """# Block labels of news pages

Labels each block of a page with one of the 17 PARCELS labels and a confidence.

- Trained by: `parcels train blocks --data {data}{pool} --out {out}` (parcels {version}), on {pages} pages of {sites}
  sites, {blocks} labelled blocks. Pages named `l3s-*` (research use only) are left out. Half of the pages are learned
  from twice: as they are, and in the markup of twenty years ago (`parcels/classify/aged.py`).{unlabelled}
- Learners: gradient boosted trees over style, and over all numbers; logistic regression over words, over names (ids,
  classes, headings, addresses), and over both; then two small networks over the whole page, which read the numbers and
  what the others say, and see a block's neighbours and its list. Confidences are corrected by one temperature
  ({temperature:.2f}).
- Scores: {scores}
- Data: pages of fundus (MIT), postlight parser (MIT/Apache-2.0), article-extraction-dataset and trafilatura's
  evaluation pages (Apache-2.0), metahtml, wcxb (CC BY 4.0); labels by machine-assisted annotation. Only weights are
  shipped, no pages.
- Limits: mostly English news of the last ten years; pages laid out by tables are labelled worse; pages whose
  style sheets are missing lose part of the style view; `country` and `source` are rare and found seldom.
"""


def train_model(data: list[Path], out: Path, *, folds: int = 0, pool: Sequence[str] = ()) -> str:
    """Train on the folders' labelled pages and write the model.

    `folds`: cross-validate first, for the card; `pool`: pages without labels.
    """
    examples: list[Example] = []
    for folder in data:
        examples += read_examples(folder, leave_out=LEAVE_OUT, with_aged=True)
    scored = [example for example in examples if example.is_scored]
    _tell(f"{len(scored)} labelled pages measured")
    others = without_labelled(read_pool(pool), examples) if pool else []
    _tell(f"{len(others)} pages without labels measured")
    scores, told = "not measured in this run; see docs/results.md", ""
    if folds:
        found = cross_validate(examples, folds=folds, pool=others, tell=_tell).score()
        told = (
            f"{folds} folds by site: block_error {found.block_error:.4f}, char_error {found.char_error:.4f}, "
            f"macro_f1 {found.macro_f1:.4f}"
        )
        scores = told
    model = train(examples, pool=[page.measured for page in others], tell=_tell)
    blocks = sum(bool(label) for example in scored for label in example.labels)
    sites = len({example.site for example in scored})
    meta = {
        "data": {
            "pages": len(scored),
            "sites": sites,
            "blocks": blocks,
            "left_out": list(LEAVE_OUT),
            "pool": len(others),
        },
        "scores": scores,
        "made_by": f"parcels {__version__}",
    }
    with_meta(model, meta).save(out)
    card = CARD.format(
        data=" ".join(folder.name for folder in data), out=out.name, version=__version__, pages=len(scored),
        sites=sites, blocks=blocks, temperature=model.temperature, scores=scores,
        pool=f" --pool {' '.join(Path(one).parent.name for one in pool)}" if pool else "",
        unlabelled=f" {len(others)} pages without labels taught it too (docs/labels.md)." if others else "",
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return told or f"{len(scored)} pages of {sites} sites"


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

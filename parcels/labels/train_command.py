"""Train a model from folders or stores of labelled pages (`parcels train blocks`)."""

from collections.abc import Sequence
from pathlib import Path

from parcels.common.output import log_to_stderr
from parcels.labels.evaluate import cross_validate
from parcels.labels.examples import Example, check_enough, read_examples, read_pool, without_labelled
from parcels.labels.train import train, with_meta
from parcels.models.card import Source, Trained, base_name, examples_hash

LEAVE_OUT = ("l3s-",)  # pages for experiments only: their licence does not allow a shipped model
CARD = """# Block labels of pages

Labels each block of a page with one of {labels} labels and a confidence.

{trained}- Examples: {blocks:,} labelled blocks on {pages:,} pages of {sites:,} sites; by label: {by_label}.{more}
- Learners: gradient boosted trees over style, and over all numbers; logistic regression over words, over names (ids,
  classes, headings, addresses), and over both; then two small networks over the whole page, which read the numbers and
  what the others say, and see a block's neighbours and its list. Confidences are corrected by one temperature
  ({temperature:.2f}){one_site}.
- Scores: {scores}
- Limits: labels that few examples have are found seldom; pages unlike the examples are labelled worse; pages whose
  style sheets are missing lose part of the style view.
"""


def train_model(
    data: Sequence[str | Path],
    out: Path,
    *,
    folds: int = 0,
    pool: Sequence[str] = (),
    pages: Sequence[str] = (),
) -> str:
    """Train on labelled pages and write the model.

    `folds`: cross-validate first, for the card; `pool`: pages without labels; `pages`: where the pages of exports are.
    """
    examples: list[Example] = []
    sources, left_out = [], list[str]()
    for source in data:
        found = list(
            read_examples(
                source, pages=pages, leave_out=LEAVE_OUT, left_out=left_out, with_aged=True, log=log_to_stderr
            )
        )
        examples += found
        own = [example for example in found if example.is_scored]
        sources.append(Source(source, len(own), len({example.site for example in own})))
    check_enough(examples)
    scored = [example for example in examples if example.is_scored]
    log_to_stderr(f"{len(scored)} labelled pages measured")
    others = without_labelled(read_pool(pool), examples) if pool else []
    log_to_stderr(f"{len(others)} pages without labels measured")
    scores = "not measured in this run (`--folds N` does)"
    if folds:
        found_by_folds = cross_validate(examples, folds=folds, pool=others, log=log_to_stderr).score()
        scores = (
            f"{folds} folds by site: block_error {found_by_folds.block_error:.4f}, "
            f"char_error {found_by_folds.char_error:.4f}, macro_f1 {found_by_folds.macro_f1:.4f}"
        )
    model = train(examples, pool=[page.measured for page in others], log=log_to_stderr)
    trained = Trained("blocks", sources, out, _hash(scored), _options(folds, pool, pages))
    counts = {label: sum(example.labels.count(label) for example in scored) for label in model.labels.tolist()}
    sites = len({example.site for example in scored})
    about = {"pages": len(scored), "sites": sites, "blocks": sum(counts.values()), "labels": counts}
    about |= {"left_out": len(left_out), "pool": len(others)}
    with_meta(model, trained.stated(**about) | {"scores": scores}).save(out)
    more = [
        (len(left_out), "pages named `l3s-*` (research use only) were left out"),
        (
            len(examples) - len(scored),
            "pages are learned from twice: as they are, and in the markup of twenty years ago",
        ),
        (len(others), "pages without labels taught it too"),
    ]
    card = CARD.format(
        labels=len(model.labels), trained=trained.lines(), blocks=sum(counts.values()), pages=len(scored), sites=sites,
        by_label=", ".join(f"{label} {count}" for label, count in counts.items()),
        more="".join(f"\n  {count:,} {what}." for count, what in more if count),
        temperature=model.temperature,
        one_site=", learned on held-out pages of the same site: on other sites they are too high" if sites == 1 else "",
        scores=scores,
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return scores if folds else f"{len(scored)} pages of {sites} sites, {sum(counts.values())} labelled blocks"


def _options(folds: int, pool: Sequence[str], pages: Sequence[str]) -> list[str]:
    """Return the words of the command beside --data and --out."""
    words = [
        f"--{name} {' '.join(map(base_name, value))}" for name, value in (("pages", pages), ("pool", pool)) if value
    ]
    return [*words, *([f"--folds {folds}"] if folds else [])]


def _hash(examples: Sequence[Example]) -> str:
    return examples_hash(
        "\0".join(
            [example.site, example.page, *map(" ".join, zip(example.labels, example.measured.texts, strict=True))]
        )
        for example in examples
    )

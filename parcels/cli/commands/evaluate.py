"""`parcels evaluate KIND --data …`: scores with intervals, the worst pages first."""

import argparse
import sys
from typing import TYPE_CHECKING

import orjson

from parcels.cli.pages import add_model_arguments
from parcels.common.optional import require_packages
from parcels.common.output import output
from parcels.errors import ConfigError
from parcels.models.registry import model_path
from parcels.results import DEFAULT_MODEL

if TYPE_CHECKING:
    from parcels.labels.evaluate import Evaluation

HELP = "Score a model on labelled pages: errors with intervals, F1 of each label, confusion, calibration, worst pages."
EXAMPLE = """
parcels evaluate blocks --data news17 --folds 5
parcels evaluate blocks --data my-labelled-pages --model models/mine --json
parcels evaluate articles --data my-pages/pages.parquet --against trafilatura
parcels evaluate segments --data segments --folds 4 --level 2 --workers 2
"""
KINDS = {
    "blocks": "labels of blocks",
    "articles": "main text and fields; --data: Parquet files or folders with gold text",
    "segments": "segments of pages; --data: folders of pages.parquet with marked blocks_html",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    kinds = "; ".join(f"{name}: {description}" for name, description in KINDS.items())
    parser.add_argument("kind", choices=list(KINDS), metavar="KIND", help=kinds)
    parser.add_argument(
        "--data",
        nargs="+",
        required=True,
        metavar="PATH",
        help="blocks: stores with annotations, or folders with pages.parquet and gold/PAGE.json",
    )
    add_model_arguments(parser, None, f"(default: {DEFAULT_MODEL}; of articles: content; of segments: segmenter)")
    parser.add_argument(
        "--folds",
        type=int,
        default=0,
        metavar="N",
        help="cross-validate: N times, train on all sites outside a fold and score on those inside",
    )
    parser.add_argument("--pool", nargs="+", default=[], metavar="PAGE", help="with --folds: unlabelled pages")
    parser.add_argument(
        "--also", nargs="+", default=[], metavar="FOLDER", help="with --folds: labelled pages for training only"
    )
    parser.add_argument("--predictions", metavar="FILE", help="write each page's leaves with their labels to FILE")
    parser.add_argument(
        "--against",
        default="",
        metavar="NAMES",
        help="articles: peers to compare with, such as trafilatura; segments: segmenters",
    )
    parser.add_argument(
        "--level", type=int, choices=(1, 2), default=1, help="segments: level of the marked blocks (default 1)"
    )
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="blocks, segments: folds in parallel (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print the scores as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Score and print the scores."""
    if args.workers < 1:
        raise ConfigError(f"--workers must be at least 1, got {args.workers}.")
    if args.folds:
        require_packages("sklearn", "lightgbm", extra="learn", purpose=f"`parcels evaluate {args.kind} --folds`")
    if args.model:
        args.model = model_path(args.model, args.store)
    if args.kind == "articles":
        from parcels.articles.evaluate import run as run_articles

        return run_articles(args)
    if args.kind == "segments":
        require_packages("scipy", extra="learn", purpose="`parcels evaluate segments`")
        from parcels.segments.report import run as run_segments

        return run_segments(args)
    from parcels.labels.evaluate import Folders, cross_validate_folders, evaluate
    from parcels.labels.examples import read_examples
    from parcels.labels.model import model_at

    if args.also and not args.folds:
        raise ConfigError("--also names pages for training and needs --folds. Add --folds N, or leave --also out.")
    if args.folds:
        folders = Folders(tuple(args.data), tuple(args.also), tuple(args.pool))
        evaluation = cross_validate_folders(folders, folds=args.folds, workers=args.workers, log=_report)
    else:
        model = model_at(args.model or DEFAULT_MODEL)
        examples = [example for source in args.data for example in read_examples(source)]
        _report(f"{len(examples)} labelled pages")
        evaluation = evaluate(model, examples)
    if args.predictions:
        with output(args.predictions) as out:
            for line in evaluation.lines:
                out.write(orjson.dumps(line) + b"\n")
    print(orjson.dumps(as_json(evaluation), option=orjson.OPT_INDENT_2).decode() if args.json else as_text(evaluation))
    return 0


def _report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def as_json(evaluation: "Evaluation") -> dict[str, object]:
    """Return the scores as plain data."""
    score = evaluation.score()
    return {
        "pages": score.pages,
        "blocks": score.blocks,
        "block_error": round(score.block_error, 4),
        "char_error": round(score.char_error, 4),
        "macro_f1": round(score.macro_f1, 4),
        "intervals": {name: [round(low, 4), round(high, 4)] for name, (low, high) in evaluation.intervals().items()},
        "lost_leaves": score.lost,
        "f1": {label: round(value, 3) for label, value in score.f1.items()},
        "support": score.support,
        "calibration_error": round(evaluation.calibration_error(), 4),
        "calibration": [[round(sure, 3), round(right, 3), n] for sure, right, n in evaluation.calibration()],
        "confusion": [[gold, predicted, n] for (gold, predicted), n in score.confusion.most_common(25)],
        "worst": [[page.page, page.wrong_blocks, page.blocks] for page in evaluation.worst()],
    }


def as_text(evaluation: "Evaluation") -> str:
    """Return the scores as text."""
    score, intervals = evaluation.score(), evaluation.intervals()
    lines = [f"{score.pages} pages, {score.blocks} reference blocks, {score.lost} labelled leaves not found"]
    for name in ("block_error", "char_error", "macro_f1"):
        low, high = intervals[name]
        lines.append(f"{name:12} {getattr(score, name):.4f}   95 % interval over sites: {low:.4f} to {high:.4f}")
    lines += ["", f"{'label':14} {'F1':>6} {'blocks':>7}"]
    lines += [f"{label:14} {value:6.3f} {score.support[label]:7}" for label, value in score.f1.items()]
    lines += ["", f"calibration error {evaluation.calibration_error():.4f} (confidence, share right, blocks)"]
    lines += [f"  {sure:.2f}  {right:.2f}  {n}" for sure, right, n in evaluation.calibration()]
    lines += ["", "confusion (gold -> predicted: reference blocks)"]
    lines += [f"  {gold} -> {predicted or 'nothing'}: {n}" for (gold, predicted), n in score.confusion.most_common(15)]
    lines += ["", "worst pages (wrong of all reference blocks)"]
    lines += [f"  {page.page}: {page.wrong_blocks} of {page.blocks}" for page in evaluation.worst()]
    return "\n".join(lines)

"""`parcels evaluate segments`: scores of segmenters as text and as JSON."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from parcels.common.output import log_to_stderr
from parcels.errors import ConfigError
from parcels.segments.evaluate import ORACLE, PageScore, Scores, cross_validate, differences, evaluate, interval
from parcels.segments.examples import read_marked
from parcels.segments.model import SHIPPED, segmenter_at
from parcels.segments.segmenters import DEFAULT, SEGMENTERS

WORST = 10


def run(args: argparse.Namespace) -> int:
    """Score the segmenters and print the scores."""
    names = [name.strip() for name in args.against.split(",") if name.strip()] or list(SEGMENTERS)
    unknown = [name for name in names if name not in SEGMENTERS]
    if unknown:
        raise ConfigError(f"Unknown segmenter '{unknown[0]}'. Use one of: {', '.join(SEGMENTERS)}.")
    names = list(dict.fromkeys([DEFAULT, *names]))
    scores: Scores = {}
    for folder in map(Path, args.data):
        if args.folds:
            scored = cross_validate(
                folder, level=args.level, segmenters=names, folds=args.folds, workers=args.workers, log=log_to_stderr
            )
        else:
            pages, unusable = read_marked(folder)
            for line in unusable:
                log_to_stderr(f"not used: {line}")
            scored = evaluate(segmenter_at(args.model or SHIPPED), pages, level=args.level, segmenters=names)
        for name, own in scored.items():
            scores.setdefault(name, []).extend(own)
    if not scores[DEFAULT]:
        raise ConfigError(
            f"No page has two or more marked blocks at --level {args.level}. Use the other level, or other --data."
        )
    summary = as_json(scores)
    print(orjson.dumps(summary, option=orjson.OPT_INDENT_2).decode() if args.json else as_text(scores))
    return 0


def mean_of(pages: list[PageScore], field: str) -> float:
    """Return the mean of a score over the pages that have it."""
    values = [float(value) for page in pages if (value := getattr(page, field)) is not None]
    return float(np.mean(values)) if values else float("nan")


def as_json(scores: Scores) -> dict[str, Any]:
    """Return the scores as plain data."""
    out: dict[str, Any] = {"pages": len(scores[DEFAULT])}
    for name, pages in scores.items():
        own = {field: round(mean_of(pages, field), 4) for field in ("ari", "nmi")}
        informative = [page for page in pages if page.is_informative_right is not None]
        out[name] = {
            **own,
            "ari_interval": [round(edge, 4) for edge in interval([page.ari for page in pages])],
            "nmi_interval": [round(edge, 4) for edge in interval([page.nmi for page in pages])],
            "informative": round(mean_of(pages, "is_informative_right"), 4) if informative else None,
            "informative_pages": len(informative),
        }
    out["worst"] = [[page.page, round(page.ari, 4)] for page in worst_pages(scores)]
    return out


def worst_pages(scores: Scores) -> list[PageScore]:
    """Return the pages with the lowest ARI of the default segmenter, the lowest first."""
    return sorted(scores[DEFAULT], key=lambda page: page.ari)[:WORST]


def as_text(scores: Scores) -> str:
    """Return the scores for reading."""
    lines = [f"{len(scores[DEFAULT])} pages", "", f"{'segmenter':12} {'ARI':>6} {'95 % interval':>16} {'NMI':>6} "
             f"{'informative':>12}"]  # fmt: skip
    for name, pages in scores.items():
        low, high = interval([page.ari for page in pages])
        lines.append(
            f"{name:12} {mean_of(pages, 'ari'):6.3f}   {low:.3f} to {high:.3f} {mean_of(pages, 'nmi'):6.3f} "
            f"{mean_of(pages, 'is_informative_right'):12.3f}"
        )
    lines += ["", f"{DEFAULT} less another, page by page (95 % intervals)"]
    for name in scores:
        if name not in (DEFAULT, ORACLE):
            lines.append(f"  {name:12} {_difference(scores, DEFAULT, name)}")
    if "wps-slack" in scores:
        lines += ["", "wps-slack less another on the informative segment"]
        for name in scores:
            if name not in ("wps-slack", ORACLE):
                values = differences(scores, "wps-slack", name, "is_informative_right")
                low, high = interval(values)
                lines.append(
                    f"  {name:12} {np.mean(values) if values else float('nan'):+.3f} ({low:+.3f} to {high:+.3f})"
                )
    lines += ["", "worst pages (ARI)"]
    lines += [f"  {page.page}: {page.ari:.3f}" for page in worst_pages(scores)]
    return "\n".join(lines)


def _difference(scores: Scores, one: str, other: str) -> str:
    parts = []
    for field in ("ari", "nmi"):
        values = differences(scores, one, other, field)
        low, high = interval(values)
        parts.append(f"{field.upper()} {np.mean(values):+.3f} ({low:+.3f} to {high:+.3f})")
    return ", ".join(parts)

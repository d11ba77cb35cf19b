"""`parcels evaluate articles`: scores of text and fields, beside other extractors, with intervals over sites."""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from parcels.articles.article import Article, assembled, extract_page, heading_of
from parcels.articles.body.parts import content_parts
from parcels.articles.confidence import calibration_error, reliability
from parcels.articles.examples import NEWS, gold_rows, read_examples, site_of
from parcels.articles.fields.stated import Stated
from parcels.articles.model import SHIPPED, content_model_at
from parcels.articles.peers import peer
from parcels.articles.scores import contains, field_scores, shingle_f1, shingle_scores, word_f1
from parcels.articles.train import CrossValidated, cross_validated, prepare
from parcels.common.output import log_to_stderr, output
from parcels.errors import SkipRecord
from parcels.html.page import read_page
from parcels.html.structured import claims

DRAWS = 400  # bootstrap samples of sites per interval
Extracted = dict[str, Any]
Extractor = Callable[[Mapping[str, Any]], Extracted]


@dataclass
class Result:
    """The scores of one extractor, one entry per page."""

    name: str
    seconds: float = 0.0  # of processor time
    longest: float = 0.0
    lines: list[Extracted] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    shingles: list[tuple[float | None, float]] = field(default_factory=list)
    complete: list[bool] = field(default_factory=list)
    fields: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: int = 0

    def add(self, row: Mapping[str, Any], extracted: Extracted) -> None:
        """Score one page."""
        gold, text = row["text"] or "", extracted.get("text") or ""
        self.lines.append({"page": row["page"], **extracted})
        self.words.append(word_f1(gold, text))
        self.shingles.append(shingle_scores(gold, text))
        self.complete.append(contains(gold, text))
        for name, score in field_scores(dict(row), extracted).items():
            self.fields[name].append(score)

    def summary(self, sites: Sequence[str], types: Sequence[str]) -> dict[str, Any]:
        """Return the mean scores, with intervals over sites."""
        of_type = defaultdict(list)
        for kind, score in zip(types, self.words, strict=True):
            of_type[kind].append(score)
        pages = max(1, len(self.words))
        return {
            "shingle_f1": round(shingle_f1(self.shingles), 4),
            "word_f1": round(sum(self.words) / pages, 4),
            "interval": interval(self.words, sites),
            "complete": round(sum(self.complete) / pages, 4),
            "by_type": {kind: round(sum(scores) / len(scores), 4) for kind, scores in sorted(of_type.items())},
            **{name: round(sum(scores) / len(scores), 4) for name, scores in sorted(self.fields.items())},
            **self._calibration(),
            "failed": self.failed,
            "ms_a_page": round(1000 * self.seconds / pages, 1),
            "longest_ms": round(1000 * self.longest, 1),
        }

    def _calibration(self) -> dict[str, Any]:
        """Return calibration error and reliability table, where the extractor reports a confidence."""
        confidences = [line.get("confidence") for line in self.lines]
        known = [(sure, f1) for sure, f1 in zip(confidences, self.words, strict=True) if sure is not None]
        if not known:
            return {"calibration_error": None, "reliability": []}
        sure, words = zip(*known, strict=True)
        table = [[round(one, 3), round(got, 3), pages] for one, got, pages in reliability(sure, words)]
        return {"calibration_error": round(calibration_error(sure, words), 4), "reliability": table}


def run(args: argparse.Namespace) -> int:
    """Score a model (or one model per fold of sites) and other extractors, and print the results."""
    folders = [Path(path) for path in args.data]
    rows = [row for folder in folders for row in gold_rows(folder)]
    print(f"{len(rows)} pages with gold text", file=sys.stderr)
    own = by_folds(folders, args.folds) if args.folds else by_model(args.model or SHIPPED)
    extractors: dict[str, Extractor] = {"parcels": own}
    for name in filter(None, args.against.split(",")):
        other = peer(name)
        extractors[name] = lambda row, other=other: other(row["html"], row.get("url"))  # type: ignore[misc]
    results = [measured(name, extractor, rows) for name, extractor in extractors.items()]
    if args.predictions:
        with output(args.predictions) as out:
            for line in results[0].lines:
                out.write(orjson.dumps(line) + b"\n")
    sites = [site_of(row.get("url"), str(row["page"])) for row in rows]
    types = [row.get("page_type") or NEWS for row in rows]
    summaries = {result.name: result.summary(sites, types) for result in results}
    if args.json:
        print(orjson.dumps(summaries, option=orjson.OPT_INDENT_2).decode())
    else:
        print(as_text(summaries))
        worst = sorted(zip(results[0].words, (str(row["page"]) for row in rows), types, strict=True))[:10]
        print("\nworst pages (F1 of words)\n" + "\n".join(f"  {page} {kind}: {f1:.2f}" for f1, page, kind in worst))
    return 0


def measured(name: str, extractor: Extractor, rows: Sequence[Mapping[str, Any]]) -> Result:
    """Run an extractor over the pages and score its results."""
    result = Result(name)
    for row in rows:
        start = time.process_time()
        try:
            extracted = extractor(row)
        except SkipRecord:
            extracted, result.failed = {}, result.failed + 1
        except Exception as error:
            if name == "parcels":
                raise
            print(f"{name}: {row['page']}: {type(error).__name__}: {error}", file=sys.stderr)
            extracted, result.failed = {}, result.failed + 1
        spent = time.process_time() - start
        result.seconds += spent
        result.longest = max(result.longest, spent)
        result.add(row, extracted)
    return result


def by_model(name: str) -> Extractor:
    """Return an extractor with a shipped model, or with one in a folder."""
    model = content_model_at(name)

    def extractor(row: Mapping[str, Any]) -> Extracted:
        page = read_page(row["html"], row.get("url"), name=str(row["page"]))
        return _fields(extract_page(page, model))

    return extractor


def by_folds(folders: Sequence[Path], folds: int) -> Extractor:
    """Return an extractor that applies to each page a model trained on the other folds' sites."""
    examples, _ = read_examples(folders)
    prepared = prepare(examples, folds=folds, log=log_to_stderr)
    validated = CrossValidated.of(prepared, cross_validated(prepared, log=log_to_stderr))
    scored = {example.name: one for example, one in zip(examples, validated.scored, strict=True)}

    def extractor(row: Mapping[str, Any]) -> Extracted:
        page = read_page(row["html"], row.get("url"), name=str(row["page"]))
        page_claims = claims(page)
        parts, stated = content_parts(page), Stated.of(page_claims)
        heading = heading_of(parts, page_claims)
        return _fields(assembled(page, parts, page_claims, stated, scored[page.name], heading))

    return extractor


def _fields(article: Article) -> Extracted:
    return {
        "text": article.text, "title": article.title, "published": article.published, "authors": list(article.authors),
        "page_type": article.page_type, "confidence": article.confidence,
    }  # fmt: skip


def interval(values: Sequence[float], sites: Sequence[str]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean over sites."""
    names, place = np.unique(np.array(sites), return_inverse=True)
    sums, counts = np.bincount(place, values), np.bincount(place)
    draws = np.random.default_rng(0).integers(0, len(names), (DRAWS, len(names)))
    means = sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return round(float(low), 4), round(float(high), 4)


def as_text(summaries: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the results as a text table, one column per extractor."""
    names = [name for name in next(iter(summaries.values())) if name not in ("by_type", "reliability")]
    lines = [f"{'':16}" + "".join(f"{extractor:>22}" for extractor in summaries)]
    for name in names:
        lines.append(f"{name:16}" + "".join(f"{_shown(summary.get(name)):>22}" for summary in summaries.values()))
    for kind in next(iter(summaries.values()))["by_type"]:
        lines.append(f"  {kind:14}" + "".join(f"{summary['by_type'][kind]:>22.4f}" for summary in summaries.values()))
    for extractor, summary in summaries.items():
        if summary["reliability"]:
            lines.append(f"{extractor}: confidence, F1 of words, pages")
            lines += [f"  {sure:.2f}  {got:.2f}  {pages}" for sure, got, pages in summary["reliability"]]
    return "\n".join(lines)


def _shown(value: Any) -> str:
    return f"{value[0]:.4f} to {value[1]:.4f}" if isinstance(value, tuple) else str(value)

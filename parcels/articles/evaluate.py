"""`parcels evaluate articles`: text and fields against gold, beside peers, with intervals over sites."""

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

from parcels.articles.article import Article, assembled, extract_page
from parcels.articles.body.parts import content_parts
from parcels.articles.confidence import calibration_error, reliability
from parcels.articles.examples import NEWS, gold_rows, read_examples, site_of
from parcels.articles.fields.stated import Stated
from parcels.articles.held_out import HeldOut
from parcels.articles.model import SHIPPED, content_model_at
from parcels.articles.peers import peer
from parcels.articles.scores import contains, field_scores, shingle_f1, shingle_scores, word_f1
from parcels.articles.train import cross_validated, prepare
from parcels.cli.pages import output
from parcels.errors import SkipRecord
from parcels.html.page import read_page
from parcels.html.structured import claims

DRAWS = 400  # of the sites, for an interval
Said = dict[str, Any]
Extractor = Callable[[Mapping[str, Any]], Said]


@dataclass
class Result:
    """What one extractor got on the pages, one entry a page."""

    name: str
    seconds: float = 0.0  # of processor time
    longest: float = 0.0
    lines: list[Said] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    shingles: list[tuple[float | None, float]] = field(default_factory=list)
    complete: list[bool] = field(default_factory=list)
    fields: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: int = 0

    def add(self, row: Mapping[str, Any], said: Said) -> None:
        """Score one page."""
        gold, text = row["text"] or "", said.get("text") or ""
        self.lines.append({"page": row["page"], **said})
        self.words.append(word_f1(gold, text))
        self.shingles.append(shingle_scores(gold, text))
        self.complete.append(contains(gold, text))
        for name, score in field_scores(dict(row), said).items():
            self.fields[name].append(score)

    def summary(self, sites: Sequence[str], types: Sequence[str]) -> dict[str, Any]:
        """The means, with intervals over sites."""
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
        """How far the confidence is from the F1 of words, where the extractor tells one."""
        told = [line.get("confidence") for line in self.lines]
        known = [(sure, f1) for sure, f1 in zip(told, self.words, strict=True) if sure is not None]
        if not known:
            return {"calibration_error": None, "reliability": []}
        sure, words = zip(*known, strict=True)
        table = [[round(one, 3), round(got, 3), pages] for one, got, pages in reliability(sure, words)]
        return {"calibration_error": round(calibration_error(sure, words), 4), "reliability": table}


def run(args: argparse.Namespace) -> int:
    """Score the model, or one trained anew for each fold of sites, and the peers."""
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
    found = {result.name: result.summary(sites, types) for result in results}
    if args.json:
        print(orjson.dumps(found, option=orjson.OPT_INDENT_2).decode())
    else:
        print(as_text(found))
        worst = sorted(zip(results[0].words, (str(row["page"]) for row in rows), types, strict=True))[:10]
        print("\nworst pages (F1 of words)\n" + "\n".join(f"  {page} {kind}: {f1:.2f}" for f1, page, kind in worst))
    return 0


def measured(name: str, extractor: Extractor, rows: Sequence[Mapping[str, Any]]) -> Result:
    """Run an extractor over the pages and score what it says."""
    result = Result(name)
    for row in rows:
        start = time.process_time()
        try:
            said = extractor(row)
        except SkipRecord:
            said, result.failed = {}, result.failed + 1
        except Exception as error:
            if name == "parcels":
                raise
            print(f"{name}: {row['page']}: {type(error).__name__}: {error}", file=sys.stderr)
            said, result.failed = {}, result.failed + 1
        spent = time.process_time() - start
        result.seconds += spent
        result.longest = max(result.longest, spent)
        result.add(row, said)
    return result


def by_model(name: str) -> Extractor:
    """A shipped model, or one in a folder."""
    model = content_model_at(name)

    def extractor(row: Mapping[str, Any]) -> Said:
        page = read_page(row["html"], row.get("url"), name=str(row["page"]))
        return _fields(extract_page(page, model))

    return extractor


def by_folds(folders: Sequence[Path], folds: int) -> Extractor:
    """Every page by a model that was trained on the other folds' sites."""
    examples, _ = read_examples(folders)
    prepared = prepare(examples, folds=folds, tell=_tell)
    held_out = HeldOut.of(prepared, cross_validated(prepared, tell=_tell))
    scored = {example.name: one for example, one in zip(examples, held_out.scored, strict=True)}

    def extractor(row: Mapping[str, Any]) -> Said:
        page = read_page(row["html"], row.get("url"), name=str(row["page"]))
        said = claims(page)
        return _fields(assembled(page, content_parts(page), said, Stated.of(said), scored[page.name]))

    return extractor


def _fields(article: Article) -> Said:
    return {
        "text": article.text, "title": article.title, "published": article.published, "authors": list(article.authors),
        "page_type": article.page_type, "confidence": article.confidence,
    }  # fmt: skip


def interval(values: Sequence[float], sites: Sequence[str]) -> tuple[float, float]:
    """The middle 95 % of the means over draws of whole sites."""
    names, place = np.unique(np.array(sites), return_inverse=True)
    sums, counts = np.bincount(place, values), np.bincount(place)
    draws = np.random.default_rng(0).integers(0, len(names), (DRAWS, len(names)))
    means = sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return round(float(low), 4), round(float(high), 4)


def as_text(found: Mapping[str, Mapping[str, Any]]) -> str:
    """The results side by side."""
    names = [name for name in next(iter(found.values())) if name not in ("by_type", "reliability")]
    lines = [f"{'':16}" + "".join(f"{extractor:>22}" for extractor in found)]
    for name in names:
        lines.append(f"{name:16}" + "".join(f"{_shown(summary.get(name)):>22}" for summary in found.values()))
    for kind in next(iter(found.values()))["by_type"]:
        lines.append(f"  {kind:14}" + "".join(f"{summary['by_type'][kind]:>22.4f}" for summary in found.values()))
    for extractor, summary in found.items():
        if summary["reliability"]:
            lines.append(f"{extractor}: confidence, F1 of words, pages")
            lines += [f"  {sure:.2f}  {got:.2f}  {pages}" for sure, got, pages in summary["reliability"]]
    return "\n".join(lines)


def _shown(value: Any) -> str:
    return f"{value[0]:.4f} to {value[1]:.4f}" if isinstance(value, tuple) else str(value)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

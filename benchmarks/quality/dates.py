"""Date, title and authors of pages, beside htmldate and trafilatura on the same pages.

python -m benchmarks dates

No field depends on a trained model, so there are no folds. The rules were written while looking at the pages of half of
the sites ("read"); the other half ("unread") was only scored. A site's half is a hash of its domain. htmldate comes
with trafilatura; it is asked for the original date, not the last update.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow.parquet as pq

from benchmarks.corpora import fingerprint, folder
from parcels.articles.article import heading_of
from parcels.articles.body.parts import content_parts
from parcels.articles.evaluate import interval
from parcels.articles.examples import site_of
from parcels.articles.fields.authors import find_authors
from parcels.articles.fields.dates.find import find_dates
from parcels.articles.peers import peer
from parcels.articles.scores import field_scores
from parcels.errors import SkipRecord
from parcels.html.page import read_page
from parcels.html.structured import claims

MANY_LANGUAGES, NEWS = "dates", "news-fields"
ALSO = ("multilingual", "wcxb", "news-pool")  # printed, without a mark
NEWS_MARKS = {"title": 0.97, "published": 0.97, "authors": 0.90}
LEAST_PAGES = 8  # of a language with a row of its own
COLUMNS = ("page", "url", "html", "language", "published", "title", "authors", "author")
Row = dict[str, Any]
Extracted = Mapping[str, Any]


@dataclass
class Dates:
    """The dates of one extractor: right, wrong and missing ones."""

    right: list[float] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    by_half: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    by_language: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, row: Row, found: str | None) -> None:
        """Count the date of one page."""
        outcome = "missing" if not found else "right" if found[:10] == row["published"][:10] else "wrong"
        self.right.append(float(outcome == "right"))
        self.sites.append(row["site"])
        self.by_half[row["half"]][outcome] += 1
        self.by_language[row.get("language") or "unknown"][outcome] += 1

    @property
    def share(self) -> float:
        """The share of dates that are right."""
        return sum(self.right) / max(1, len(self.right))


def main() -> bool:
    many = compared_dates(MANY_LANGUAGES)
    news = compared_fields(NEWS)
    for corpus in ALSO:
        compared_dates(corpus)
    return many["parcels"].share > many["htmldate"].share and all(
        news[name] >= mark for name, mark in NEWS_MARKS.items()
    )


def compared_dates(corpus: str) -> dict[str, Dates]:
    """Print the dates of a corpus by parcels and by htmldate."""
    rows = [row for row in read_rows(corpus) if row.get("published")]
    results = {}
    print(f"-- dates of {corpus} ({fingerprint(corpus)}), {len(rows)} pages")
    extractors: dict[str, Callable[[Row], str | None]] = {"parcels": lambda row: fields(row).get("published")}
    for name, extractor in (extractors | {"htmldate": by_htmldate}).items():
        results[name] = result = Dates()
        for row in rows:
            result.add(row, extractor(row))
        low, high = interval(result.right, result.sites)
        total = sum(result.by_half.values(), Counter[str]())
        print(f"{name:12}{result.share:.4f} ({low:.4f} to {high:.4f}): {_counts(total)}")
        for half, counts in sorted(result.by_half.items()):
            print(f"  {half:10}{counts['right'] / counts.total():.4f}: {_counts(counts)}")
    languages = Counter(row.get("language") or "unknown" for row in rows)
    shown = [language for language, pages in languages.most_common() if pages >= LEAST_PAGES]
    for language in shown if len(shown) > 1 else ():
        counts = [f"{name} {_counts(result.by_language[language])}" for name, result in results.items()]
        print(f"  {language:8}{languages[language]:4} pages: {'; '.join(counts)}")
    return results


def compared_fields(corpus: str) -> dict[str, float]:
    """Print title, date and authors of a corpus by parcels and by trafilatura; returns those of parcels."""
    rows = list(read_rows(corpus))
    other = peer("trafilatura")
    extractors: dict[str, Callable[[Row], Extracted]] = {
        "parcels": fields,
        "trafilatura": lambda row: other(row["html"], row["url"]),
    }
    means: dict[str, dict[str, float]] = {}
    print(f"-- fields of {corpus} ({fingerprint(corpus)}), {len(rows)} pages")
    for name, extractor in extractors.items():
        scores: dict[tuple[str, str], list[float]] = defaultdict(list)
        sites: dict[str, list[str]] = defaultdict(list)
        for row in rows:
            for key, score in field_scores(row, dict(extractor(row))).items():
                scores[key, row["half"]].append(score)
                scores[key, "all"].append(score)
                sites[key].append(row["site"])
        means[name] = {key: _mean(scores[key, "all"]) for key in NEWS_MARKS}
        for key, mean in means[name].items():
            low, high = interval(scores[key, "all"], sites[key])
            halves = ", ".join(f"{half} {_mean(scores[key, half]):.4f}" for half in ("read", "unread"))
            print(f"{name:12}{key:10}{mean:.4f} ({low:.4f} to {high:.4f}) of {len(sites[key])}: {halves}")
    return means["parcels"]


def read_rows(corpus: str) -> list[Row]:
    """Return the pages of a corpus with their site and its half."""
    path = folder() / corpus / "pages.parquet"
    columns = [name for name in COLUMNS if name in pq.read_schema(path).names]
    rows: list[Row] = pq.read_table(path, columns=columns).to_pylist()
    for row in rows:
        row["site"] = site_of(row["url"], str(row["page"]))
        row["half"] = half_of(row["site"])
    return rows


def half_of(site: str) -> str:
    """Return the half of a site: whether its pages were read while the rules were written."""
    return "unread" if int(hashlib.sha256(site.encode()).hexdigest(), 16) % 2 else "read"


def fields(row: Row) -> Extracted:
    """Return title, date and authors of a page by the code of `parcels extract`; empty where it is no page."""
    try:
        page = read_page(row["html"], row["url"], name=str(row["page"]))
    except SkipRecord:
        return {}
    page_claims = claims(page)
    lines, publishers, title = heading_of(content_parts(page), page_claims)
    line = title.block if title else None
    published = find_dates(lines, page_claims, row["url"], line).published
    return {
        "title": title.text if title else None,
        "published": published.value if published else None,
        "authors": find_authors(lines, page_claims, line, publishers).names,
    }


def by_htmldate(row: Row) -> str | None:
    """Return the date of a page by htmldate."""
    from htmldate import find_date

    found: str | None = find_date(row["html"], url=row["url"], original_date=True)
    return found


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts.get(name, 0)} {name}" for name in ("right", "wrong", "missing"))


def _mean(scores: Sequence[float]) -> float:
    return sum(scores) / max(1, len(scores))

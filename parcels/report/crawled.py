"""Sections of the report about pages: totals, labels per site, crawl progress, layout changes, rejects, runs."""

from collections.abc import Sequence
from typing import Any

from parcels.report.data import Data
from parcels.report.html import empty, para, section, table
from parcels.report.layout_changes import changes
from parcels.report.svg import BLUE, INK, Series, lines, rect, short, stacked_bars, svg, text

MOST_SITES = 25
MOST_DAYS = 30
MOST_POINTS = 200
IS_ARTICLE = (
    "length(text) > 0 AND coalesce(page_type, 'article') = 'article'"  # older stores have text of other page types
)


def overview(data: Data) -> str:
    """Return the number of rows of each table."""
    tables = ("pages", "resources", "links", "blocks", "features", "annotations", "labels", "articles", "rejects")
    only = {"articles": IS_ARTICLE}  # other pages have a row too
    counted = [
        (name, data.of_crawl(f"SELECT count(*) FROM {name} WHERE {only.get(name, 'true')} {{where}}")[0][0])
        for name in tables
    ]
    sites = data.of_crawl("SELECT count(DISTINCT host) FROM pages WHERE true {where}")[0][0]
    cards = "".join(f"<div><b>{count:,}</b>{name}</div>" for name, count in [("sites", sites), *counted] if count)
    return f'<div class="cards">{cards}</div>'


def labels_by_site(data: Data) -> str:
    """Return the section with the labels of each site."""
    if data.model is None:
        return section(
            "Labels per site", empty("The store has no labels. To add some: parcels run divide..classify --store STORE")
        )
    where, values = data.where("p")
    rows = data.rows(
        f"""SELECT coalesce(p.host, p.url), l.label, count(*) FROM labels l
        JOIN pages p ON p.page_id = l.page_id AND p.crawl = l.crawl
        WHERE l.model = ? {where} GROUP BY ALL""",
        [data.model, *values],
    )
    sites: dict[str, dict[str, float]] = {}
    for host, label, count in rows:
        sites.setdefault(host, {})[label] = count
    order = sorted(sites, key=lambda host: -sum(sites[host].values()))
    bars = {
        host: {label: sites[host][label] for label in data.colours if label in sites[host]}
        for host in order[:MOST_SITES]
    }
    legend = "".join(f'<span><i style="background:{colour}"></i>{name}</span>' for name, colour in data.colours.items())
    more = f"The {MOST_SITES} largest of {len(order):,} sites." if len(order) > MOST_SITES else ""
    picture = stacked_bars(bars, data.colours, about="blocks of each site by label")
    return section(
        "Labels per site", para(f"Number of blocks per label, by the model {data.model}. {more}"),
        f'<div class="legend">{legend}</div>', picture,
    )  # fmt: skip


def progress(data: Data) -> str:
    """Return the section with pages over time and the share of pages with an article."""
    rows = data.of_crawl(
        "SELECT epoch(fetched_at), page_id, fetched_at FROM pages WHERE fetched_at IS NOT NULL {where} ORDER BY 1"
    )
    if not rows:
        return section("Crawl progress and harvest", empty("No page has a fetch time."))
    good, what = with_article(data)
    first = rows[0][0]
    pages_over_time, harvest_over_pages, count_good = [], [], 0
    for count, (at, page, _) in enumerate(rows, 1):
        count_good += page in good
        pages_over_time.append((at - first, float(count)))
        harvest_over_pages.append((float(count), count_good / count))
    span = rows[-1][0] - first
    ticks = [(0.0, f"{rows[0][2]:%d %b %H:%M}"), (span or 1.0, f"{rows[-1][2]:%d %b %H:%M}")]
    left = lines(
        [Series("pages fetched", _thinned(pages_over_time), BLUE)], about="pages over time", ticks=ticks, x="time (UTC)"
    )
    right = lines(
        [Series(f"harvest: {what}", _thinned(harvest_over_pages), "#2ca02c")], about="harvest", x="pages fetched",
        top=1.0, share=True,
    )  # fmt: skip
    total = f"{len(rows):,} pages in {_time(span)}"
    rate = f", {len(rows) / span * 60:,.0f} per minute" if span > 0 else ""
    return section("Crawl progress and harvest", para(f"{total}{rate}; {count_good / len(rows):.0%} are {what}."),
                   f'<div class="side">{left}{right}</div>')  # fmt: skip


def with_article(data: Data) -> tuple[set[str], str]:
    """Return the ids of the pages with an article, and their description."""
    rows = data.of_crawl(f"SELECT DISTINCT page_id FROM current_articles WHERE {IS_ARTICLE} {{where}}")
    if rows:
        return {row[0] for row in rows}, "pages with an article"
    where, values = data.where()
    rows = data.rows(
        f"""SELECT page_id FROM labels WHERE model = ? AND label = 'maincontent' {where}
        GROUP BY page_id HAVING count(*) >= 3""",
        [data.model or "", *values],
    )
    return {row[0] for row in rows}, "pages with three or more blocks of main text"


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    step = max(1, len(points) // MOST_POINTS)
    return [*points[::step], points[-1]]


def _time(seconds: float) -> str:
    for size, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {name}"
    return f"{seconds:.0f} seconds"


def layouts(data: Data) -> str:
    """Return the section with the layout changes of each site."""
    where, values = data.where("p")
    changed = changes(data.rows, where, values)
    days = sorted({one.day for one in changed})[-MOST_DAYS:]
    hosts = sorted({one.host for one in changed if one.change is not None})
    if not hosts:
        return section(
            "Layout changes", empty("No site has divided pages from two days, which are needed to see a change.")
        )
    by_place = {(one.host, one.day): one for one in changed}
    cell, left = min(56.0, 680 / len(days)), 170.0
    drawn = []
    for row, host in enumerate(hosts[:MOST_SITES]):
        y = row * 24 + 22
        drawn.append(text(left - 8, y + 14, short(host, left - 14), anchor="end", colour=INK))
        for column, day in enumerate(days):
            one = by_place.get((host, day))
            if one is None:
                continue
            share = one.change or 0.0
            title = f"{host}, {day}: {one.pages} pages, " + ("first day" if one.change is None else f"{share:.0%} new")
            colour = "#e3e8ee" if one.change is None else f"rgba(190,50,35,{0.08 + 0.9 * share:.2f})"
            drawn.append(rect(left + column * cell, y, cell - 2, 20, colour, title=title))
            if one.change is not None and cell >= 30:
                ink = "#fff" if share > 0.55 else INK
                drawn.append(
                    text(left + (column + 0.5) * cell - 1, y + 14, f"{share:.0%}", anchor="middle", colour=ink)
                )
    drawn += [text(left + n * cell, 14, f"{day:%d %b}") for n, day in enumerate(days) if cell >= 30 or n % 5 == 0]
    picture = svg(left + len(days) * cell + 4, len(hosts[:MOST_SITES]) * 24 + 26, drawn, about="layout changes by site")
    words = (
        "For each site and day: the share of common tag paths (on at least half of the pages) that differ from the day "
        "before. Above one half, the site was probably redesigned."
    )
    return section("Layout changes", para(words), picture)


def rejects(data: Data) -> str:
    """Return the section with the rejected records by step and reason."""
    rows = data.of_crawl(
        """SELECT step, reason, count(*), any_value(record), any_value(detail) FROM rejects WHERE true {where}
        GROUP BY ALL ORDER BY 3 DESC LIMIT 40"""
    )
    if not rows:
        return section("Rejects", empty("No record was rejected."))
    return section("Rejects", table(("step", "reason", "records", "example", "detail"), [_reject(row) for row in rows]))


def _reject(row: tuple[Any, ...]) -> tuple[Any, ...]:
    step, reason, count, record, detail = row
    return step, reason, count, short(record, 420), short(detail or "", 380)


def runs(data: Data) -> str:
    """Return the section with the latest runs."""
    rows = data.of_crawl(
        """SELECT step, outcome, started_at, ended_at - started_at, crawl, counts FROM runs WHERE true {where}
        ORDER BY started_at DESC LIMIT 15"""
    )
    listed = [
        (step, outcome, f"{started:%Y-%m-%d %H:%M:%S}", _time(took.total_seconds()), crawl,
         ", ".join(f"{one['name']} {one['count']:,}" for one in counts)[:140])
        for step, outcome, started, took, crawl, counts in rows
    ]  # fmt: skip
    return section("Latest runs", table(("step", "outcome", "started (UTC)", "duration", "crawl", "counts"), listed))

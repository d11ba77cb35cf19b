"""The parts of the report about labels: how good they are, where they go wrong, the course of co-training."""

from html import escape
from typing import Any

from parcels.annotate.cotraining_history import rounds_of_model
from parcels.annotate.label_index import LabelIndex, stored_rows
from parcels.annotate.vote import agreement
from parcels.report.data import Data
from parcels.report.html import empty, para, section, table
from parcels.report.quality import JudgedPage, Quality
from parcels.report.svg import BLUE, Bar, Drawn, Series, interval_bars, lines, matrix, page_picture

MOST_WORST = 10
LEAST_BIN = 5  # blocks; the share of fewer is chance, and stands in the table only
MOST_SHOWN = 7  # wrong blocks that are listed of a page
VIEW_COLOURS = ("#1b64c8", "#e07b00", "#7b3fb5", "#2ca02c")
NO_GOLD = (
    "Nobody has labelled pages that the model labelled: parcels annotate --store …, or parcels import annotations."
)


def scores(data: Data, quality: Quality | None) -> str:
    """Error and F1 with intervals."""
    if quality is None:
        return section("Error and F1", empty(NO_GOLD))
    total, spread = quality.total, quality.spread
    sites = len({page.score.site for page in quality.pages})
    rows = [
        Bar(name, value, *spread[key], note=_percents(value, *spread[key]), colour=colour)
        for name, key, value, colour in (
            ("block error", "block_error", total.block_error, "#b3261e"),
            ("character error", "char_error", total.char_error, "#b3261e"),
            ("macro F1", "macro_f1", total.macro_f1, "#2e7d50"),
        )
    ]  # fmt: skip
    by_label = [
        Bar(label, value, *quality.label_spread.get(label, (value, value)),
            note=f"{value:.3f}, {total.support[label]:,} of them", colour=data.colours.get(label, "#9aa4b1"))
        for label, value in sorted(total.f1.items(), key=lambda item: -item[1])
    ]  # fmt: skip
    words = (
        f"{quality.model} against people's votes: {total.blocks:,} blocks on {total.pages:,} pages of {sites:,} sites. "
        "Intervals are 95 %, by drawing sites anew. Where the model was trained on these pages, they flatter it."
    )
    return section(
        "Error and F1", para(words), interval_bars(rows, about="error and macro F1", most=1.0),
        "<h3>F1 by label</h3>", interval_bars(by_label, about="F1 of each label", most=1.0),
    )  # fmt: skip


def _percents(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} % ({100 * low:.1f} – {100 * high:.1f})"


def confusion(data: Data, quality: Quality | None) -> str:
    """What is taken for what."""
    if quality is None:
        return section("Confusion", empty(NO_GOLD))
    names = [name for name in data.colours if any(name in pair for pair in quality.pairs)]
    worst = [
        (gold, said, count) for (gold, said), count in quality.pairs.most_common() if gold != said and said
    ]  # fmt: skip
    return section(
        "Confusion", para("Rows: what people say. Columns: what the model says. Shades are shares of the row."),
        matrix(names, quality.pairs, about="confusion of labels"),
        "<h3>Most often mistaken</h3>", table(("people say", "the model says", "blocks"), worst[:8]),
    )  # fmt: skip


def calibration(data: Data, quality: Quality | None) -> str:
    """Whether confidence means what it says."""
    if quality is None or not quality.bins:
        return section("Calibration", empty(NO_GOLD))
    points = [(sure, right) for sure, right, count in quality.bins if count >= LEAST_BIN]
    picture = lines(
        [Series("perfect", [(0, 0), (1, 1)], "#9aa4b1", is_dashed=True), Series("seen", points, BLUE, has_dots=True)],
        about="calibration", x="confidence", top=1.0, share=True, ticks=[(0, "0 %"), (0.5, "50 %"), (1, "100 %")],
        height=260,
    )  # fmt: skip
    rows = [(round(sure, 3), round(right, 3), count) for sure, right, count in quality.bins]
    listed = table(("mean confidence", "share that is right", "blocks"), rows)
    words = (
        f"The mean gap between confidence and the share that is right is {100 * quality.calibration_error:.1f} points."
    )
    return section("Calibration", para(words), f'<div class="side">{picture}<div style="flex:1">{listed}</div></div>')


def cotraining(data: Data) -> str:
    """The rounds of co-training."""
    found = rounds_of_model(data.store, None, (), crawl=data.crawl)
    if not found["rounds"]:
        return section("Co-training", empty("Nothing was co-trained: parcels run cotrain --store …"))
    rounds = found["rounds"]
    shares = [
        Series(
            name,
            [(one["round"], one[key]) for one in rounds if one[key] is not None],
            colour,
            has_dots=len(rounds) < 30,
        )
        for name, key, colour in (("views agree", "agreement", "#2ca02c"), ("held-out error", "error", "#b3261e"))
    ]
    views = sorted({view for one in rounds for view in one["views"]})
    added = [
        Series(view, [(one["round"], float(one["views"].get(view, 0))) for one in rounds],
               VIEW_COLOURS[number % len(VIEW_COLOURS)], has_dots=len(rounds) < 30)
        for number, view in enumerate(views)
    ]  # fmt: skip
    last = rounds[-1]
    words = (
        f"Model {found['model']}: {len(rounds)} rounds, from {rounds[0]['labelled_count']:,} labelled blocks to "
        f"{last['labelled_count'] + last['added_count']:,}; stopped by {last['stopped_by'] or 'nothing yet'}."
    )
    left = lines(
        [one for one in shares if one.points], about="agreement and error by round", x="round", top=1.0, share=True
    )
    right = lines(added, about="blocks labelled by each view", x="round: blocks that each view labelled")
    return section("Co-training", para(words), f'<div class="side">{left}{right}</div>')


def people(data: Data) -> str:
    """Who labelled how much, and how far they agree."""
    rows = data.of_crawl(
        """SELECT annotator, count(DISTINCT page_id), count(*), max(annotated_at) FROM annotations WHERE true {where}
        GROUP BY 1 ORDER BY 3 DESC LIMIT 30"""
    )
    if not rows:
        return section("People", empty("Nobody has labelled anything yet."))
    listed = [(who, pages, leaves, f"{last:%Y-%m-%d %H:%M}" if last else "") for who, pages, leaves, last in rows]
    parts = [table(("annotator", "pages", "labels of leaves", "last (UTC)"), listed)]
    found = agreement(LabelIndex.of(stored_rows(data.store, crawl=data.crawl)))
    if found.items:
        kappas = [
            (label, _kappa(found.cohen[label]), _kappa(found.fleiss[label])) for label in found.cohen
        ]  # fmt: skip
        words = f"{found.items:,} blocks were labelled by two or more; {found.agreed or 0:.1%} of the pairs are equal."
        parts += ["<h3>Agreement</h3>", para(words), table(("label", "Cohen's kappa", "Fleiss' kappa"), kappas)]
    return section("People", *parts)


def _kappa(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def worst(data: Data, quality: Quality | None) -> str:
    """The pages on which most is wrong, with pictures."""
    if quality is None:
        return section("The worst pages", empty(NO_GOLD))
    order = sorted(quality.pages, key=lambda page: (-page.score.wrong_blocks / page.score.blocks, page.page_id))
    chosen = [page for page in order if page.score.wrong_blocks][:MOST_WORST]
    if not chosen:
        return section("The worst pages", empty("No block of any labelled page is wrong."))
    words = "Left: what people say. Right: what the model says; a red frame is a block on which they differ."
    return section("The worst pages", para(words), *(_worst_page(data, page) for page in chosen))


def _worst_page(data: Data, page: JudgedPage) -> str:
    drawn: dict[str, list[Drawn]] = {"gold": [], "said": []}
    wrong = [block for block in page.blocks if block["gold"] and block["gold"] != block["said"]]
    for block in page.blocks:
        box = block["box"]
        if not box or box["width_px"] is None:
            continue
        place = (box["x_px"], box["y_px"], box["width_px"], box["height_px"])
        is_wrong = bool(block["gold"]) and block["gold"] != block["said"]
        title = f"{block['text'][:80]}\npeople: {block['gold']}, model: {block['said']}"
        drawn["gold"].append(Drawn(place, block["gold"] or "", title=title))
        drawn["said"].append(Drawn(place, block["said"], is_wrong=is_wrong, title=title))
    pictures = [
        f'<div class="tall">{page_picture(drawn[which], data.colours, about=about, width=216)}</div>'
        for which, about in (("gold", "labels by people"), ("said", "labels by the model"))
    ]
    listed = "".join(_wrong_block(block) for block in wrong[:MOST_SHOWN])
    more = f"<small>and {len(wrong) - MOST_SHOWN} more</small>" if len(wrong) > MOST_SHOWN else ""
    one = page.score
    return (
        f'<div class="worst">{"".join(pictures)}<div><b>{escape(page.url)}</b>'
        f"<small>{one.wrong_blocks} of {one.blocks} blocks are wrong ({one.wrong_blocks / one.blocks:.0%})</small>"
        f"<ul>{listed}</ul>{more}</div></div>"
    )


def _wrong_block(block: dict[str, Any]) -> str:
    words = escape(block["text"][:90] or "(no text)")
    sure = f", {block['confidence']:.0%} sure" if block["confidence"] is not None else ""
    return f"<li>{words}<small>{escape(block['gold'])}, not {escape(block['said'])}{sure}</small></li>"

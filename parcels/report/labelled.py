"""Sections of the report about labels: scores, confusion, calibration, co-training, annotators, the worst pages."""

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
MIN_BIN = 5  # blocks; bins with fewer are in the table, but not in the plot
MOST_SHOWN = 7  # listed wrong blocks per page
VIEW_COLOURS = ("#1b64c8", "#e07b00", "#7b3fb5", "#2ca02c")
NO_GOLD = (
    "No page has labels both by the model and by people. Label some with parcels annotate, or import labels with "
    "parcels import annotations."
)


def scores(data: Data, quality: Quality | None) -> str:
    """Return the section with error and F1 and their intervals."""
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
            note=f"{value:.3f}, {total.support[label]:,} blocks", colour=data.colours.get(label, "#9aa4b1"))
        for label, value in sorted(total.f1.items(), key=lambda item: -item[1])
    ]  # fmt: skip
    words = (
        f"Model {quality.model} compared with voted labels: {total.blocks:,} blocks on {total.pages:,} pages of "
        f"{sites:,} sites. Intervals are 95 %, by bootstrap over sites. Scores are too good if the model was trained "
        "on these pages."
    )
    return section(
        "Error and F1", para(words), interval_bars(rows, about="error and macro F1", most=1.0),
        "<h3>F1 by label</h3>", interval_bars(by_label, about="F1 of each label", most=1.0),
    )  # fmt: skip


def _percents(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} % ({100 * low:.1f} – {100 * high:.1f})"


def confusion(data: Data, quality: Quality | None) -> str:
    """Return the section with the confusion matrix."""
    if quality is None:
        return section("Confusion", empty(NO_GOLD))
    names = [name for name in data.colours if any(name in pair for pair in quality.pairs)]
    errors = [
        (gold, predicted, count)
        for (gold, predicted), count in quality.pairs.most_common()
        if gold != predicted and predicted
    ]  # fmt: skip
    return section(
        "Confusion", para("Rows: labels by people. Columns: labels by the model. Shades are shares of the row."),
        matrix(names, quality.pairs, about="confusion of labels"),
        "<h3>Most frequent errors</h3>", table(("label by people", "label by the model", "blocks"), errors[:8]),
    )  # fmt: skip


def calibration(data: Data, quality: Quality | None) -> str:
    """Return the section with the calibration of confidences."""
    if quality is None or not quality.bins:
        return section("Calibration", empty(NO_GOLD))
    points = [(sure, right) for sure, right, count in quality.bins if count >= MIN_BIN]
    picture = lines(
        [Series("perfect", [(0, 0), (1, 1)], "#9aa4b1", is_dashed=True),
         Series("measured", points, BLUE, has_dots=True)],
        about="calibration", x="confidence", top=1.0, share=True, ticks=[(0, "0 %"), (0.5, "50 %"), (1, "100 %")],
        height=260,
    )  # fmt: skip
    rows = [(round(sure, 3), round(right, 3), count) for sure, right, count in quality.bins]
    listed = table(("mean confidence", "share correct", "blocks"), rows)
    words = f"Mean difference between confidence and share correct: {100 * quality.calibration_error:.1f} points."
    return section("Calibration", para(words), f'<div class="side">{picture}<div style="flex:1">{listed}</div></div>')


def cotraining(data: Data) -> str:
    """Return the section with the rounds of co-training."""
    history = rounds_of_model(data.store, None, (), crawl=data.crawl)
    if not history["rounds"]:
        return section(
            "Co-training", empty("The store has no rounds of co-training. To train: parcels run cotrain --store STORE")
        )
    rounds = history["rounds"]
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
        f"Model {history['model']}: {len(rounds)} rounds, from {rounds[0]['labelled_count']:,} labelled blocks to "
        f"{last['labelled_count'] + last['added_count']:,}; stopped by: {last['stopped_by'] or 'not stopped yet'}."
    )
    left = lines(
        [one for one in shares if one.points], about="agreement and error by round", x="round", top=1.0, share=True
    )
    right = lines(added, about="blocks labelled by each view", x="round: blocks labelled by each view")
    return section("Co-training", para(words), f'<div class="side">{left}{right}</div>')


def people(data: Data) -> str:
    """Return the section with the annotators, their labels and their agreement."""
    rows = data.of_crawl(
        """SELECT annotator, count(DISTINCT page_id), count(*), max(annotated_at) FROM annotations WHERE true {where}
        GROUP BY 1 ORDER BY 3 DESC LIMIT 30"""
    )
    if not rows:
        return section("Annotators", empty("The store has no labels by people."))
    listed = [(who, pages, leaves, f"{last:%Y-%m-%d %H:%M}" if last else "") for who, pages, leaves, last in rows]
    parts = [table(("annotator", "pages", "leaf labels", "latest (UTC)"), listed)]
    measured = agreement(LabelIndex.of(stored_rows(data.store, crawl=data.crawl)))
    if measured.items:
        kappas = [
            (label, _kappa(measured.cohen[label]), _kappa(measured.fleiss[label])) for label in measured.cohen
        ]  # fmt: skip
        words = (
            f"{measured.items:,} blocks have labels from two or more annotators; "
            f"{measured.agreed or 0:.1%} of the pairs are equal."
        )
        parts += ["<h3>Agreement</h3>", para(words), table(("label", "Cohen's kappa", "Fleiss' kappa"), kappas)]
    return section("Annotators", *parts)


def _kappa(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def worst(data: Data, quality: Quality | None) -> str:
    """Return the section with the pages that have the largest share of wrong blocks, with pictures."""
    if quality is None:
        return section("Worst pages", empty(NO_GOLD))
    order = sorted(quality.pages, key=lambda page: (-page.score.wrong_blocks / page.score.blocks, page.page_id))
    chosen = [page for page in order if page.score.wrong_blocks][:MOST_WORST]
    if not chosen:
        return section("Worst pages", empty("All blocks of the labelled pages are correct."))
    words = "Left: labels by people. Right: labels by the model; blocks with a red frame differ."
    return section("Worst pages", para(words), *(_worst_page(data, page) for page in chosen))


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

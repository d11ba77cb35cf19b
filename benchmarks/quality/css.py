"""The cascade against Chromium's computed styles on the segments pages, and its time against css-inline.

`python -m benchmarks.quality.css [--pages N] [--worst PROPERTY] [--no-chromium]` prints the agreement per property over
the elements that both have, then ms of CPU a page, cold (every sheet parsed anew) and warm, on segments and news17.
"""

import argparse
import copy
import gc
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
from lxml import etree

from benchmarks import corpora
from benchmarks.speed.timing import cpu_ms
from parcels.css.cascade import computed_style
from parcels.css.hints import LINK_COLOUR
from parcels.css.sheets.parser import SheetCache
from parcels.css.sheets.source import SheetSource, sheet_text
from parcels.css.style import Align, Display, Float, Position, Styles, Unit
from parcels.html.page import Page, read_page
from parcels.inputs import RawPage

FLOOR = 0.97  # agreement that each property must reach
SIZE_TOLERANCE = 0.06  # px
PROPERTIES = [
    "display",
    "position",
    "float",
    "visibility",
    "font-size",
    "font-weight",
    "color",
    "background-color",
    "text-align",
    "margin-top",
    "margin-right",
    "margin-bottom",
    "margin-left",
    "padding-top",
    "padding-right",
    "padding-bottom",
    "padding-left",
]
_CHROMIUM = "/usr/bin/chromium"
_DISPLAYS = {
    Display.NONE: "none",
    Display.ROW_GROUP: "table-row-group",
    Display.ROW: "table-row",
    Display.CELL: "table-cell",
    Display.CAPTION: "table-caption",
    Display.COLUMN: "table-column",
}
_SAME_DISPLAY = {
    "table-header-group": "table-row-group",
    "table-footer-group": "table-row-group",
    "table-column-group": "table-column",
    "flow-root": "block",
    "-webkit-box": "flex",
    "-webkit-inline-box": "inline-flex",
    "ruby": "inline",
    "ruby-text": "inline",
    "math": "inline",
}
_TEXT_ALIGNS = {"start": Align.START, "left": Align.START, "center": Align.CENTRE, "justify": Align.JUSTIFY}
_VISITED = "rgb(103, 54, 163)"
_RGB = re.compile(r"rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)")


def main(arguments: list[str] | None = None) -> bool:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000, help="how many pages of each corpus")
    parser.add_argument("--worst", default="", help="a property: print where it differs most")
    parser.add_argument("--no-chromium", action="store_true", help="times only")
    parser.add_argument("--no-times", action="store_true", help="agreement only")
    options = parser.parse_args([] if arguments is None else arguments)
    is_good = True
    if not options.no_chromium:
        is_good = agreement(list(corpora.pages("segments"))[: options.pages], options.worst)
    for name in () if options.no_times else ("news17", "segments"):
        times(name, list(corpora.pages(name))[: options.pages])
    return is_good


def agreement(raws: list[RawPage], worst: str) -> bool:
    """Print the share of elements on which each property is the same as in Chromium."""
    same: Counter[str] = Counter()
    total: Counter[str] = Counter()
    differences: dict[str, Counter[str]] = defaultdict(Counter)
    only_here = 0
    with _Browser() as browser:
        for raw in raws:
            page = read_page(raw.html, raw.url)
            styles = computed_style(page, SheetSource.of(raw))
            marked = _marked(page, raw)
            seen = browser.styles(marked)
            for row, theirs in seen.items():
                if _is_passed_over(page, row):
                    continue
                ours = _ours(page, styles, row)
                for name in PROPERTIES:
                    if ours[name] == "other":  # auto or a percentage: Chromium answers with the px that were used
                        continue
                    is_same = _is_same(name, ours[name], theirs[name])
                    same[name] += is_same
                    total[name] += 1
                    if not is_same and name == worst:
                        tag = page.nodes.elements[row].tag
                        label = f"{tag} {ours[name]} for {theirs[name]}"
                        differences[raw.name][label] += 1
            rows = np.flatnonzero(styles.display != Display.NONE).tolist()
            only_here += sum(1 for row in rows if row not in seen and not _is_boxless(page, row))
    print(f"segments: {len(raws)} pages, {total['display']} elements that Chromium shows, {only_here} shown only here")
    for name in PROPERTIES:
        print(f"  {name:18} {same[name] / max(total[name], 1):7.4f}")
    for name, counts in sorted(differences.items(), key=lambda item: -sum(item[1].values()))[:15]:
        print(f"  {name}: {sum(counts.values())}")
        for label, count in counts.most_common(6):
            print(f"    {count:5} {label}")
    return all(same[name] >= FLOOR * total[name] for name in PROPERTIES)


def _is_passed_over(page: Page, row: int) -> bool:
    """Inside `noscript` (shown where scripts are off, but passed over by the project) or a drawing."""
    return any(
        node.tag in ("noscript", "svg")
        for node in (page.nodes.elements[row], *page.nodes.elements[row].iterancestors())
    )


def _is_boxless(page: Page, row: int) -> bool:
    """Return whether Chromium gives a displayed element no box: line breaks, columns, options, old frames."""
    return _is_passed_over(page, row) or page.nodes.elements[row].tag in ("br", "wbr", "option", "col", "colgroup")


def _marked(page: Page, raw: RawPage) -> str:
    """The page as text with the row of each element in an attribute, and its sheets inside."""
    source = SheetSource.of(raw)
    for row, element in enumerate(page.nodes.elements):
        element.set("data-row", str(row))
    root = copy.deepcopy(page.root)
    for link in list(root.iter("link")):
        if "stylesheet" not in (link.get("rel") or "").lower():
            continue
        hit = source.find(link.get("href") or "")
        if hit is None:
            continue
        style = etree.Element("style")
        style.text = _with_imports(sheet_text(hit[1]), hit[0], source, 0).replace("</style", "<\\/style")
        style.tail = link.tail
        if link.get("media"):
            style.set("media", link.get("media") or "")
        if "alternate" not in (link.get("rel") or "").lower():
            link.getparent().replace(link, style)
    for style in root.iter("style"):
        if style.text and "@import" in style.text:
            style.text = _with_imports(style.text, "", source, 0)
    for element in page.nodes.elements:
        del element.attrib["data-row"]
    doctype = page.root.getroottree().docinfo.doctype
    return doctype + etree.tostring(root, method="html", encoding="unicode")


_IMPORT = re.compile(r"@import\s+(?:url\(\s*)?[\"']?([^\"')\s;]+)[\"']?\s*\)?([^;]*);", re.I)


def _with_imports(text: str, near: str, source: SheetSource, depth: int) -> str:
    def inlined(found: re.Match[str]) -> str:
        hit = source.find(found[1], near=near)
        if hit is None or depth > 5:
            return ""
        inner = _with_imports(sheet_text(hit[1]), hit[0], source, depth + 1)
        return f"@media {found[2].strip()} {{ {inner} }}" if found[2].strip() else inner

    return _IMPORT.sub(inlined, text)


def _ours(page: Page, styles: Styles, row: int) -> dict[str, Any]:
    def lengths(kind: str) -> dict[str, Any]:
        sides = getattr(styles, kind)
        found = {}
        for side in ("top", "right", "bottom", "left"):
            length = getattr(sides, side)
            is_px = length.unit[row] == Unit.PX
            found[f"{kind}-{side}"] = float(length.number[row]) if is_px else "other"
        return found

    kind = Display(int(styles.display[row]))
    return {
        "display": _DISPLAYS.get(kind, kind.name.lower().replace("_", "-")),
        "position": Position(int(styles.position[row])).name.lower(),
        "float": Float(int(styles.float_[row])).name.lower(),
        "visibility": bool(styles.is_visible[row]),
        "font-size": float(styles.font_size[row]),
        "font-weight": float(styles.font_weight[row]),
        "color": int(styles.colour[row]),
        "background-color": int(styles.background[row]),
        "text-align": Align(int(styles.text_align[row])),
        **lengths("margin"),
        **lengths("padding"),
    }


def _is_same(name: str, ours: Any, theirs: str) -> bool:
    if name == "display":
        return ours == _SAME_DISPLAY.get(theirs, theirs)
    if name == "visibility":
        return ours == (theirs == "visible")
    if name == "font-weight":
        return ours == float(theirs)
    if name in ("color", "background-color"):
        found = _RGB.match(theirs)
        if found is None:
            return False
        if theirs == _VISITED and ours == LINK_COLOUR:  # `href="#"`: Chromium has been there
            return True
        alpha = float(found[4]) if found[4] else 1.0
        number = [*(float(part) for part in found.groups()[:3]), alpha * 255]
        if alpha == 0:
            return ours & 0xFF == 0
        return all(abs((ours >> 8 * (3 - at) & 0xFF) - part) <= 1.01 for at, part in enumerate(number))
    if name == "text-align":
        return ours == _TEXT_ALIGNS.get(theirs.removeprefix("-webkit-"), Align.END)
    if isinstance(ours, float):
        return theirs.endswith("px") and abs(ours - float(theirs[:-2])) <= SIZE_TOLERANCE + 0.001 * abs(ours)
    return bool(ours == theirs)


class _Browser:
    """Chromium with scripts and network off."""

    def __enter__(self) -> "_Browser":
        from playwright.sync_api import sync_playwright

        self.playwright = sync_playwright().start()
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        self.browser = self.playwright.chromium.launch(executable_path=_CHROMIUM, args=arguments)
        context = self.browser.new_context(java_script_enabled=False, viewport={"width": 1000, "height": 800})
        self.page = context.new_page()
        self.page.route("**/*", lambda route: route.abort())
        self.session = context.new_cdp_session(self.page)
        return self

    def __exit__(self, *_: object) -> None:
        self.browser.close()
        self.playwright.stop()

    def styles(self, text: str) -> dict[int, dict[str, str]]:
        """The computed styles of the elements that have a box, by row."""
        self.page.set_content(text, wait_until="domcontentloaded", timeout=20_000)
        answer = self.session.send("DOMSnapshot.captureSnapshot", {"computedStyles": PROPERTIES})
        strings, document = answer["strings"], answer["documents"][0]
        nodes, layout = document["nodes"], document["layout"]
        found: dict[int, dict[str, str]] = {}
        for node, style in zip(layout["nodeIndex"], layout["styles"], strict=True):
            attributes = [strings[at] for at in nodes["attributes"][node]]
            if "data-row" in attributes[::2] and len(style) == len(PROPERTIES):
                row = int(attributes[1::2][attributes[::2].index("data-row")])
                found.setdefault(row, dict(zip(PROPERTIES, (strings[at] for at in style), strict=True)))
        return found


def times(name: str, raws: list[RawPage]) -> None:
    """Print ms of CPU a page: cold, warm, css-inline."""
    import css_inline

    warm = SheetCache()
    items = []
    for raw in raws:
        page, source = read_page(raw.html, raw.url), SheetSource.of(raw)
        found = [source.find(element.get("href") or "") for element in page.root.iter("link")]
        extra = "\n".join(sheet_text(hit[1]) for hit in found if hit is not None)
        items.append((page, source, raw.html.decode("utf-8", "replace"), extra))
        computed_style(page, source, cache=warm)
    gc.collect()
    gc.freeze()  # the pages of the corpus are not garbage to look through
    functions: dict[str, Callable[[Any], object]] = {
        "cold": lambda item: computed_style(item[0], item[1], cache=SheetCache()),
        "warm": lambda item: computed_style(item[0], item[1], cache=warm),
        "css-inline": lambda item: _inlined(css_inline, item[2], item[3]),
    }
    measured = cpu_ms(functions, items, repeats=3)
    print(f"{name}: ms of CPU a page: " + ", ".join(f"{key} {value:.2f}" for key, value in measured.items()))


def _inlined(css_inline: Any, text: str, extra: str) -> object:
    try:
        return css_inline.inline(text, load_remote_stylesheets=False, extra_css=extra or None)
    except css_inline.InlineError:  # it refuses some sheets
        return None


if __name__ == "__main__":
    raise SystemExit(0 if main(sys.argv[1:]) else 4)

"""Page layout: computed styles, boxes and areas of a page in one call."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from parcels.css.cascade import computed_style
from parcels.css.sheets.source import SheetSource
from parcels.css.style import Styles
from parcels.css.values.conditions import DEFAULT_SCREEN
from parcels.errors import ConfigError
from parcels.html.page import Page
from parcels.layout.areas import RECOGNISERS, AreaMap, recognise
from parcels.layout.boxes import Layout
from parcels.layout.boxes.virtual import render

if TYPE_CHECKING:
    from parcels.layout.chromium.renderer import ChromiumRenderer

RENDERERS = ("virtual", "chromium")
WIDTH = 1000.0  # Kovacevic et al. 2003, section 2: what a window of 1024 pixels leaves
MIN_WIDTH, MAX_WIDTH = 100.0, 10_000.0


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A page on a screen, with its areas."""

    page: Page
    styles: Styles  # the cascade's, whatever the renderer
    layout: Layout
    areas: AreaMap


def lay_out(
    page: Page,
    *,
    css: Mapping[str, bytes] | None = None,
    folder: str = "",
    directory: Path | None = None,
    renderer: str = "virtual",
    width: float = WIDTH,
    recogniser: str = "evidence",
    browser: "ChromiumRenderer | None" = None,
) -> LaidOut:
    """Lay a page out and recognise its areas.

    `css` are style sheets by path or address, `folder` is where the page lies among those paths, `directory` a folder
    with more of them. `browser` is a started Chromium to use for many pages; without one, each call starts its own.

    >>> from parcels.html.page import read_page
    >>> laid = lay_out(read_page("<h1>Fire at the pier</h1><p>Nobody was hurt."))
    >>> laid.layout.renderer, laid.areas.of_leaf(1)
    ('virtual', 'centre')
    """
    if not MIN_WIDTH <= width <= MAX_WIDTH:
        raise ConfigError(f"The screen's width must be {MIN_WIDTH:g} to {MAX_WIDTH:g} pixels, got {width:g}.")
    if recogniser not in RECOGNISERS:
        raise ConfigError(f"Unknown recogniser '{recogniser}'. Use one of: {', '.join(RECOGNISERS)}.")
    if renderer not in RENDERERS:
        raise ConfigError(f"Unknown renderer '{renderer}'. Use one of: {', '.join(RENDERERS)}.")
    sheets = SheetSource(css or {}, folder, directory)
    styles = computed_style(page, sheets, screen=replace(DEFAULT_SCREEN, width=width))
    if renderer == "virtual":
        layout = render(page, styles, width=width)
    else:
        layout = _chromium(page, sheets, width, browser)
    return LaidOut(page, styles, layout, recognise(page, layout, recogniser=recogniser))


def _chromium(page: Page, sheets: SheetSource, width: float, browser: "ChromiumRenderer | None") -> Layout:
    if browser is not None:
        return browser.render(page, sheets, width=width)
    from parcels.layout.chromium.renderer import ChromiumRenderer

    with ChromiumRenderer() as own:
        return own.render(page, sheets, width=width)

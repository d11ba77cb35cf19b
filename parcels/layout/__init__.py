"""The virtual screen: boxes for every node and leaf without a browser, and the areas of a page."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parcels.layout.result import PageLayout


class _LayoutPackage(ModuleType):
    """This package, callable: `parcels.layout(html)` is the function, whether or not a module in here was imported."""

    def __call__(self, html: bytes | str, url: str | None = None, **settings: Any) -> "PageLayout":
        from parcels.layout.result import layout

        return layout(html, url, **settings)


sys.modules[__name__].__class__ = _LayoutPackage

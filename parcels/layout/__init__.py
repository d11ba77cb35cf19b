"""Layout of a page: boxes for every node and leaf without a browser, and the page's areas."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parcels.layout.result import PageLayout


class _LayoutPackage(ModuleType):
    """This package as a callable: `parcels.layout(html)` works whether or not a module in it was imported."""

    def __call__(self, html: bytes | str, url: str | None = None, **settings: Any) -> "PageLayout":
        from parcels.layout.result import layout

        return layout(html, url, **settings)


sys.modules[__name__].__class__ = _LayoutPackage

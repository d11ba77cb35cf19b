"""Segmentation by structured prediction (Bing et al. 2014): a page's parts as its readers see them."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parcels.segment.result import PageSegments


class _SegmentPackage(ModuleType):
    """This package, callable: `parcels.segment(html)` is the function, whether or not a module in here was imported."""

    def __call__(self, html: bytes | str, url: str | None = None, **settings: Any) -> "PageSegments":
        from parcels.segment.result import segment

        return segment(html, url, **settings)


sys.modules[__name__].__class__ = _SegmentPackage

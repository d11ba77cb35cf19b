"""PARCELS: pages in, labelled blocks out. The core that the crawler and the jobs share, without Spark and Scrapy.

>>> import parcels
>>> parcels.blocks("<h1>Fire at the pier</h1><p>Nobody was hurt.").blocks[0].text
'Fire at the pier'
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parcels.articles.article import extract as extract
    from parcels.layout.result import layout as layout
    from parcels.results import blocks as blocks
    from parcels.segments.result import segment as segment
    from parcels.store import open_store as open_store

__version__ = "0.1.0"

# Imported on first use, so that `import parcels` (and `parcels --help`) is fast.
_MODULES = {
    "blocks": "parcels.results",
    "extract": "parcels.articles.article",
    "layout": "parcels.layout.result",
    "open_store": "parcels.store",
    "segment": "parcels.segments.result",
}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'parcels' has no attribute '{name}'")
    import importlib

    from parcels import compiled

    compiled.warn_once()
    return getattr(importlib.import_module(module), name)


def __dir__() -> list[str]:
    return [*globals(), *_MODULES]

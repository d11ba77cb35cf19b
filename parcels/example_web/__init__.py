"""A small fictional web, offline: three news sites in the markup of 2004, 2012 and 2025, and a directory of links.

>>> from parcels import example_web
>>> len(example_web.article_urls("lumen.example")) >= 20
True
>>> with example_web.ExampleWeb.serve() as web:  # an HTTP proxy on loopback
...     web.proxy.startswith("http://127.0.0.1:")
True
"""

from parcels.example_web.serve import ExampleWeb
from parcels.example_web.site import Response
from parcels.example_web.web import (
    Truth,
    article_urls,
    dead_urls,
    fetch,
    forbidden_urls,
    gold_html,
    hosts,
    redirects,
    truth,
    urls,
)

__all__ = [
    "ExampleWeb",
    "Response",
    "Truth",
    "article_urls",
    "dead_urls",
    "fetch",
    "forbidden_urls",
    "gold_html",
    "hosts",
    "redirects",
    "truth",
    "urls",
]

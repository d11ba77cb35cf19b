"""Replay: stored pages as a web of their own, so that real sites can be crawled again offline."""

from crawler.replay.index import PageIndex
from crawler.replay.responses import Answer, answer
from crawler.replay.server import Replay, serving

__all__ = ["Answer", "PageIndex", "Replay", "answer", "serving"]

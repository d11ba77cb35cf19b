"""Replay stored pages as a web, so that real sites can be crawled again offline."""

from crawler.replay.index import PageIndex
from crawler.replay.responses import ReplayResponse, respond
from crawler.replay.server import Replay, serving

__all__ = ["PageIndex", "Replay", "ReplayResponse", "respond", "serving"]

"""Dividers: functions from a page to a `Division`, listed in DIVIDERS."""

from collections.abc import Callable

from parcels.divide import blockify, coarse, fine
from parcels.divide.division import Division, block_text
from parcels.html.page import Page

Divider = Callable[[Page], Division]

DIVIDERS: dict[str, Divider] = {
    "fine": fine.divide,
    "coarse": coarse.divide,
    "blockify": blockify.divide,
}
# Raised whenever a divider cuts differently: block ids carry it, so that old and new blocks are never mixed up.
VERSIONS: dict[str, int] = {
    "fine": 1,
    "coarse": 1,
    "blockify": 1,
}

__all__ = ["DIVIDERS", "VERSIONS", "Divider", "Division", "block_text", "blockify", "coarse", "fine"]

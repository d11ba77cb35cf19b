"""Numbers of pairs of numbers: a table in C where that is compiled."""

try:
    from parcels.css.numbering_fast import Numbering
except ImportError:
    from parcels.css.numbering_plain import Numbering

__all__ = ["Numbering"]

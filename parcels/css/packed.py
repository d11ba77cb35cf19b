"""What a declaration sets, as the computer of styles takes it: with its numbers in C where that is compiled."""

try:
    from parcels.css.packed_fast import Packed
except ImportError:
    from parcels.css.packed_plain import Packed

__all__ = ["Packed"]

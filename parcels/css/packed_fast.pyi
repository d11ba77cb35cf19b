from parcels.css.packed_plain import Packed

__all__ = ["Packed"]

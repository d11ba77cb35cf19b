from parcels.css.numbering_plain import Numbering

__all__ = ["Numbering"]

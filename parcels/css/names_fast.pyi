from parcels.css.scan_plain import Names

__all__ = ["Names"]

"""Maintenance of a store: forget, back up, migrate, drift, metrics."""

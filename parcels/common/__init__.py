"""Helpers that all three packages share: progress, memory settings, optional imports, programs of the machine.

Nothing here imports another package of the project, except for the errors.
"""

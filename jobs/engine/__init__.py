"""The machinery that the jobs share: engines, passes over pages, units of work, models on executors, submission.

In: a store, steps and an engine. Out: tables with their rejects and runs.
"""

"""Implement the frontier in one SQLite file, for one crawler process.

In: requests of the crawler. Out: leases. Implements `crawler.frontier.contract`.
"""

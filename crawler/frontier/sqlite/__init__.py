"""The frontier in one SQLite file, for one crawler process.

In: requests of the crawler. Out: leases. Keeps the contract of `crawler.frontier.contract`.
"""

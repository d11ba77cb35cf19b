"""A store: one folder of Parquet files per table. Readers see a file completely or not at all.

    STORE/parcels-store.json                     marks the folder as a store
    STORE/pages/crawl=news/fetched_date=2024-05-01/pages-v1-ID-0000.parquet
    STORE/current-models.json                    the chosen model of each table, where one was chosen
    STORE/_staging/HOST~PID~START~ID/            files that are being written; readers ignore it

>>> import tempfile, datetime
>>> store = open_store(tempfile.mkdtemp() + "/store", create=True)
>>> row = {"record": "a.html", "step": "import-html", "reason": "empty", "rejected_at": datetime.datetime(2024, 5, 1)}
>>> with store.writer("rejects", crawl="news") as writer:
...     writer.add([row])
>>> store.read("rejects", columns=["record", "crawl"]).to_pylist()
[{'record': 'a.html', 'crawl': 'news'}]
>>> store.sql("SELECT reason, count(*) AS records FROM rejects GROUP BY reason").to_pylist()
[{'reason': 'empty', 'records': 1}]
"""

from parcels.store.errors import DamagedFile, DiskFull, SchemaMismatch, WriteFailed
from parcels.store.result import Result
from parcels.store.store import Store, TableFile, open_store
from parcels.store.writer import Writer

__all__ = [
    "DamagedFile", "DiskFull", "Result", "SchemaMismatch", "Store", "TableFile", "WriteFailed", "Writer", "open_store",
]  # fmt: skip

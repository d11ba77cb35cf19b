-- state: 0 queued, 1 leased, 2 done, 3 retrying, 4 to be revisited, 5 dead
CREATE TABLE IF NOT EXISTS urls (
  key {key} PRIMARY KEY, host INTEGER NOT NULL, state INTEGER NOT NULL, priority REAL NOT NULL, url TEXT NOT NULL,
  depth INTEGER NOT NULL, referrer TEXT, topic TEXT, kind TEXT NOT NULL, hops INTEGER NOT NULL, extra TEXT,
  visit INTEGER NOT NULL DEFAULT 1, attempt INTEGER NOT NULL DEFAULT 0, due REAL, reason TEXT
);
CREATE INDEX IF NOT EXISTS queue ON urls (host, priority) WHERE state = 0;
CREATE INDEX IF NOT EXISTS later ON urls (due) WHERE due IS NOT NULL;
CREATE INDEX IF NOT EXISTS leased ON urls (state) WHERE state = 1;
CREATE INDEX IF NOT EXISTS dead ON urls (host) WHERE state = 5;
CREATE TABLE IF NOT EXISTS hosts (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, delay REAL, next_at REAL NOT NULL DEFAULT 0,
  admitted INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS prefixes (
  host INTEGER, prefix TEXT, count INTEGER NOT NULL, PRIMARY KEY (host, prefix)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS templates ( -- recent: 1 for each of the last answers that was a copy, else 0
  host INTEGER, template TEXT, recent TEXT NOT NULL, is_closed INTEGER NOT NULL, PRIMARY KEY (host, template)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS origins (origin TEXT PRIMARY KEY, rules TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS receipts (
  segment TEXT, token INTEGER, outcomes TEXT NOT NULL, PRIMARY KEY (segment, token)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

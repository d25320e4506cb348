-- +goose Up

-- A process that only prints, or only delivers, finds its work however much of the
-- other waits before it.
CREATE INDEX queue_work ON queue ((CASE WHEN kind IN ('deliver', 'deliver-run', 'tell-run', 'tell-review', 'tell-export') THEN 'deliver' ELSE 'print' END), priority, turn, id);

-- The processes that take tasks: each says so again and again, with what it does
-- (empty is all) and how many tasks at the same time. What has not been heard of until
-- expires_at, by the clock of the database, is gone.
CREATE TABLE processes (
    name       TEXT PRIMARY KEY,
    host       TEXT NOT NULL,
    role       TEXT NOT NULL,
    version    TEXT NOT NULL,
    work       TEXT NOT NULL,
    places     INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
);

-- +goose Down
DROP TABLE processes;
DROP INDEX queue_work;

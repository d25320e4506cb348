-- +goose Up

-- Files that are made while nobody waits. Where Redis is configured they are
-- kept there instead, and this table stays empty but for giving out the IDs.
CREATE TABLE export_files (
    id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id      INTEGER REFERENCES users (id) ON DELETE SET NULL,
    status       TEXT NOT NULL,
    error        TEXT NOT NULL DEFAULT '',
    name         TEXT NOT NULL DEFAULT '',
    content_type TEXT NOT NULL DEFAULT '',
    size         BIGINT NOT NULL DEFAULT 0,
    content_key  TEXT UNIQUE,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX export_files_expiry ON export_files (expires_at);
CREATE INDEX export_files_workspace ON export_files (workspace_id);
CREATE INDEX export_files_user ON export_files (user_id);

-- Work that is to be done; a row goes when its work has ended, well or not.
-- Who works on it holds a lease and renews it, so that the work of a process
-- that died is taken over soon. turn makes the workspaces of one priority take
-- turns. What a task needs beyond its subject is its payload, in the contents
-- when it is large; secret is a sealed password.
CREATE TABLE queue (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    kind         TEXT NOT NULL,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    subject      INTEGER NOT NULL,
    priority     INTEGER NOT NULL,
    turn         BIGINT NOT NULL,
    run_at       BIGINT NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    owner        TEXT NOT NULL DEFAULT '',
    lease_until  BIGINT NOT NULL DEFAULT 0,
    payload      TEXT NOT NULL DEFAULT '',
    payload_key  TEXT UNIQUE,
    secret       TEXT NOT NULL DEFAULT '',
    created_at   BIGINT NOT NULL,
    UNIQUE (kind, subject)
);
CREATE INDEX queue_order ON queue (priority, turn, id);
CREATE INDEX queue_turns ON queue (workspace_id, priority, turn);
CREATE INDEX queue_owner ON queue (owner);

-- What a request with an Idempotency-Key started.
CREATE TABLE idempotency_keys (
    hash       BLOB PRIMARY KEY,
    request    BLOB NOT NULL,
    result     INTEGER NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

-- +goose Down
DROP TABLE idempotency_keys;
DROP TABLE queue;
DROP TABLE export_files;

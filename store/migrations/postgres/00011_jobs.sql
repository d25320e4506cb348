-- +goose Up

-- The definitions of jobs are resources; this is when they run next. revision
-- is the one of the definition that next_at was worked out from.
CREATE TABLE job_schedules (
    job_id   INTEGER PRIMARY KEY REFERENCES resources (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    next_at  BIGINT
);
CREATE INDEX job_schedules_next ON job_schedules (next_at);

-- document is the definition as it was when the run began; data_key the whole
-- data set, in the contents.
CREATE TABLE job_runs (
    id           INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    job_id       INTEGER NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    user_id      INTEGER REFERENCES users (id) ON DELETE SET NULL,
    planned_at   BIGINT,
    state        TEXT NOT NULL,
    error        TEXT NOT NULL DEFAULT '',
    document     TEXT NOT NULL,
    params       TEXT NOT NULL DEFAULT '',
    data_key     TEXT UNIQUE,
    created_at   BIGINT NOT NULL,
    UNIQUE (job_id, planned_at)
);
CREATE INDEX job_runs_workspace ON job_runs (workspace_id);
CREATE INDEX job_runs_user ON job_runs (user_id);

CREATE TABLE job_entries (
    id         INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id     INTEGER NOT NULL REFERENCES job_runs (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    record     TEXT NOT NULL,
    state      TEXT NOT NULL,
    error      TEXT NOT NULL DEFAULT '',
    updated_at BIGINT NOT NULL,
    UNIQUE (run_id, position)
);
CREATE INDEX job_entries_state ON job_entries (run_id, state);

CREATE TABLE job_documents (
    entry_id     INTEGER NOT NULL REFERENCES job_entries (id) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    name         TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size         BIGINT NOT NULL,
    content_key  TEXT NOT NULL UNIQUE,
    PRIMARY KEY (entry_id, position)
);

-- Each delivery of each entry. It is marked as sending before anything is
-- sent: one that is found so later may have been sent or not.
CREATE TABLE job_deliveries (
    entry_id   INTEGER NOT NULL REFERENCES job_entries (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    state      TEXT NOT NULL,
    attempts   INTEGER NOT NULL DEFAULT 0,
    send_key   TEXT NOT NULL,
    error      TEXT NOT NULL DEFAULT '',
    receipt    TEXT NOT NULL DEFAULT '',
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (entry_id, position)
);

-- +goose Down
DROP TABLE job_deliveries;
DROP TABLE job_documents;
DROP TABLE job_entries;
DROP TABLE job_runs;
DROP TABLE job_schedules;

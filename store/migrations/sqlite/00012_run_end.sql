-- +goose Up

-- ended_at is null while something of a run is to be done.
ALTER TABLE job_runs ADD COLUMN ended_at BIGINT;
CREATE INDEX job_runs_open ON job_runs (id) WHERE ended_at IS NULL;

-- Deliveries that are made once for all entries of a run.
CREATE TABLE job_run_deliveries (
    run_id     INTEGER NOT NULL REFERENCES job_runs (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    state      TEXT NOT NULL,
    attempts   INTEGER NOT NULL DEFAULT 0,
    send_key   TEXT NOT NULL,
    error      TEXT NOT NULL DEFAULT '',
    receipt    TEXT NOT NULL DEFAULT '',
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (run_id, position)
);

-- +goose Down
DROP TABLE job_run_deliveries;
DROP INDEX job_runs_open;
ALTER TABLE job_runs DROP COLUMN ended_at;

-- +goose Up

-- What of a run, or of an entry, may still be delivered: all, what was chosen
-- by hand, or none, as the run was cancelled. Whoever begins a delivery looks
-- here in the same transaction.
ALTER TABLE job_runs ADD COLUMN deliver TEXT NOT NULL DEFAULT 'all';
ALTER TABLE job_runs ADD COLUMN cancelled_at BIGINT;
ALTER TABLE job_entries ADD COLUMN deliver TEXT NOT NULL DEFAULT 'all';

-- That a run waits for its review is told once.
ALTER TABLE job_runs ADD COLUMN review_told_at BIGINT;
UPDATE job_runs SET review_told_at = ended_at;

-- Later definitions of the job, for the entries that were made anew with them;
-- 0 is the one that the run began with.
CREATE TABLE job_run_definitions (
    run_id   INTEGER NOT NULL REFERENCES job_runs (id) ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (run_id, number)
);
ALTER TABLE job_entries ADD COLUMN definition INTEGER NOT NULL DEFAULT 0;

-- The kinds of work of a workspace take turns, too.
CREATE INDEX queue_kinds ON queue (workspace_id, priority, kind, turn);
DROP INDEX queue_turns;

-- +goose Down
CREATE INDEX queue_turns ON queue (workspace_id, priority, turn);
DROP INDEX queue_kinds;
ALTER TABLE job_entries DROP COLUMN definition;
DROP TABLE job_run_definitions;
ALTER TABLE job_runs DROP COLUMN review_told_at;
ALTER TABLE job_entries DROP COLUMN deliver;
ALTER TABLE job_runs DROP COLUMN cancelled_at;
ALTER TABLE job_runs DROP COLUMN deliver;

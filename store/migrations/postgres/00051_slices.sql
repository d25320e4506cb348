-- +goose Up

-- The position of the first entry of a run that has not been queued; null when all
-- have been, as those of small runs are with their entries.
ALTER TABLE job_runs ADD COLUMN next_position INTEGER;
CREATE INDEX job_runs_fed ON job_runs (id) WHERE next_position IS NOT NULL;

-- +goose Down
DROP INDEX job_runs_fed;
ALTER TABLE job_runs DROP COLUMN next_position;

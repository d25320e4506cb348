-- +goose Up

-- The position of the first entry of a run that is still to be approved, when all
-- that wait for their review are; null when nobody has said so, or it is done.
ALTER TABLE job_runs ADD COLUMN approve_from INTEGER;
CREATE INDEX job_runs_approved ON job_runs (id) WHERE approve_from IS NOT NULL;

-- +goose Down
DROP INDEX job_runs_approved;
ALTER TABLE job_runs DROP COLUMN approve_from;

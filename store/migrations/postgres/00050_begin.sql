-- +goose Up

-- How many entries a run will have, while they are being written.
ALTER TABLE job_runs ADD COLUMN entries INTEGER;

-- +goose Down
ALTER TABLE job_runs DROP COLUMN entries;

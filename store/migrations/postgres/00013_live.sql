-- +goose Up

-- What a list of exports tells of each: the report as it was asked for, and the
-- format.
ALTER TABLE export_files ADD COLUMN report TEXT NOT NULL DEFAULT '';
ALTER TABLE export_files ADD COLUMN format TEXT NOT NULL DEFAULT '';

-- Who watches a run asks what has changed since.
CREATE INDEX job_entries_changed ON job_entries (run_id, updated_at);

-- +goose Down
DROP INDEX job_entries_changed;
ALTER TABLE export_files DROP COLUMN format;
ALTER TABLE export_files DROP COLUMN report;

-- +goose Up

-- How long a file or a document took and what for, as JSON; empty when it is not
-- known.
ALTER TABLE export_files ADD COLUMN timing TEXT NOT NULL DEFAULT '';
ALTER TABLE job_documents ADD COLUMN timing TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE job_documents DROP COLUMN timing;
ALTER TABLE export_files DROP COLUMN timing;

-- +goose Up

-- What people call a version; such a one is not removed with old ones.
ALTER TABLE report_versions ADD COLUMN name TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE report_versions DROP COLUMN name;

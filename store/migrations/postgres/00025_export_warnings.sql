-- +goose Up

-- What an export warned of, as JSON; empty when of nothing.
ALTER TABLE export_files ADD COLUMN warnings TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE export_files DROP COLUMN warnings;

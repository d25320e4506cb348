-- +goose Up

-- The language in which a user reads the interface; empty is the browser's.
ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE users DROP COLUMN language;

-- +goose Up

-- Whether who holds a role needs a second factor.
ALTER TABLE roles ADD COLUMN needs_factor BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE roles DROP COLUMN needs_factor;

-- +goose Up

-- Accounts that belong to a workspace, and to no person. One that was deleted
-- stays as who made what is left of it.
ALTER TABLE users ADD COLUMN service_of INTEGER REFERENCES workspaces (id) ON DELETE CASCADE;
ALTER TABLE users ADD COLUMN deleted_at BIGINT;
CREATE INDEX users_service ON users (service_of);

-- +goose Down
DROP INDEX users_service;
ALTER TABLE users DROP COLUMN deleted_at;
ALTER TABLE users DROP COLUMN service_of;

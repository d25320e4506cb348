-- +goose Up

-- What an access token opens of what its owner may: one workspace, or all;
-- scopes, or everything when it names none.
ALTER TABLE tokens ADD COLUMN workspace_id INTEGER REFERENCES workspaces (id) ON DELETE CASCADE;
ALTER TABLE tokens ADD COLUMN scopes TEXT NOT NULL DEFAULT '';
CREATE INDEX tokens_workspace ON tokens (workspace_id);

-- +goose Down
DROP INDEX tokens_workspace;
ALTER TABLE tokens DROP COLUMN scopes;
ALTER TABLE tokens DROP COLUMN workspace_id;

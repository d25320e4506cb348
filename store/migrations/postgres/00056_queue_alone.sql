-- +goose Up

-- Each task that was queued looked for its workspace and locked it: a sixth of what it
-- takes to queue one. Tasks of a workspace are deleted with it.
ALTER TABLE queue DROP CONSTRAINT queue_workspace_id_fkey;

-- +goose Down
DELETE FROM queue WHERE workspace_id NOT IN (SELECT id FROM workspaces);
ALTER TABLE queue ADD CONSTRAINT queue_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE;

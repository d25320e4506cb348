-- +goose Up

-- The run that work is of, 0 for none: runs of a workspace take turns. Nothing
-- refers to it, as work goes with what it is done on.
ALTER TABLE queue ADD COLUMN run_id INTEGER NOT NULL DEFAULT 0;
UPDATE queue SET run_id = COALESCE((SELECT e.run_id FROM job_entries e WHERE e.id = queue.subject), 0) WHERE kind IN ('entry', 'deliver');
CREATE INDEX queue_runs ON queue (workspace_id, priority, kind, run_id, turn);
DROP INDEX queue_kinds;

-- +goose Down
CREATE INDEX queue_kinds ON queue (workspace_id, priority, kind, turn);
DROP INDEX queue_runs;
ALTER TABLE queue DROP COLUMN run_id;

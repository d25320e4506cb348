-- +goose Up

-- Every list is read from an index, in its order. Each takes the place of one that
-- is its beginning.
CREATE INDEX job_entries_states ON job_entries (run_id, state, position);
DROP INDEX job_entries_state;
CREATE INDEX job_runs_job ON job_runs (job_id, id);
CREATE INDEX job_runs_created ON job_runs (created_at);
CREATE INDEX export_files_list ON export_files (workspace_id, created_at, id);
CREATE INDEX export_files_own ON export_files (workspace_id, user_id, created_at, id);
DROP INDEX export_files_order;
DROP INDEX export_files_workspace;

-- +goose Down
CREATE INDEX export_files_workspace ON export_files (workspace_id);
CREATE INDEX export_files_order ON export_files (workspace_id, created_at);
DROP INDEX export_files_own;
DROP INDEX export_files_list;
DROP INDEX job_runs_created;
DROP INDEX job_runs_job;
CREATE INDEX job_entries_state ON job_entries (run_id, state);
DROP INDEX job_entries_states;

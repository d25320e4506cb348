-- +goose Up

-- Where a file comes from decides who may see those of others: reports or jobs.
-- An older version, which knows no category, gives review documents no report.
ALTER TABLE export_files ADD COLUMN category TEXT NOT NULL DEFAULT '';
CREATE INDEX export_files_order ON export_files (workspace_id, created_at);

-- What nonces and previews come from, and what they are good for. token_id is
-- the access token: they end with it. epoch is the user's; 0 is one of before.
-- scope is JSON; empty is one that its first request settles.
ALTER TABLE nonces ADD COLUMN token_id INTEGER REFERENCES tokens (id) ON DELETE CASCADE;
ALTER TABLE nonces ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nonces ADD COLUMN scope TEXT NOT NULL DEFAULT '';
CREATE INDEX nonces_token ON nonces (token_id);
ALTER TABLE preview_sessions ADD COLUMN token_id INTEGER REFERENCES tokens (id) ON DELETE CASCADE;
ALTER TABLE preview_sessions ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE preview_sessions ADD COLUMN scope TEXT NOT NULL DEFAULT '';
CREATE INDEX preview_sessions_token ON preview_sessions (token_id);

-- +goose Down
DROP INDEX preview_sessions_token;
ALTER TABLE preview_sessions DROP COLUMN scope;
ALTER TABLE preview_sessions DROP COLUMN epoch;
ALTER TABLE preview_sessions DROP COLUMN token_id;
DROP INDEX nonces_token;
ALTER TABLE nonces DROP COLUMN scope;
ALTER TABLE nonces DROP COLUMN epoch;
ALTER TABLE nonces DROP COLUMN token_id;
DROP INDEX export_files_order;
ALTER TABLE export_files DROP COLUMN category;

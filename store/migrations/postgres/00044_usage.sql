-- +goose Up

-- What was made for a workspace on a day of UTC. Processes add to it now and then.
CREATE TABLE workspace_usage (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    day          TEXT NOT NULL,
    documents    BIGINT NOT NULL,
    pages        BIGINT NOT NULL,
    bytes        BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, day)
);
CREATE INDEX workspace_usage_day ON workspace_usage (day);

-- +goose Down
DROP TABLE workspace_usage;

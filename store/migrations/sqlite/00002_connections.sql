-- +goose Up

-- How to reach databases and services. address and headers are sealed.
CREATE TABLE connections (
    id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    type         TEXT NOT NULL,
    address      TEXT NOT NULL,
    headers      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    UNIQUE (workspace_id, name)
);

-- +goose Down
DROP TABLE connections;

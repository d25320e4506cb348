-- +goose Up

-- Links that are sent to people, good once: invitations have a workspace and a
-- role, links to set a password a user. A later epoch of the user ends those.
CREATE TABLE account_links (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    hash         BLOB NOT NULL UNIQUE,
    email        TEXT NOT NULL,
    email_key    TEXT NOT NULL,
    workspace_id INTEGER REFERENCES workspaces (id) ON DELETE CASCADE,
    role_id      INTEGER REFERENCES roles (id) ON DELETE CASCADE,
    user_id      INTEGER REFERENCES users (id) ON DELETE CASCADE,
    epoch        INTEGER NOT NULL DEFAULT 0,
    made_by      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    valid_until  BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    UNIQUE (workspace_id, email_key)
);
CREATE INDEX account_links_expiry ON account_links (expires_at);
CREATE INDEX account_links_user ON account_links (user_id);
CREATE INDEX account_links_role ON account_links (role_id);

-- +goose Down
DROP TABLE account_links;

-- +goose Up
CREATE TABLE installation (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Times are milliseconds since 1970, UTC.
CREATE TABLE users (
    id            INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    email         TEXT NOT NULL,
    email_key     TEXT NOT NULL UNIQUE,
    display_name  TEXT NOT NULL,
    password_hash TEXT,
    is_root       BOOLEAN NOT NULL,
    is_active     BOOLEAN NOT NULL DEFAULT TRUE,
    epoch         INTEGER NOT NULL DEFAULT 1,
    created_at    BIGINT NOT NULL
);

CREATE TABLE sessions (
    hash       BLOB PRIMARY KEY,
    data       BLOB NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE preview_sessions (
    hash       BLOB PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX preview_sessions_expiry ON preview_sessions (expires_at);
CREATE INDEX preview_sessions_user ON preview_sessions (user_id);

CREATE TABLE nonces (
    hash       BLOB PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX nonces_expiry ON nonces (expires_at);
CREATE INDEX nonces_user ON nonces (user_id);

CREATE TABLE tokens (
    id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    hash         BLOB NOT NULL UNIQUE,
    ending       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    last_used_at BIGINT
);
CREATE INDEX tokens_user ON tokens (user_id);

CREATE TABLE workspaces (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    name        TEXT NOT NULL,
    description TEXT,
    code        TEXT NOT NULL,
    code_key    TEXT NOT NULL UNIQUE,
    revision    INTEGER NOT NULL DEFAULT 1,
    created_at  BIGINT NOT NULL
);

CREATE TABLE roles (
    id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    name_key     TEXT NOT NULL,
    description  TEXT NOT NULL DEFAULT '',
    built_in     BOOLEAN NOT NULL DEFAULT FALSE,
    levels       TEXT NOT NULL,
    UNIQUE (workspace_id, name_key)
);

CREATE TABLE members (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role_id      INTEGER NOT NULL REFERENCES roles (id),
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_user ON members (user_id);
CREATE INDEX members_role ON members (role_id);

-- default_report_id has no foreign key, as reports point back here; deleting a
-- report empties it.
CREATE TABLE report_types (
    id                INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    workspace_id      INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    code              TEXT NOT NULL,
    code_key          TEXT NOT NULL,
    name              TEXT NOT NULL,
    description       TEXT NOT NULL DEFAULT '',
    position          INTEGER NOT NULL,
    default_report_id INTEGER,
    UNIQUE (workspace_id, code_key)
);

CREATE TABLE reports (
    id             INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    workspace_id   INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    type_id        INTEGER NOT NULL REFERENCES report_types (id),
    owner_id       INTEGER REFERENCES users (id) ON DELETE SET NULL,
    code           TEXT NOT NULL,
    code_key       TEXT NOT NULL,
    name           TEXT NOT NULL,
    position       INTEGER NOT NULL,
    template_key   TEXT NOT NULL,
    theme_key      TEXT NOT NULL,
    own_template   TEXT, -- names of what the report carries with it
    own_theme      TEXT,
    is_subreport   BOOLEAN NOT NULL,
    preview_key    TEXT UNIQUE,
    preview_type   TEXT,
    revision       INTEGER NOT NULL DEFAULT 1,
    document       TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    UNIQUE (workspace_id, code_key)
);
CREATE INDEX reports_order ON reports (workspace_id, position, id);
CREATE INDEX reports_type ON reports (type_id);
CREATE INDEX reports_owner ON reports (owner_id);

-- Templates, themes, languages, page types, dictionaries, and reusable
-- parameters and data sources. key is the code, or the name of those that are
-- known by it, in the form that is compared.
CREATE TABLE resources (
    id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL,
    key          TEXT NOT NULL,
    position     INTEGER NOT NULL,
    revision     INTEGER NOT NULL DEFAULT 1,
    document     TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    UNIQUE (workspace_id, kind, key)
);

CREATE TABLE files (
    id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size         BIGINT NOT NULL,
    sha256       BLOB NOT NULL,
    content_key  TEXT NOT NULL UNIQUE,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    UNIQUE (workspace_id, name)
);

CREATE TABLE temp_data (
    id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id      INTEGER REFERENCES users (id) ON DELETE SET NULL,
    size         BIGINT NOT NULL,
    content_key  TEXT NOT NULL UNIQUE,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX temp_data_expiry ON temp_data (expires_at);
CREATE INDEX temp_data_workspace ON temp_data (workspace_id);
CREATE INDEX temp_data_user ON temp_data (user_id);

-- +goose Down
DROP TABLE temp_data;
DROP TABLE files;
DROP TABLE resources;
DROP TABLE reports;
DROP TABLE report_types;
DROP TABLE members;
DROP TABLE roles;
DROP TABLE workspaces;
DROP TABLE tokens;
DROP TABLE nonces;
DROP TABLE preview_sessions;
DROP TABLE sessions;
DROP TABLE users;
DROP TABLE installation;

-- +goose Up

-- Groups of people, of the whole installation. source is who decides who is in
-- one: empty for root users, else a provider, which knows it as external_id.
CREATE TABLE user_groups (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    name        TEXT NOT NULL,
    name_key    TEXT NOT NULL UNIQUE,
    source      TEXT NOT NULL DEFAULT '',
    external_id TEXT NOT NULL DEFAULT '',
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX user_groups_source ON user_groups (source, external_id);

CREATE TABLE group_members (
    group_id INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
    user_id  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX group_members_user ON group_members (user_id);

-- The role that everybody in a group has in a workspace.
CREATE TABLE group_roles (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    group_id     INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
    role_id      INTEGER NOT NULL REFERENCES roles (id),
    PRIMARY KEY (workspace_id, group_id)
);
CREATE INDEX group_roles_group ON group_roles (group_id);
CREATE INDEX group_roles_role ON group_roles (role_id);

-- Access rules of reports may name groups.
CREATE TABLE report_access_new (
    report_id INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    role_id   INTEGER REFERENCES roles (id) ON DELETE CASCADE,
    user_id   INTEGER REFERENCES users (id) ON DELETE CASCADE,
    group_id  INTEGER REFERENCES user_groups (id) ON DELETE CASCADE,
    level     INTEGER NOT NULL,
    UNIQUE (report_id, role_id),
    UNIQUE (report_id, user_id),
    UNIQUE (report_id, group_id),
    CHECK ((role_id IS NOT NULL) + (user_id IS NOT NULL) + (group_id IS NOT NULL) = 1)
);
INSERT INTO report_access_new (report_id, role_id, user_id, level) SELECT report_id, role_id, user_id, level FROM report_access;
DROP TABLE report_access;
ALTER TABLE report_access_new RENAME TO report_access;
CREATE INDEX report_access_role ON report_access (role_id);
CREATE INDEX report_access_user ON report_access (user_id);
CREATE INDEX report_access_group ON report_access (group_id);

-- +goose Down
CREATE TABLE report_access_old (
    report_id INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    role_id   INTEGER REFERENCES roles (id) ON DELETE CASCADE,
    user_id   INTEGER REFERENCES users (id) ON DELETE CASCADE,
    level     INTEGER NOT NULL,
    UNIQUE (report_id, role_id),
    UNIQUE (report_id, user_id),
    CHECK ((role_id IS NULL) <> (user_id IS NULL))
);
INSERT INTO report_access_old (report_id, role_id, user_id, level) SELECT report_id, role_id, user_id, level FROM report_access WHERE group_id IS NULL;
DROP TABLE report_access;
ALTER TABLE report_access_old RENAME TO report_access;
CREATE INDEX report_access_role ON report_access (role_id);
CREATE INDEX report_access_user ON report_access (user_id);
DROP TABLE group_roles;
DROP TABLE group_members;
DROP TABLE user_groups;

-- +goose Up

-- Groups of people, of the whole installation. source is who decides who is in
-- one: empty for root users, else a provider, which knows it as external_id.
CREATE TABLE user_groups (
    id          INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
ALTER TABLE report_access ADD COLUMN group_id INTEGER REFERENCES user_groups (id) ON DELETE CASCADE;
ALTER TABLE report_access ADD UNIQUE (report_id, group_id);
ALTER TABLE report_access DROP CONSTRAINT report_access_check;
ALTER TABLE report_access ADD CONSTRAINT report_access_check CHECK (num_nonnulls(role_id, user_id, group_id) = 1);
CREATE INDEX report_access_group ON report_access (group_id);

-- +goose Down
DELETE FROM report_access WHERE group_id IS NOT NULL;
ALTER TABLE report_access DROP CONSTRAINT report_access_check;
ALTER TABLE report_access DROP COLUMN group_id;
ALTER TABLE report_access ADD CONSTRAINT report_access_check CHECK ((role_id IS NULL) <> (user_id IS NULL));
DROP TABLE group_roles;
DROP TABLE group_members;
DROP TABLE user_groups;

-- +goose Up

-- Who has a definition of the library open, as report_presence has it of reports.
CREATE TABLE resource_presence (
    resource_id INTEGER NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    tab         TEXT NOT NULL,
    user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    selected    TEXT NOT NULL,
    expires_at  BIGINT NOT NULL,
    PRIMARY KEY (resource_id, tab)
);
CREATE INDEX resource_presence_user ON resource_presence (user_id);
CREATE INDEX resource_presence_expiry ON resource_presence (expires_at);

-- Who saved a definition last.
ALTER TABLE resources ADD COLUMN saved_by INTEGER REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX resources_saved_by ON resources (saved_by);

-- +goose Down
DROP INDEX resources_saved_by;
ALTER TABLE resources DROP COLUMN saved_by;
DROP TABLE resource_presence;

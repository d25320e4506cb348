-- +goose Up

-- Who may see (1), run (2) and edit (3) a report that is restricted; all others
-- are for everybody whose role reads reports.
ALTER TABLE reports ADD COLUMN restricted BOOLEAN NOT NULL DEFAULT FALSE;
CREATE TABLE report_access (
    report_id INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    role_id   INTEGER REFERENCES roles (id) ON DELETE CASCADE,
    user_id   INTEGER REFERENCES users (id) ON DELETE CASCADE,
    level     INTEGER NOT NULL,
    UNIQUE (report_id, role_id),
    UNIQUE (report_id, user_id),
    CHECK ((role_id IS NULL) <> (user_id IS NULL))
);
CREATE INDEX report_access_role ON report_access (role_id);
CREATE INDEX report_access_user ON report_access (user_id);

-- +goose Down
DROP TABLE report_access;
ALTER TABLE reports DROP COLUMN restricted;

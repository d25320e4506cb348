-- +goose Up

-- What a report was after each time it was saved.
CREATE TABLE report_versions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    report_id  INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    revision   INTEGER NOT NULL,
    document   TEXT NOT NULL,
    user_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (report_id, revision)
);
CREATE INDEX report_versions_user ON report_versions (user_id);

-- A deleted report stays for a while, so that deleting can be undone. Its code
-- is free meanwhile: code_key is changed to one that no code has.
ALTER TABLE reports ADD COLUMN deleted_at BIGINT;

-- +goose Down
ALTER TABLE reports DROP COLUMN deleted_at;
DROP TABLE report_versions;

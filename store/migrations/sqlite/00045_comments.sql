-- +goose Up

-- What people say about a report: threads that are pinned to an element, or with
-- an empty one to the report. comments_revision grows with each change of them.
ALTER TABLE reports ADD COLUMN comments_revision INTEGER NOT NULL DEFAULT 0;
CREATE TABLE report_threads (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    report_id   INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    element     TEXT NOT NULL DEFAULT '',
    created_at  BIGINT NOT NULL,
    resolved_at BIGINT,
    resolved_by INTEGER REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX report_threads_report ON report_threads (report_id);
CREATE INDEX report_threads_resolved_by ON report_threads (resolved_by);

CREATE TABLE report_comments (
    id         INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    thread_id  INTEGER NOT NULL REFERENCES report_threads (id) ON DELETE CASCADE,
    user_id    INTEGER REFERENCES users (id) ON DELETE SET NULL,
    text       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    edited_at  BIGINT,
    deleted_at BIGINT
);
CREATE INDEX report_comments_thread ON report_comments (thread_id);
CREATE INDEX report_comments_user ON report_comments (user_id);
CREATE INDEX report_comments_deleted ON report_comments (deleted_at) WHERE deleted_at IS NOT NULL;

-- Whom a comment names.
CREATE TABLE report_mentions (
    comment_id INTEGER NOT NULL REFERENCES report_comments (id) ON DELETE CASCADE,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    PRIMARY KEY (comment_id, user_id)
);
CREATE INDEX report_mentions_user ON report_mentions (user_id);

-- +goose Down
DROP TABLE report_mentions;
DROP TABLE report_comments;
DROP TABLE report_threads;
ALTER TABLE reports DROP COLUMN comments_revision;

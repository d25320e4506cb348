-- +goose Up

-- Who has a report open in the designer, one row for each page of a browser, and
-- what is selected there. What has not been heard of until expires_at is gone.
CREATE TABLE report_presence (
    report_id  INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    tab        TEXT NOT NULL,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    selected   TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (report_id, tab)
);
CREATE INDEX report_presence_user ON report_presence (user_id);
CREATE INDEX report_presence_expiry ON report_presence (expires_at);

-- +goose Down
DROP TABLE report_presence;

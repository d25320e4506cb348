-- +goose Up

-- Who has a report type open, as resource_presence has it of the library.
CREATE TABLE report_type_presence (
    type_id    BIGINT NOT NULL REFERENCES report_types (id) ON DELETE CASCADE,
    tab        TEXT NOT NULL,
    user_id    BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    selected   TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (type_id, tab)
);
CREATE INDEX report_type_presence_user ON report_type_presence (user_id);
CREATE INDEX report_type_presence_expiry ON report_type_presence (expires_at);

-- +goose Down
DROP TABLE report_type_presence;

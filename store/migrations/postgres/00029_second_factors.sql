-- +goose Up

-- The second factors of users, by their IDs: the sealed secret of an
-- authenticator, and the step of time of the last code that was taken.
CREATE TABLE second_factors (
    id         INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret     TEXT NOT NULL,
    last_step  BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

-- Codes for who has lost the authenticator; each is removed when it is used.
CREATE TABLE recovery_codes (
    hash    BYTEA PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX recovery_codes_user ON recovery_codes (user_id);

-- +goose Down
DROP TABLE recovery_codes;
DROP TABLE second_factors;

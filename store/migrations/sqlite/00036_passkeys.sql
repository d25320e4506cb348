-- +goose Up

-- Keys that sign users in. handle names the user to authenticators, rp_id the
-- site that a key is for; credential is what it proves itself by (JSON).
-- sign_count grows with each use of keys that count; cloned_at is when one did not.
CREATE TABLE passkeys (
    id            INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    user_id       INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name          TEXT NOT NULL,
    credential_id BLOB NOT NULL UNIQUE,
    handle        BLOB NOT NULL,
    rp_id         TEXT NOT NULL,
    credential    TEXT NOT NULL,
    sign_count    BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT,
    cloned_at     BIGINT
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- +goose Down
DROP TABLE passkeys;

-- +goose Up

-- Attempts to sign in that failed or are under way, by what they count for.
CREATE TABLE attempts (
    hash       BLOB PRIMARY KEY,
    failures   INTEGER NOT NULL,
    last_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX attempts_expiry ON attempts (expires_at);

-- Browsers in which a user has signed in; a later epoch of the user ends them.
CREATE TABLE devices (
    hash       BLOB PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    epoch      INTEGER NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX devices_expiry ON devices (expires_at);
CREATE INDEX devices_user ON devices (user_id);

-- Rows without a user are of before; they are completed when they are used.
ALTER TABLE sessions ADD COLUMN user_id INTEGER REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE sessions ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN browser TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX sessions_user ON sessions (user_id);

-- +goose Down
DROP INDEX sessions_user;
ALTER TABLE sessions DROP COLUMN seen_at;
ALTER TABLE sessions DROP COLUMN created_at;
ALTER TABLE sessions DROP COLUMN address;
ALTER TABLE sessions DROP COLUMN browser;
ALTER TABLE sessions DROP COLUMN epoch;
ALTER TABLE sessions DROP COLUMN user_id;
DROP TABLE devices;
DROP TABLE attempts;

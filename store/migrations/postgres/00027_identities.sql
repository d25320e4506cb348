-- +goose Up

-- Who people are at the providers that they sign in with. Only issuer and
-- subject together name somebody; addresses change hands.
CREATE TABLE identities (
    issuer       TEXT NOT NULL,
    subject      TEXT NOT NULL,
    user_id      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at   BIGINT NOT NULL,
    signed_in_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_user ON identities (user_id);

-- What may be used once only, until it would not be accepted anyway.
CREATE TABLE used_once (
    hash       BYTEA PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_once_expiry ON used_once (expires_at);

-- Where a session comes from; empty: from a password.
ALTER TABLE sessions ADD COLUMN provider TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN issuer TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN provider_session TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN id_token TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_provider ON sessions (issuer, subject);

-- +goose Down
DROP INDEX sessions_provider;
ALTER TABLE sessions DROP COLUMN id_token;
ALTER TABLE sessions DROP COLUMN provider_session;
ALTER TABLE sessions DROP COLUMN subject;
ALTER TABLE sessions DROP COLUMN issuer;
ALTER TABLE sessions DROP COLUMN provider;
DROP TABLE used_once;
DROP TABLE identities;

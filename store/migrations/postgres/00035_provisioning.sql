-- +goose Up

-- Tokens of programs that provision accounts and groups by SCIM, and nothing
-- else. source is the provider that it is done for; * is none.
CREATE TABLE provisioning_tokens (
    id           INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         TEXT NOT NULL,
    hash         BYTEA NOT NULL UNIQUE,
    ending       TEXT NOT NULL,
    source       TEXT NOT NULL,
    adopt        BOOLEAN NOT NULL,
    made_by      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    last_used_at BIGINT
);

-- Accounts that a source provisions. document is what it says of the person;
-- what counts here stands in users.
CREATE TABLE provisioned_users (
    user_id       INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    source        TEXT NOT NULL,
    external_id   TEXT NOT NULL,
    user_name_key TEXT NOT NULL,
    document      TEXT NOT NULL,
    updated_at    BIGINT NOT NULL,
    UNIQUE (source, user_name_key)
);
CREATE INDEX provisioned_users_external ON provisioned_users (source, external_id);

-- +goose Down
DROP TABLE provisioned_users;
DROP TABLE provisioning_tokens;

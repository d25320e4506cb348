-- +goose Up

-- Sign-ins that were begun at providers from which browsers come back with a
-- form, without their cookies: the request that is answered, and then the sealed
-- answer until the browser fetches it with its cookie.
CREATE TABLE posted_sign_ins (
    hash       BYTEA PRIMARY KEY,
    provider   TEXT NOT NULL,
    request    TEXT NOT NULL,
    answered   BOOLEAN NOT NULL,
    answer     TEXT NOT NULL DEFAULT '',
    expires_at BIGINT NOT NULL
);
CREATE INDEX posted_sign_ins_expiry ON posted_sign_ins (expires_at);

-- The sealed keys with which requests to providers are signed; all services of
-- an installation use the same.
CREATE TABLE provider_keys (
    id         INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider   TEXT NOT NULL UNIQUE,
    secret     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE provider_keys;
DROP TABLE posted_sign_ins;

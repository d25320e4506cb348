-- +goose Up

-- Since when somebody may not come in by an identity any more, as its directory
-- says, and whether the account was blocked for it.
ALTER TABLE identities ADD COLUMN gone_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE identities ADD COLUMN blocked BOOLEAN NOT NULL DEFAULT FALSE;

-- When the people of a directory were last looked up, and when they will be.
CREATE TABLE directory_syncs (
    provider TEXT PRIMARY KEY,
    next_at  BIGINT NOT NULL,
    ended_at BIGINT NOT NULL DEFAULT 0,
    people   INTEGER NOT NULL DEFAULT 0,
    changed  INTEGER NOT NULL DEFAULT 0,
    lost     INTEGER NOT NULL DEFAULT 0,
    problem  TEXT NOT NULL DEFAULT ''
);

-- +goose Down
DROP TABLE directory_syncs;
ALTER TABLE identities DROP COLUMN blocked;
ALTER TABLE identities DROP COLUMN gone_at;

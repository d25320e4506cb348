-- +goose Up

-- The zone of times on the screens of a user; empty is UTC. picture is the hash
-- of the user's one, by which it is asked for; empty is none.
ALTER TABLE users ADD COLUMN time_zone TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN picture TEXT NOT NULL DEFAULT '';

CREATE TABLE user_pictures (
    user_id      INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    hash         TEXT NOT NULL,
    content_type TEXT NOT NULL,
    content      BYTEA NOT NULL
);
CREATE INDEX user_pictures_hash ON user_pictures (hash);

-- +goose Down
DROP TABLE user_pictures;
ALTER TABLE users DROP COLUMN picture;
ALTER TABLE users DROP COLUMN time_zone;

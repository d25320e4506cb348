-- +goose Up

-- Only what somebody works on is found by its owner: with all that waits in the index,
-- counts and claims read it, and each task was put into it to be taken out again.
CREATE INDEX queue_owned ON queue (owner) WHERE owner > '';
DROP INDEX queue_owner;

-- +goose Down
CREATE INDEX queue_owner ON queue (owner);
DROP INDEX queue_owned;

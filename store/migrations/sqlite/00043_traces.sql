-- +goose Up

-- The trace that work was queued in, as the header traceparent has it; empty
-- without one.
ALTER TABLE queue ADD COLUMN trace TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE queue DROP COLUMN trace;

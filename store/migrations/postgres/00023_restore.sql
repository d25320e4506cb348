-- +goose Up

-- Changes of a report type are based on the revision that was read.
ALTER TABLE report_types ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

-- The type that a deleted report was the default of: it is that again when it
-- is brought back.
ALTER TABLE reports ADD COLUMN default_of INTEGER;

-- Whether a report was saved with something to be mended: it is not printed
-- until that is done.
ALTER TABLE reports ADD COLUMN unfinished BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE reports DROP COLUMN unfinished;
ALTER TABLE reports DROP COLUMN default_of;
ALTER TABLE report_types DROP COLUMN revision;

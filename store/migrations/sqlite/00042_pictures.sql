-- +goose Up

-- The pictures that lists show are made of a page of the report, 0 for one that
-- was uploaded, after each revision; preview_revision is the last one tried.
ALTER TABLE reports ADD COLUMN preview_page INTEGER NOT NULL DEFAULT 1;
ALTER TABLE reports ADD COLUMN preview_revision INTEGER NOT NULL DEFAULT 0;
CREATE INDEX reports_without_picture ON reports (updated_at) WHERE preview_page > 0 AND preview_revision < revision AND deleted_at IS NULL;

-- +goose Down
DROP INDEX reports_without_picture;
ALTER TABLE reports DROP COLUMN preview_page;
ALTER TABLE reports DROP COLUMN preview_revision;

-- +goose Up

-- A small picture of the report as it was, made when that of its lists is.
ALTER TABLE report_versions ADD COLUMN picture BYTEA;
ALTER TABLE report_versions ADD COLUMN picture_type TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE report_versions DROP COLUMN picture_type;
ALTER TABLE report_versions DROP COLUMN picture;

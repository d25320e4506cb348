-- +goose Up

-- Numbers of PostgreSQL become as wide as those of SQLite are.
SELECT 1;

-- +goose Down
SELECT 1;

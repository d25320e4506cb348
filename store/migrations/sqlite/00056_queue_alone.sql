-- +goose Up

-- On PostgreSQL tasks refer to no workspace any more; here that costs nothing.
SELECT 1;

-- +goose Down
SELECT 1;

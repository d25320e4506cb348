-- +goose Up

-- Every number has 64 bits, as on SQLite: two billion entries are a month of a large
-- installation. That is done while nobody has used the database, as programs of the
-- version before, which may be at work, could not go on with the statements that they
-- have prepared. Others do it by quire migrate --wide, when it suits them.
-- +goose StatementBegin
DO $$
DECLARE
    statement TEXT;
BEGIN
    IF EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM workspaces) THEN
        RETURN;
    END IF;
    FOR statement IN
        SELECT format('ALTER TABLE %I %s', c.table_name, string_agg(format('ALTER COLUMN %I TYPE BIGINT', c.column_name), ', '))
        FROM information_schema.columns c JOIN information_schema.tables b USING (table_schema, table_name)
        WHERE table_schema = current_schema() AND c.data_type = 'integer' AND b.table_type = 'BASE TABLE' AND c.table_name <> 'goose_db_version'
        GROUP BY c.table_name ORDER BY c.table_name
    LOOP
        EXECUTE statement;
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
SELECT 1;

package store

import (
	"context"
	"fmt"
)

// Widen gives 64 bits to every number of the tables that has fewer, table by table, and
// tells which tables had some. Nobody else may use the database meanwhile: each table is
// written anew, and programs could not go on with the statements that they have prepared.
func (t *Tables) Widen(ctx context.Context) (tables []string, err error) {
	release, err := t.db.ownTables()
	if err != nil {
		return nil, err
	}
	defer release()
	narrow, err := t.Narrow(ctx)
	for _, table := range narrow {
		if _, err := t.db.exec(ctx, table.statement); err != nil {
			return tables, fmt.Errorf("widening the numbers of %s: %w", table.Name, err)
		}
		tables = append(tables, table.Name)
	}
	return tables, err
}

// NarrowTable is one with numbers of 32 bits.
type NarrowTable struct {
	Name      string `db:"name"`
	statement string
}

// Narrow are the tables with numbers of 32 bits: those of an installation that is older
// than version 57 of the tables, on PostgreSQL.
func (t *Tables) Narrow(ctx context.Context) (tables []NarrowTable, err error) {
	if t.db.dialect.name != "postgres" {
		return nil, nil
	}
	var rows []struct{ Name, Statement string }
	err = t.db.list(ctx, &rows, `SELECT c.table_name AS name, format('ALTER TABLE %I %s', c.table_name, string_agg(format('ALTER COLUMN %I TYPE BIGINT', c.column_name), ', ')) AS statement
		FROM information_schema.columns c JOIN information_schema.tables b USING (table_schema, table_name)
		WHERE table_schema = current_schema() AND c.data_type = 'integer' AND b.table_type = 'BASE TABLE' AND c.table_name <> 'goose_db_version'
		GROUP BY c.table_name ORDER BY c.table_name`)
	for _, r := range rows {
		tables = append(tables, NarrowTable{r.Name, r.Statement})
	}
	return tables, err
}

package store

import (
	"context"
	"fmt"
)

// ColumnKind is what a column holds, the same on both databases.
type ColumnKind string

// Kinds of columns.
const (
	KindBool  ColumnKind = "bool"
	KindInt   ColumnKind = "int"
	KindText  ColumnKind = "text"
	KindBytes ColumnKind = "bytes"
)

// Column is one of a table.
type Column struct {
	Name     string
	Kind     ColumnKind
	Required bool // a row without it is refused
}

// Columns are those of each table, in their order, except what the migrations
// keep for themselves.
func (t *Tables) Columns(ctx context.Context) (map[string][]Column, error) { return t.db.columns(ctx) }

func (d *database) columns(ctx context.Context) (map[string][]Column, error) {
	query := `SELECT m.name AS tab, p.name AS col, lower(p.type) AS type, p."notnull" = 1 AND p.dflt_value IS NULL AND p.pk = 0 AS required
		FROM sqlite_master m, pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND m.name <> 'goose_db_version' ORDER BY m.name, p.cid`
	if d.dialect.name == "postgres" {
		query = `SELECT table_name AS tab, column_name AS col, data_type AS type, is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS required
			FROM information_schema.columns
			WHERE table_schema = current_schema() AND table_name <> 'goose_db_version' ORDER BY table_name, ordinal_position`
	}
	var rows []struct {
		Table    string `db:"tab"`
		Column   string `db:"col"`
		Type     string `db:"type"`
		Required bool   `db:"required"`
	}
	if err := d.list(ctx, &rows, query); err != nil {
		return nil, fmt.Errorf("reading what columns there are: %w", err)
	}
	kinds := map[string]ColumnKind{
		"boolean": KindBool, "integer": KindInt, "bigint": KindInt, "text": KindText, "bytea": KindBytes, "blob": KindBytes,
	}
	all := map[string][]Column{}
	for _, r := range rows {
		kind, ok := kinds[r.Type]
		if !ok {
			return nil, fmt.Errorf("the column %s.%s is of the type %s; known: boolean, integer, bigint, text, and bytes as bytea or blob", r.Table, r.Column, r.Type)
		}
		all[r.Table] = append(all[r.Table], Column{r.Column, kind, r.Required})
	}
	return all, nil
}

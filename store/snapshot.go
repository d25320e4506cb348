package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

// Snapshot reads all tables as they were at one moment.
type Snapshot struct {
	db      *database
	tx      *sqlx.Tx
	Taken   time.Time // everything acknowledged before is in it
	Columns map[string][]Column
}

// Snapshot runs do on one. Others go on writing meanwhile.
func (t *Tables) Snapshot(ctx context.Context, do func(*Snapshot) error) error {
	var options *sql.TxOptions // SQLite's transactions are snapshots by themselves
	if t.db.dialect.name == "postgres" {
		options = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	}
	tx, err := t.db.read.BeginTxx(ctx, options)
	if err != nil {
		return t.db.translate(err)
	}
	defer func() { _ = tx.Rollback() }()
	s := &Snapshot{db: t.db, tx: tx, Taken: time.Now()}
	var one int // the first question begins it
	if err := tx.GetContext(ctx, &one, "SELECT COUNT(*) FROM installation"); err != nil {
		return t.db.translate(err)
	}
	if s.Columns, err = t.db.columns(ctx); err != nil {
		return err
	}
	return do(s)
}

// Rows calls each for the rows of a table that fulfil a condition, or for all
// when it is empty. The values are nil, bool, int64, string or []byte, as the
// kinds of the columns say.
func (s *Snapshot) Rows(ctx context.Context, table, condition string, args []any, each func([]any) error) error {
	columns := s.Columns[table]
	query := "SELECT " + columnNames(columns) + " FROM " + table
	if condition != "" {
		query += " WHERE " + condition
	}
	rows, err := s.tx.QueryxContext(ctx, s.tx.Rebind(query), args...)
	if err != nil {
		return s.db.translate(fmt.Errorf("reading the table %s: %w", table, err))
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		values, err := rows.SliceScan()
		if err != nil {
			return fmt.Errorf("reading the table %s: %w", table, err)
		}
		for i, c := range columns {
			if values[i], err = c.Kind.value(values[i]); err != nil {
				return fmt.Errorf("the column %s.%s: %w", table, c.Name, err)
			}
		}
		if err := each(values); err != nil {
			return err
		}
	}
	return s.db.translate(rows.Err())
}

// Last is the last number that the database gave to a row of a table by itself;
// 0 when it gives none.
func (s *Snapshot) Last(ctx context.Context, table string) (last int64, err error) {
	if s.Columns[table][0].Name != "id" {
		return 0, nil
	}
	query := "SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = ?"
	if s.db.dialect.name == "postgres" {
		query = "SELECT COALESCE(pg_sequence_last_value(pg_get_serial_sequence(?, 'id')::regclass), 0)"
	}
	err = s.tx.GetContext(ctx, &last, s.tx.Rebind(query), table)
	return last, s.db.translate(err)
}

func columnNames(columns []Column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// value is what a driver gives, as the kind has it.
func (k ColumnKind) value(v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case bool:
		if k == KindBool {
			return v, nil
		}
	case int64:
		switch k {
		case KindInt:
			return v, nil
		case KindBool:
			return v != 0, nil
		}
	case string:
		switch k {
		case KindText:
			return v, nil
		case KindBytes:
			return []byte(v), nil
		}
	case []byte:
		switch k {
		case KindBytes:
			return append([]byte{}, v...), nil
		case KindText:
			return string(v), nil
		}
	}
	return nil, fmt.Errorf("holds a %T and not %s", v, k)
}

// Filling writes rows into tables, all of them or none.
type Filling struct{ tx tx }

// Fill runs do in one transaction.
func (t *Tables) Fill(ctx context.Context, do func(*Filling) error) error {
	return t.db.inTx(ctx, func(tx tx) error { return do(&Filling{tx}) })
}

// Empty removes all rows of a table.
func (f *Filling) Empty(ctx context.Context, table string) error {
	_, err := f.tx.exec(ctx, "DELETE FROM "+table)
	return err
}

// Forget removes what only the installation that a snapshot is of needs to know.
func (f *Filling) Forget(ctx context.Context) error {
	_, err := f.tx.exec(ctx, "DELETE FROM installation WHERE name LIKE 'backup-%'")
	return err
}

// mostArguments of a statement that both databases take.
const mostArguments = 30_000

// Insert writes rows with the numbers that they have.
func (f *Filling) Insert(ctx context.Context, table string, columns []Column, rows [][]any) error {
	for most := max(1, mostArguments/len(columns)); len(rows) > 0; {
		some := rows[:min(most, len(rows))]
		rows = rows[len(some):]
		args := make([]any, 0, len(some)*len(columns))
		for _, row := range some {
			args = append(args, row...)
		}
		one := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ")"
		query := "INSERT INTO " + table + " (" + columnNames(columns) + ")"
		if f.tx.db.dialect.name == "postgres" {
			query += " OVERRIDING SYSTEM VALUE"
		}
		query += " VALUES " + strings.TrimSuffix(strings.Repeat(one+", ", len(some)), ", ")
		if _, err := f.tx.exec(ctx, query, args...); err != nil {
			return fmt.Errorf("writing the table %s: %w", table, err)
		}
	}
	return nil
}

// GoOnAfter lets the database give numbers after the last that it gave.
func (f *Filling) GoOnAfter(ctx context.Context, table string, last int64) error {
	if last == 0 {
		return nil
	}
	if f.tx.db.dialect.name == "postgres" {
		var has *string
		if err := f.tx.get(ctx, &has, "SELECT pg_get_serial_sequence(?, 'id')", table); err != nil || has == nil {
			return err
		}
		_, err := f.tx.exec(ctx, "SELECT setval(pg_get_serial_sequence(?, 'id')::regclass, ?)", table, last)
		return err
	}
	n, err := f.tx.exec(ctx, "UPDATE sqlite_sequence SET seq = MAX(seq, ?) WHERE name = ?", last, table)
	if err == nil && n == 0 {
		_, err = f.tx.exec(ctx, "INSERT INTO sqlite_sequence (name, seq) SELECT name, ? FROM sqlite_master WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'", last, table)
	}
	return err
}

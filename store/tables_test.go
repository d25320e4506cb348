package store

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/store/storetest"
)

// firstExpanding is the first migration that the rule of expanding holds for.
const firstExpanding = 40

// bothTables runs a test on an empty database of each kind.
func bothTables(t *testing.T, test func(t *testing.T, tables *Tables)) {
	open := func(t *testing.T, address string) *Tables {
		tables := ok[*Tables](t)(OpenTables(t.Context(), Config{Database: address, Key: testKey, Vector: testVector, Unsynced: true}))
		t.Cleanup(func() { _ = tables.Close() })
		return tables
	}
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, "sqlite:"+filepath.Join(t.TempDir(), "quire.db")))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, storetest.Postgres(t).Database(t)))
	})
}

// shape is what programs rely on: columns, and what keeps rows out.
type shape struct {
	columns map[string][]Column
	bounds  map[string][]string // by table
}

func (t *Tables) shape(test *testing.T) shape {
	s := shape{columns: ok[map[string][]Column](test)(t.Columns(test.Context())), bounds: map[string][]string{}}
	query := `SELECT m.name AS tab, (SELECT group_concat(c.name, ',') FROM pragma_index_info(i.name) c) AS bound
		FROM sqlite_master m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i."unique"`
	if t.db.dialect.name == "postgres" {
		query = `SELECT conrelid::regclass::text AS tab, pg_get_constraintdef(oid) AS bound FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND conrelid <> 0
			UNION ALL SELECT tablename, regexp_replace(indexdef, 'INDEX \S+ ON', 'INDEX ON') FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE 'CREATE UNIQUE%'`
	}
	var rows []struct {
		Table string `db:"tab"`
		Bound string `db:"bound"`
	}
	if err := t.db.list(test.Context(), &rows, query); err != nil {
		test.Fatal(err)
	}
	for _, r := range rows {
		s.bounds[r.Table] = append(s.bounds[r.Table], r.Bound)
	}
	return s
}

var columnList = regexp.MustCompile(`\(([^()]+)\)`)

// contractions are what a program of the version before would stumble over.
func contractions(before, after shape) (all []string) {
	for table, columns := range before.columns {
		now, there := after.columns[table]
		if !there {
			all = append(all, "the table "+table+" is gone")
			continue
		}
		for _, c := range columns {
			at := slices.IndexFunc(now, func(n Column) bool { return n.Name == c.Name })
			switch {
			case at < 0:
				all = append(all, fmt.Sprintf("the column %s.%s is gone", table, c.Name))
			case now[at].Kind != c.Kind:
				all = append(all, fmt.Sprintf("the column %s.%s holds %s and not %s", table, c.Name, now[at].Kind, c.Kind))
			case now[at].Required && !c.Required:
				all = append(all, fmt.Sprintf("the column %s.%s is required", table, c.Name))
			}
		}
		for _, n := range now {
			if n.Required && !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == n.Name }) {
				all = append(all, fmt.Sprintf("the new column %s.%s is required", table, n.Name))
			}
		}
		for _, bound := range after.bounds[table] {
			if slices.Contains(before.bounds[table], bound) {
				continue
			}
			// What holds for new columns only does not concern who knows none of them.
			old := columnList.FindStringSubmatch("(" + bound + ")")
			if m := columnList.FindStringSubmatch(bound); m != nil {
				old = m
			}
			news := 0
			names := strings.Split(old[1], ",")
			for _, name := range names {
				if !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == strings.TrimSpace(name) }) {
					news++
				}
			}
			if news == 0 || !strings.HasPrefix(bound, "FOREIGN") && news < len(names) && !nullable(now, names) {
				all = append(all, fmt.Sprintf("rows of %s are bound by %s", table, bound))
			}
		}
	}
	slices.Sort(all)
	return all
}

// nullable tells whether one of the columns may be empty: then a unique index
// lets every row be that leaves it out.
func nullable(columns []Column, names []string) bool {
	return slices.ContainsFunc(columns, func(c Column) bool {
		return !c.Required && slices.ContainsFunc(names, func(n string) bool { return strings.TrimSpace(n) == c.Name })
	})
}

// The version before goes on working while a new one is put in place: each
// migration only adds, or says since when nothing needs what it takes away.
func TestMigrationsOnlyExpand(t *testing.T) {
	t.Parallel()
	bothTables(t, func(t *testing.T, tables *Tables) {
		all, _, err := tables.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var before shape
		for _, m := range all {
			if err := tables.MigrateTo(t.Context(), m.Version); err != nil {
				t.Fatal(err)
			}
			after := tables.shape(t)
			found := contractions(before, after)
			up, _, err := tables.db.migrationText(m.Name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(up, "DELETE FROM") {
				found = append(found, "rows are deleted")
			}
			if m.Version >= firstExpanding && len(found) > 0 && m.Contracts == 0 {
				t.Errorf("%s takes away what the version before needs: %s; leave it until a version later and then say so by a line\n-- contracts: {the first version of the tables that does without} ({which version stopped using it})", m.Name, strings.Join(found, ", "))
			}
			if m.Contracts >= m.Version {
				t.Errorf("%s contracts what its own version stopped using; the one before needs it until every process is replaced", m.Name)
			}
			before = after
		}
	})
}

func TestContractionsAreFound(t *testing.T) {
	t.Parallel()
	cases := []struct{ change, want string }{
		{"CREATE TABLE b (a_id INTEGER NOT NULL REFERENCES a (id))", ""},
		{"ALTER TABLE a ADD COLUMN n INTEGER NOT NULL DEFAULT 0", ""},
		{"ALTER TABLE a ADD COLUMN n INTEGER", ""},
		{"ALTER TABLE a ADD COLUMN n INTEGER; CREATE UNIQUE INDEX u ON a (n)", ""},
		{"CREATE INDEX i ON a (name)", ""},
		{"DROP TABLE a", "the table a is gone"},
		{"ALTER TABLE a DROP COLUMN name", "the column a.name is gone"},
		{"ALTER TABLE a RENAME COLUMN name TO title", "the column a.name is gone"},
		{"CREATE UNIQUE INDEX u ON a (name)", "rows of a are bound by"},
		{"DROP TABLE a; CREATE TABLE a (id INTEGER PRIMARY KEY, name BIGINT)", "the column a.name holds int"},
		{"DROP TABLE a; CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", "the column a.name is required"},
		{"DROP TABLE a; CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT, more TEXT NOT NULL)", "the new column a.more is required"},
	}
	bothTables(t, func(t *testing.T, tables *Tables) {
		for _, c := range cases {
			start := "DROP TABLE IF EXISTS b; DROP TABLE IF EXISTS a; CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT)"
			if _, err := tables.db.write.Exec(start); err != nil {
				t.Fatal(err)
			}
			before := tables.shape(t)
			if _, err := tables.db.write.Exec(c.change); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(contractions(before, tables.shape(t)), ", ")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("%s: found %q; want %q", c.change, got, c.want)
			}
		}
	})
}

func TestTablesGoToVersions(t *testing.T) {
	t.Parallel()
	bothTables(t, func(t *testing.T, tables *Tables) {
		ctx := t.Context()
		latest := ok[int64](t)(tables.Latest())
		statements := ok[string](t)(tables.Try(ctx, latest))
		if !strings.Contains(statements, "CREATE TABLE users") {
			t.Errorf("the statements of a try have no table of users: %.80s", statements)
		}
		if columns := ok[map[string][]Column](t)(tables.Columns(ctx)); len(columns) != 0 {
			t.Errorf("after a try there are tables: %v", columns)
		}
		for _, version := range []int64{latest, 35, latest} {
			if err := tables.MigrateTo(ctx, version); err != nil {
				t.Fatal(err)
			}
			all, has, err := tables.State(ctx)
			if err != nil || has != version {
				t.Fatalf("the tables have version %d, want %d: %v", has, version, err)
			}
			for _, m := range all {
				if (m.Applied != nil) != (m.Version <= version) {
					t.Errorf("at version %d migration %s is said to be applied: %v", version, m.Name, m.Applied)
				}
			}
		}
	})
}

// A program of the version before works on tables that only have more, and
// refuses those that lack what it needs.
func TestOlderProgramsOnNewerTables(t *testing.T) {
	t.Parallel()
	bothTables(t, func(t *testing.T, tables *Tables) {
		ctx := context.Background()
		latest := ok[int64](t)(tables.Latest())
		if err := tables.MigrateTo(ctx, latest); err != nil {
			t.Fatal(err)
		}
		if _, err := tables.db.exec(ctx, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, TRUE)", latest+2); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			oldest   int64
			accepted bool
		}{{0, true}, {latest, true}, {latest + 1, false}} {
			if _, err := tables.db.exec(ctx, "UPDATE installation SET value = ? WHERE name = ?", fmt.Sprint(c.oldest), oldestName); err != nil {
				t.Fatal(err)
			}
			err := tables.db.migrate(ctx)
			if (err == nil) != c.accepted {
				t.Errorf("tables that need %d and a program that knows %d: %v", c.oldest, latest, err)
			}
			if err != nil && !strings.Contains(err.Error(), "start that version") {
				t.Errorf("it is not said what to do: %v", err)
			}
		}
	})
}

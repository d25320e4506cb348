package data

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// shopSchema is the same small shop in every database of the tests.
var shopSchema = []string{
	`create table orders (id integer primary key, customer_id integer, customer varchar(100), placed date, total decimal(12,2), note varchar(200))`,
	`insert into orders values (1, 42, 'O''Brien', '2024-02-03', 1234.50, null)`,
	`insert into orders values (2, 42, 'O''Brien', '2024-02-29', 0.10, 'ä; -- x')`,
	`insert into orders values (3, 7, 'Ana', '2024-03-01', 99.95, '''; DROP TABLE orders; --')`,
}

func sqliteShop(t testing.TB) (folder string) {
	t.Helper()
	folder = t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(folder, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range shopSchema {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// connections is a table of connections as Connections.
type connections map[string]*Connection

func (c connections) Connection(_ context.Context, _ int, name string) (*Connection, error) {
	if conn, ok := c[name]; ok {
		return conn, nil
	}
	return nil, report.NotFoundf("there is no connection %q", name)
}

// shopQueries must give the same in every database.
var shopQueries = []struct{ name, query, want string }{
	{"number", "select id, customer from orders where customer_id = :customerId order by id", `[{"id":1,"customer":"O'Brien"},{"id":2,"customer":"O'Brien"}]`},
	{"text", "select id from orders where customer = @name order by id", `[{"id":1},{"id":2}]`},
	{"date", "select id from orders where placed >= {$params.range.from} and placed < {$params.range.to} order by id", `[{"id":1},{"id":2}]`},
	{"list", "select id from orders where id in (:ids) order by id", `[{"id":1},{"id":2},{"id":3}]`},
	{"empty list", "select id from orders where id in (:empty)", `[]`},
	{"null", "select id from orders where note is null order by id", `[{"id":1}]`},
	{"twice", "select id from orders where id = :customerId - 41 or customer_id = :customerId order by id", `[{"id":1},{"id":2}]`},
	{"literals are left alone", "select id, ':name' as a, '{x}' as b from orders where id = 1 -- :name", `[{"id":1,"a":":name","b":"{x}"}]`},
	{"injection finds its text", "select id from orders where note = :tricky", `[{"id":3}]`},
	{"doubled names", "select id, id, customer_id as id from orders where id = 1", `[{"id":1,"id_2":1,"id_3":42}]`},
	{"no rows", "select id from orders where id = -1", `[]`},
}

// checkShop runs what every database must do.
func checkShop(t *testing.T, l *Loader) {
	for _, q := range shopQueries {
		t.Run(q.name, func(t *testing.T) {
			got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": q.query})
			if err != nil {
				t.Fatal(err)
			}
			if got != q.want {
				t.Errorf("got  %s\nwant %s", got, q.want)
			}
		})
	}
	t.Run("injection", func(t *testing.T) { checkInjection(t, l) })
	t.Run("faults", func(t *testing.T) { checkSQLFaults(t, l) })
}

var injections = []string{
	"'; DROP TABLE orders; --", "1; DELETE FROM orders", "' OR '1'='1", "1 OR 1=1", `\'; DROP TABLE orders; --`, `" OR ""="`, "'/**/OR/**/1=1--",
	"1); DROP TABLE orders; --", "$$; DROP TABLE orders; $$", "\x00'; DROP TABLE orders", "%27%20OR%201=1", "0x27204f5220313d31", "'||(select 1)||'", "; shutdown; --",
}

// checkInjection gives hostile values to every kind of parameter: the query
// gives nothing or an error, and the data stays.
func checkInjection(t *testing.T, l *Loader) {
	for _, value := range injections {
		params := report.ObjectOf("v", value, "list", []any{value, value}, "range", report.ObjectOf("from", value, "to", value))
		for _, query := range []string{
			"select id from orders where note = :v and id > 100", "select id from orders where customer = {$params.v} and id > 100",
			"select id from orders where customer in (:list) and id > 100", "select id from orders where customer = {$params.range.from} and id > 100", "select id from orders where customer = @mapped and id > 100",
		} {
			set, err := l.Load(context.Background(), Request{Params: params, Sources: []report.SourceUse{source("x", "sql", map[string]any{
				"connection": "shop", "query": query, "params": []any{map[string]any{"name": "mapped", "value": "x {$params.v}"}},
			})}})
			if err == nil {
				if v, _ := set.Data.Get("x"); len(v.([]any)) != 0 {
					t.Errorf("%s with %q gives rows: %v", query, value, toJSON(t, v))
				}
			}
		}
	}
	checkTypedInjection(t, l)
	got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "select count(*) as n from orders"})
	if err != nil || got != `[{"n":3}]` {
		t.Errorf("after the attempts: %s %v", got, err)
	}
}

// checkTypedInjection gives hostile values to a parameter of each type: they are
// refused, or bound as the values they are.
func checkTypedInjection(t *testing.T, l *Loader) {
	for _, def := range []report.Parameter{
		{Name: "v", Type: report.ParameterText},
		{Name: "v", Type: report.ParameterNumber},
		{Name: "v", Type: report.ParameterDate},
		{Name: "v", Type: report.ParameterMonthRange},
		{Name: "v", Type: report.ParameterSwitch},
		{Name: "v", Type: report.ParameterLookup},
		{Name: "v", Type: report.ParameterLookup, Multiple: true},
		{Name: "v", Type: report.ParameterLookup, Lookup: []report.LookupItem{{Value: "a"}}},
	} {
		for _, value := range injections {
			params, err := l.BindParameters(context.Background(), []report.Parameter{def}, Binding{Given: report.ObjectOf("v", value), Zone: time.UTC, Now: time.Now()})
			if err != nil {
				continue
			}
			if def.Type != report.ParameterText && def.Type != report.ParameterLookup || def.Lookup != nil {
				t.Errorf("a parameter of type %s takes %q", def.Type, value)
			}
			for _, query := range []string{"select id from orders where customer in (:v) and id > 100", "select id from orders where note = {$params.v} and id > 100"} {
				set, err := l.Load(context.Background(), Request{Params: params, Sources: []report.SourceUse{source("x", "sql", map[string]any{"connection": "shop", "query": query})}})
				if err == nil {
					if v, _ := set.Data.Get("x"); len(v.([]any)) != 0 {
						t.Errorf("%s with %q gives rows", query, value)
					}
				}
			}
		}
	}
}

func checkSQLFaults(t *testing.T, l *Loader) {
	tests := map[string]struct {
		settings map[string]any
		want     string
	}{
		"no such connection": {map[string]any{"connection": "nowhere", "query": "select 1"}, `there is no connection "nowhere"`},
		"no connection":      {map[string]any{"query": "select 1"}, "no database connection is named"},
		"inline":             {map[string]any{"database": map[string]any{"type": "sqlite", "address": "x"}, "query": "select 1"}, "make a connection and name it"},
		"wrong type":         {map[string]any{"connection": "web", "query": "select 1"}, "is one of type api"},
		"syntax":             {map[string]any{"connection": "shop", "query": "select id\nfrm orders"}, "the query failed"},
		"several":            {map[string]any{"connection": "shop", "query": "select 1 as a; delete from orders"}, "one statement"},
		"row limit":          {map[string]any{"connection": "shop", "query": "select id from orders", "maxRows": int64(2)}, "more than 2 rows"},
		"unknown parameter":  {map[string]any{"connection": "shop", "query": "select :wibble"}, `unknown parameter ":wibble"`},
		"time zone":          {map[string]any{"connection": "shop", "query": "select 1 as a", "timeZone": "Mars/Olympus"}, "unknown time zone"},
	}
	for name, tt := range tests {
		if _, err := loadOne(t, l, "sql", tt.settings); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `data source "rows"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, statement := range []string{"delete from orders", "update orders set total = 0", "drop table orders", "insert into orders (id) values (9)"} {
		if got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": statement}); err == nil {
			t.Errorf("%s: %s", statement, got)
		}
	}
	got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "select count(*) as n from orders"})
	if err != nil || got != `[{"n":3}]` {
		t.Errorf("after the writes: %s %v", got, err)
	}
}

func TestSQLite(t *testing.T) {
	folder := sqliteShop(t)
	l := loader(t, Config{SQLiteFolders: []string{folder}, Connections: connections{
		"shop": {Type: "sqlite", Address: "shop.db"}, "web": {Type: "api", Address: "https://example.com"},
	}})
	checkShop(t, l)
	got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "select placed, total, note, 1.5 as f, x'00ff' as b, '2024-02-29 10:00:00' as text from orders where id = 1"})
	want := `[{"placed":"2024-02-03T00:00:00+01:00","total":1234.5,"note":null,"f":1.5,"b":"AP8=","text":"2024-02-29 10:00:00"}]`
	if err != nil || got != want {
		t.Errorf("got  %s %v\nwant %s", got, err, want)
	}
}

func TestSQLiteFilesStayInTheirFolders(t *testing.T) {
	folder, outside := sqliteShop(t), sqliteShop(t)
	if err := os.Symlink(filepath.Join(outside, "shop.db"), filepath.Join(folder, "link.db")); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		filepath.Join(outside, "shop.db"), "../" + filepath.Base(outside) + "/shop.db", "link.db", "/etc/passwd", "missing.db", ".", ":memory:", "shop.db?mode=rwc", "file:shop.db?mode=rw", "",
	} {
		l := loader(t, Config{SQLiteFolders: []string{folder}, Connections: connections{"shop": {Type: "sqlite", Address: report.Secret(address)}}})
		if got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "select count(*) as n from orders"}); err == nil {
			t.Errorf("%s: %s", address, got)
		}
	}
	l := loader(t, Config{Connections: connections{"shop": {Type: "sqlite", Address: "shop.db"}}})
	if _, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "select 1"}); err == nil || !strings.Contains(err.Error(), "cannot be opened here") {
		t.Error(err)
	}
	l = loader(t, Config{SQLiteFolders: []string{folder}, Connections: connections{"shop": {Type: "sqlite", Address: "shop.db"}}})
	for _, query := range []string{"attach database '" + filepath.Join(outside, "shop.db") + "' as o", "vacuum into '" + filepath.Join(folder, "copy.db") + "'", "pragma query_only=0"} {
		_, _ = loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": query})
		if _, err := os.Stat(filepath.Join(folder, "copy.db")); err == nil {
			t.Errorf("%s wrote a file", query)
		}
		if got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "select * from o.orders"}); err == nil {
			t.Errorf("after %s: %s", query, got)
		}
		if got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "delete from orders"}); err == nil {
			t.Errorf("after %s: %s", query, got)
		}
	}
}

func TestAnInlineDatabaseIsForRunsWithoutAServer(t *testing.T) {
	folder := sqliteShop(t)
	l := loader(t, Config{Inline: true, SQLiteFolders: []string{folder}})
	got, err := loadOne(t, l, "sql", map[string]any{"database": map[string]any{"type": "sqlite", "address": "shop.db"}, "query": "select count(*) as n from orders"})
	if err != nil || got != `[{"n":3}]` {
		t.Error(got, err)
	}
}

func TestALongQueryEnds(t *testing.T) {
	folder := sqliteShop(t)
	l := loader(t, Config{Timeout: 200 * time.Millisecond, SQLiteFolders: []string{folder}, Connections: connections{"shop": {Type: "sqlite", Address: "shop.db"}}})
	start := time.Now()
	_, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"})
	if err == nil || !strings.Contains(err.Error(), "took longer than its limit of 200ms") || time.Since(start) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestDatabaseAddresses(t *testing.T) {
	tests := map[string]string{
		"mysql://ana:pa%2Fss@db.example:3307/shop?tls=true": "ana:pa/ss@tcp(db.example:3307)/shop?tls=true",
		"mariadb://ana@db.example/shop":                     "ana@tcp(db.example:3306)/shop",
		"ana:x@tcp(db:3306)/shop?multiStatements=true":      "ana:x@tcp(db:3306)/shop",
	}
	for address, want := range tests {
		config, err := mysqlConfig(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		config.ParseTime = false
		if got := config.FormatDSN(); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	l := loader(t, Config{Connections: connections{"shop": {Type: "mysql", Address: "user:secret@@@"}, "pg": {Type: "postgres", Address: "postgres://u:secret@%zz/"}}})
	for _, name := range []string{"shop", "pg"} {
		_, err := loadOne(t, l, "sql", map[string]any{"connection": name, "query": "select 1"})
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "address") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

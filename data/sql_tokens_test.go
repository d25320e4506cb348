package data

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// spell shows the parts of a query: parameters in guillemets.
func spell(parts []sqlPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.param != "":
			b.WriteString("«" + p.param + "»")
		case p.path != "":
			b.WriteString("«" + p.path + "»")
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

func TestParametersAreFoundWhereTheyAre(t *testing.T) {
	known := func(name string) bool { return name == "a" || name == "from" || name == "größe" }
	const pg, my, ms, lite = "postgres", "mysql", "sqlserver", "sqlite"
	tests := []struct{ dialects, query, want string }{
		{"all", "select :a", "select «a»"},
		{"all", "select @a, :a", "select «a», «a»"},
		{"all", "select {$params.range.from}", "select «{$params.range.from}»"},
		{"all", "select 1 where x=:a and y>:from", "select 1 where x=«a» and y>«from»"},
		{"all", "select x = :größe", "select x = «größe»"},
		{"all", "select ':a'", "select ':a'"},
		{"all", "select 'it''s :a', :a", "select 'it''s :a', «a»"},
		{"all", `select ":a"`, `select ":a"`},
		{"all", "select 1 -- :a\n, :a", "select 1 -- :a\n, «a»"},
		{"all", "select /* :a 'x */ :a", "select /* :a 'x */ «a»"},
		{"all", "select 1;", "select 1;"},
		{"all", "select 1 ; \n -- end\n /* really */ ", "select 1 ; \n -- end\n /* really */ "},
		{"all", "select 'x;y', :a;", "select 'x;y', «a»;"},
		{pg, "select :a::date, x::text", "select «a»::date, x::text"},
		{pg, "select arr[1:2], arr[1:a], arr[:a]", "select arr[1:2], arr[1:a], arr[«a»]"},
		{pg, "select $$ :a $$, $x$ :a $$ $x$, :a", "select $$ :a $$, $x$ :a $$ $x$, «a»"},
		{pg, `select E'it\'s :a', :a`, `select E'it\'s :a', «a»`},
		{pg, `select 'back\', :a`, `select 'back\', «a»`},
		{pg, "select /* a /* :a */ :a */ :a", "select /* a /* :a */ :a */ «a»"},
		{pg, "select x @> :a, x ? 'k', x #> '{b}'", "select x @> «a», x ? 'k', x #> '{b}'"},
		{pg, "select a$b, :a", "select a$b, «a»"},
		{pg, "select U&'d\\0061' , :a", "select U&'d\\0061' , «a»"},
		{my, `select 'it\'s :a', :a`, `select 'it\'s :a', «a»`},
		{my, "select `:a`, :a # :a\n", "select `:a`, «a» # :a\n"},
		{my, "select 1--1, :a", "select 1--1, «a»"},
		{my, "select @x := 1, @@version, :a", "select @x := 1, @@version, «a»"},
		{ms, "select [:a]]x], :a, @a, @@rowcount", "select [:a]]x], «a», «a», @@rowcount"},
		{ms, "declare @x int = :a; select @x", "declare @x int = «a»; select @x"},
		{lite, "select [:a], `:a`, :a", "select [:a], `:a`, «a»"},
	}
	for _, tt := range tests {
		for name, d := range dialects {
			if tt.dialects != "all" && tt.dialects != name {
				continue
			}
			parts, err := scanSQL(tt.query, d, known)
			if err != nil {
				t.Errorf("%s: %s: %v", name, tt.query, err)
				continue
			}
			if got := spell(parts); got != tt.want {
				t.Errorf("%s: %s: got %s", name, tt.query, got)
			}
		}
	}
}

func TestQueriesThatCannotBeReadAreRefused(t *testing.T) {
	tests := []struct{ dialect, query, want string }{
		{"postgres", "select 1; drop table x", "line 1: a query is one statement"},
		{"postgres", "select\n :b", `line 2: unknown parameter ":b"`},
		{"postgres", "select 'x", "a quote ' is never closed"},
		{"postgres", "select $a$ x", "$a$ is never closed"},
		{"postgres", "select /* x", "a comment is never closed"},
		{"postgres", "select $1", "write :name"},
		{"postgres", "select '{$params.a}'", "inside quotes"},
		{"postgres", "select {$params.a", "never closed"},
		{"mysql", "select 1; select 2", "one statement"},
		{"mysql", "select /*! 1 */ 2", "comments that MySQL runs"},
		{"sqlite", "select 1; attach 'x' as y", "one statement"},
		{"sqlite", "select [x", "a quote ] is never closed"},
	}
	for _, tt := range tests {
		_, err := scanSQL(tt.query, dialects[tt.dialect], func(n string) bool { return n == "a" })
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.query, err)
		}
	}
}

func TestPlaceholdersOfEachDatabase(t *testing.T) {
	l := NewLoader(Config{})
	env := &Env{Params: testParams(t), Data: &report.Object{}, loader: l, result: &SourceResult{}, Zone: time.UTC}
	query := "select :customerId, :name, :customerId where x in (:ids) and y in (:empty) and z = {$params.range.from}"
	tests := map[string]struct {
		text string
		args int
	}{
		"postgres":  {"select $1, $2, $1 where x in ($3, $4, $5) and y in (NULL) and z = $6", 6},
		"mysql":     {"select ?, ?, ? where x in (?, ?, ?) and y in (NULL) and z = ?", 7},
		"sqlserver": {"select @p1, @p2, @p1 where x in (@p3, @p4, @p5) and y in (NULL) and z = @p6", 6},
		"sqlite":    {"select ?1, ?2, ?1 where x in (?3, ?4, ?5) and y in (NULL) and z = ?6", 6},
	}
	for name, tt := range tests {
		q, err := bindSQL(context.Background(), env, sqlSettings{Query: query}, dialects[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if q.text != tt.text || len(q.args) != tt.args {
			t.Errorf("%s: %s with %d arguments", name, q.text, len(q.args))
		}
	}
	if _, err := bindSQL(context.Background(), env, sqlSettings{Query: "select :range"}, dialects["mysql"]); err == nil || !strings.Contains(err.Error(), "an object cannot be a parameter") {
		t.Error(err)
	}
}

// FuzzSQLTokens checks that no text is lost or made up, whatever the query,
// and, by asking SQLite itself, that what the tokenizer calls a parameter is
// one: the value comes back as it went in.
func FuzzSQLTokens(f *testing.F) {
	for _, q := range []string{
		"select :a", "select ':a', :a", `select "x"":a"`, "select [:a]", "select `:a`", "-- :a\nselect :a", "/* :a */ select :a", "select $$:a$$", "select E'\\':a'",
		"select 1::int", "select a[1:2]", "select @a", "select {$params.a}", "select 1; select 2", "select '", "select x # :a", "select $t$ :a $t$ :a", "select '\\' :a '", "select :a || 'x'",
	} {
		f.Add(q)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	const secret = "v'\"`]; drop table x; --"
	f.Fuzz(func(t *testing.T, query string) {
		for name, d := range dialects {
			parts, err := scanSQL(query, d, func(n string) bool { return n == "a" })
			if err != nil {
				continue
			}
			whole := ""
			for _, p := range parts {
				whole += p.text
			}
			if whole != query {
				t.Fatalf("%s: %q became %q", name, query, whole)
			}
			if name == "sqlite" && len(query) < 200 && !strings.ContainsAny(query, "?$#@") {
				checkWithSQLite(t, db, parts, secret)
			}
		}
	})
}

// checkWithSQLite prepares the query both ways: SQLite must find as many
// parameters as the tokenizer did.
func checkWithSQLite(t *testing.T, db *sql.DB, parts []sqlPart, secret string) {
	t.Helper()
	b := &binder{dialect: dialects["sqlite"], numbers: map[string]string{}}
	for _, p := range parts {
		if p.param == "" {
			b.out.WriteString(p.text)
		} else {
			b.add(p.param, secret)
		}
	}
	if strings.Contains(b.out.String(), secret) {
		t.Fatal("the value is part of the text")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	stmt, err := db.PrepareContext(ctx, "explain "+b.out.String())
	if err != nil {
		return
	}
	defer stmt.Close()
	rows, err := stmt.QueryContext(ctx, b.args...)
	if err != nil && strings.Contains(err.Error(), "missing argument") {
		t.Fatalf("%q: SQLite found a parameter that the tokenizer did not: %v", b.out.String(), err)
	}
	if err == nil {
		rows.Close()
	}
}

package data

import (
	"context"
	"testing"
	"time"

	"github.com/quire-reports/quire/data/steps"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// BenchmarkSteps runs each step over 100,000 rows, beside the same SQL over the
// same rows in SQLite in memory, whose rows are read as values. The issue asks
// for times-sqlite of at least 1.
func BenchmarkSteps(b *testing.B) {
	world := newSQLWorld(b, 42, 100_000)
	engine := scripts(b)
	// Without it right and full joins of SQLite take minutes.
	if _, err := world.db.Exec("CREATE INDEX by_order ON orders (customer); CREATE INDEX by_customer ON customers (customer)"); err != nil {
		b.Fatal(err)
	}
	for _, c := range sameAsSQL {
		b.Run(c.name, func(b *testing.B) {
			v, err := report.ParseValue([]byte(c.steps))
			if err != nil {
				b.Fatal(err)
			}
			list, problems := steps.Parse(v.([]any), "", false)
			if problems != nil {
				b.Fatal(problems)
			}
			env := &Env{Params: report.ObjectOf("least", int64(50), "nothing", nil), Data: report.ObjectOf("orders", world.tables["orders"], "customers", world.tables["customers"]), loader: loader(b, Config{Scripts: engine}), Zone: time.UTC, Locale: text.LocaleFor("en")}
			ctx := context.Background()
			var ours, theirs time.Duration
			for b.Loop() {
				begin := time.Now()
				stepEnv := steps.NewEnv(env.text(ctx), nil)
				stepEnv.Rows = env.rows
				if _, err := steps.Run(ctx, stepEnv, list, world.tables["orders"]); err != nil {
					b.Fatal(err)
				}
				ours += time.Since(begin)
				begin = time.Now()
				readAll(b, world, c.query)
				theirs += time.Since(begin)
			}
			b.ReportMetric(float64(ours.Microseconds())/1000/float64(b.N), "ms")
			b.ReportMetric(float64(theirs)/float64(ours), "times-sqlite")
		})
	}
}

// readAll reads the result of a query as rows of values.
func readAll(b *testing.B, w *sqlWorld, query string) {
	rows, err := w.db.Query(query)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	for rows.Next() {
		values := make([]any, len(columns))
		places := make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			b.Fatal(err)
		}
	}
}

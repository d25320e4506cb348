package htmlgen

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// timelineOf compiles a timeline of rows.
func timelineOf(t *testing.T, rows []any, props map[string]any, change func(*Input)) *Document {
	t.Helper()
	props["source"] = "$data.rows"
	in := testInput(t, []report.Element{{ID: "t", Type: "timeline", Props: props}})
	in.Data = report.ObjectOf("rows", rows)
	if change != nil {
		change(in)
	}
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

var flagOf = regexp.MustCompile(`class="q-tl-entry( q-tl-below)?" style="grid-row:(\d+);margin-inline-start:([\d.]+)%;width:([\d.]+)%"`)

// No two flags of an axis stand in each other's way, no pole goes through a text, and
// all stand within the axis, however the dates lie.
func TestFlagsOfATimelineNeverMeet(t *testing.T) {
	for _, days := range [][]int{{0}, {0, 0, 0}, {0, 1, 2, 3, 4, 5}, {0, 400, 401, 402, 800}, {0, 10, 20, 30, 3000}, {0, 3000, 3001, 3002, 3003}, {0, 100, 200, 300, 400, 500, 600, 700, 800, 900}} {
		var rows []any
		for i, day := range days {
			rows = append(rows, report.ObjectOf("date", time.Date(2020, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), "title", fmt.Sprint("Entry ", i)))
		}
		found := flagOf.FindAllStringSubmatch(string(timelineOf(t, rows, map[string]any{"kind": "horizontal"}, nil).HTML), -1)
		if len(found) != len(days) {
			t.Fatalf("%v: %d flags", days, len(found))
		}
		number := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
		for i, a := range found {
			from, to := number(a[3]), number(a[3])+number(a[4])
			if to > 100.01 || number(a[4]) < 10 {
				t.Errorf("%v: flag %d reaches from %v to %v", days, i, from, to)
			}
			for j, b := range found {
				at := number(b[3])
				nearer := (number(a[2]) > number(b[2])) == (a[1] == "") // a stands between b and the axis, or beside it
				if i != j && a[1] == b[1] && at > from && at < to && (nearer || a[2] == b[2]) {
					t.Errorf("%v: the pole of %d goes through flag %d", days, j, i)
				}
				if i < j && a[1] == b[1] && a[2] == b[2] && at < to {
					t.Errorf("%v: flags %d and %d meet", days, i, j)
				}
			}
		}
	}
}

// A month, a year and a day as the end of a period last until they are over.
func TestPeriodsEndWithTheirLastDay(t *testing.T) {
	d := &drawnTimeline{c: &Context{Env: &text.Env{Zone: time.UTC}, formats: map[string]text.Format{}}, p: &timelineProps{}}
	for value, want := range map[string]string{"2026": "2027-01-01", "2026-02": "2026-03-01", "2026-02-28": "2026-03-01", "2026-02-28T12:00": "2026-02-28"} {
		if end := d.point(value).end.Format(time.DateOnly); end != want {
			t.Errorf("%s ends on %s, want %s", value, end, want)
		}
	}
}

// In workbooks dates are dates.
func TestTimelinesInOfficeAreTables(t *testing.T) {
	rows := []any{report.ObjectOf("date", "2026-03-02", "title", "Start"), report.ObjectOf("date", "2026-04", "title", "Later")}
	for _, kind := range []string{"vertical", "horizontal", "bars"} {
		doc := string(timelineOf(t, rows, map[string]any{"kind": kind}, func(in *Input) { in.Typed = true }).HTML)
		if !strings.Contains(doc, `data-d="2026-03-02T00:00:00"`) || !strings.Contains(doc, "<table") {
			t.Errorf("%s: no table of dates:\n%s", kind, doc)
		}
	}
}

// Dates that are none are named by their rows, and many are counted.
func TestBadDatesAreNamed(t *testing.T) {
	var rows []any
	for i := range 30 {
		rows = append(rows, report.ObjectOf("date", fmt.Sprint("day ", i), "title", "x"))
	}
	doc := timelineOf(t, rows, map[string]any{}, nil)
	var all []string
	for _, w := range doc.Warnings {
		all = append(all, w.Error())
	}
	said := strings.Join(all, "\n")
	if !strings.Contains(said, `row 3: "day 2" in the field "date" is no date`) || !strings.Contains(said, "the dates of 30 entries are missing or wrong; the first 10 are named") || len(all) != 11 {
		t.Errorf("warnings:\n%s", said)
	}
}

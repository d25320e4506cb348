package store

import (
	"time"

	"github.com/google/go-cmp/cmp"
)

// testUsage: what several processes add is one figure a day, and months are sums.
func testUsage(f *fixture) {
	acme, other := f.workspace("acme"), f.workspace("other")
	for range 2 {
		f.must(f.AddUsage(f.ctx(), []Usage{
			{Period: "2026-10-31", WorkspaceID: acme.ID, Documents: 1, Pages: 3, Bytes: 1000},
			{Period: "2026-11-01", WorkspaceID: acme.ID, Documents: 2, Pages: 5, Bytes: 5_000_000_000},
			{Period: "2026-11-02", WorkspaceID: acme.ID, Documents: 1, Pages: 1, Bytes: 10},
			{Period: "2026-11-02", WorkspaceID: other.ID, Documents: 9, Pages: 90, Bytes: 90},
			{Period: "2026-11-02", WorkspaceID: 99999, Documents: 1},
		}))
	}
	day := func(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC) }
	same := func(q UsageQuery, want ...Usage) {
		f.t.Helper()
		if d := cmp.Diff(want, ok[[]Usage](f.t)(f.Usage(f.ctx(), q))); d != "" {
			f.t.Error(d)
		}
	}
	same(UsageQuery{From: day(2), To: day(2)},
		Usage{"2026-11-02", other.ID, other.Name, other.Code, 18, 180, 180}, Usage{"2026-11-02", acme.ID, acme.Name, acme.Code, 2, 2, 20})
	same(UsageQuery{WorkspaceID: acme.ID, From: day(-30), To: day(30), ByMonth: true},
		Usage{"2026-11", acme.ID, acme.Name, acme.Code, 6, 12, 10_000_000_020}, Usage{"2026-10", acme.ID, acme.Name, acme.Code, 2, 6, 2000})
	f.must(f.DeleteWorkspace(f.ctx(), other.ID))
	same(UsageQuery{From: day(2), To: day(2)}, Usage{"2026-11-02", acme.ID, acme.Name, acme.Code, 2, 2, 20})
}

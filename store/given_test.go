package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quire-reports/quire/store/storetest"
)

// What is given as rows and lists arrives as it is on both databases, and the
// statement that PostgreSQL sees does not depend on how much it is.
func TestGivenRows(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]string{"SQLite": migrated.SQLite(t), "PostgreSQL": migrated.Postgres(t, storetest.Postgres(t))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openFixture(t, Config{Database: database}).db
			key := "a key"
			five := 5
			rows := [][]any{{1, EntryReview, &key, (*int)(nil)}, {int64(2) << 40, "it's \"{,}\" \\ NULL", (*string)(nil), &five}, {3, "", nil, nil}}
			types := []string{bigint, plain, plain, bigint}
			v, args, err := d.given(types, rows)
			if err != nil {
				t.Fatal(err)
			}
			type row struct {
				N    int64
				Text string
				Key  *string
				Five *int
			}
			var got []row
			if err := d.list(t.Context(), &got, "SELECT v.column1 AS n, v.column2 AS text, v.column3 AS key, v.column4 AS five FROM "+v+" ORDER BY 1", args...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]row{{1, "review", &key, nil}, {3, "", nil, nil}, {2 << 40, "it's \"{,}\" \\ NULL", nil, &five}}, got); diff != "" {
				t.Error(diff)
			}
			if one, _, _ := d.given(types, rows[:1]); d.arrays != (one == v) {
				t.Errorf("one row: %s; three: %s", one, v)
			}
			if _, _, err := d.given([]string{bigint}, [][]any{{1}, {1.5}}); d.arrays && err == nil {
				t.Error("a value that is none of its column is left out")
			}
			for _, c := range []struct {
				of   []int
				want int
			}{{nil, 0}, {[]int{9}, 0}, {[]int{3, 9, 1}, 2}} {
				these, more := among(&d.dialect, "v.column1", c.of)
				var n int
				if err := d.get(t.Context(), &n, "SELECT COUNT(*) FROM "+v+" WHERE "+these, append(append([]any{}, args...), more...)...); err != nil || n != c.want {
					t.Errorf("among %v: %d, %v; want %d", c.of, n, err, c.want)
				}
			}
		})
	}
}

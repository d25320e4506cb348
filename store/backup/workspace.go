package backup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Placement says how a workspace comes into an installation.
type Placement struct {
	Code       string // of the workspace in the backup
	As         string // its code there; empty: the same
	ActiveJobs bool   // jobs that were switched on stay so
	Keys       []store.Keys
	Scratch    string // a folder for what is needed meanwhile, which is thrown away
	Progress   Progress
}

// Arrival is a workspace that has come into an installation.
type Arrival struct {
	Workspace store.Workspace
	Rows      int
	Contents  int
	Accounts  []string // addresses of the accounts that were made
	Groups    []string // names of the groups that were made
	Off       []string // codes of the jobs that were switched off
	Stopped   int      // runs that were under way
	Missing   []string // contents that the backup does not have
}

// findWorkspace finds the only workspace that is wanted.
func findWorkspace(ctx context.Context, s *store.Snapshot, code string) (*OneWorkspace, error) {
	var found *OneWorkspace
	err := s.Rows(ctx, "workspaces", "code_key = ?", []any{strings.ToLower(code)}, func(row []any) error {
		r := record{s.Columns["workspaces"], row}
		found = &OneWorkspace{r.number("id"), r.text("code"), r.text("name")}
		return nil
	})
	if err == nil && found == nil {
		err = report.NotFoundf("there is no workspace with the code %s", code)
	}
	return found, err
}

// RestoreWorkspace brings one workspace of the backup, which may be of all, into an
// installation that goes on working. All of it comes or nothing.
func (m *Manifest) RestoreWorkspace(ctx context.Context, from *store.Contents, st *store.Store, p Placement) (*Arrival, error) {
	if err := m.checkVersion(st.Tables()); err != nil {
		return nil, err
	}
	// No content goes while its row is on its way.
	release, err := st.HoldContents(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	rows, err := m.unpack(ctx, from, p)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	v := &moving{m: m, from: from, st: st, p: p, numbers: map[string]map[int64]int64{}, keys: map[string]string{}}
	if err := rows.Snapshot(ctx, func(s *store.Snapshot) error { return v.find(ctx, s) }); err != nil {
		return nil, err
	}
	if err := rows.Fill(ctx, func(f *store.Filling) (err error) {
		v.arrival.Stopped, err = f.EndRuns(ctx, v.was, "was under way when the workspace was backed up, and ended with that", m.Taken)
		return err
	}); err != nil {
		return nil, err
	}
	if err := rows.Snapshot(ctx, func(s *store.Snapshot) error { return v.move(ctx, s) }); err != nil {
		v.discard(ctx)
		return nil, err
	}
	return &v.arrival, nil
}

// unpack puts the rows into a database of their own, with the tables of today.
func (m *Manifest) unpack(ctx context.Context, from *store.Contents, p Placement) (*store.Tables, error) {
	nobodys := report.Secret(strings.Repeat("-", 32)) // nothing is sealed there
	t, err := store.OpenTables(ctx, store.Config{
		Database: "sqlite:" + filepath.Join(p.Scratch, "rows.db"), Storage: "file://" + filepath.ToSlash(p.Scratch),
		Key: nobodys, Vector: nobodys[:16], Unsynced: true,
	})
	if err != nil {
		return nil, err
	}
	if err := m.fill(ctx, from, t, p.Progress); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// moving is a workspace on its way from a snapshot into an installation.
type moving struct {
	m       *Manifest
	from    *store.Contents
	st      *store.Store
	p       Placement
	s       *store.Snapshot
	was     int64                      // its number in the backup
	numbers map[string]map[int64]int64 // of rows by table: those that they get
	keys    map[string]string          // of contents: those that they get
	made    map[string]map[int64]bool  // users and groups that are not there yet
	arrival Arrival
}

// find finds the workspace in the backup, and whether its code is free.
func (v *moving) find(ctx context.Context, s *store.Snapshot) error {
	w, err := findWorkspace(ctx, s, v.p.Code)
	if err != nil {
		return fmt.Errorf("the backup %s: %w", v.m.ID, err)
	}
	v.was = w.ID
	v.arrival.Workspace = store.Workspace{Name: w.Name, Code: w.Code}
	if v.p.As != "" {
		v.arrival.Workspace = store.Workspace{Name: w.Name + " (" + v.p.As + ")", Code: v.p.As}
	}
	return v.st.CheckNewWorkspace(ctx, v.arrival.Workspace.Code) // before much is copied
}

func (v *moving) move(ctx context.Context, s *store.Snapshot) error {
	v.s = s
	if err := v.copyContents(ctx); err != nil {
		return err
	}
	return v.st.Bring(ctx, func(b *store.Bringing) error { return v.write(ctx, b) })
}

// rows calls each for the rows of the workspace in a table.
func (v *moving) rows(ctx context.Context, t Table, each func(record) error) error {
	return v.s.Rows(ctx, t.Name, t.Of, t.of(v.was), func(row []any) error { return each(record{v.s.Columns[t.Name], row}) })
}

// table is one that a workspace has rows in.
func table(name string) Table {
	all := Tables()
	return all[slices.IndexFunc(all, func(t Table) bool { return t.Name == name })]
}

// copyContents copies what the rows name, each under a new key, as there may be the
// workspace that the backup is of.
func (v *moving) copyContents(ctx context.Context) error {
	for _, t := range Tables() {
		if t.Content == "" || !t.kept(true) {
			continue
		}
		if err := v.rows(ctx, t, func(r record) error {
			if key := r.text(t.Content); key != "" {
				v.keys[key] = store.NewContentKey(key)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	group, copying := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	var mu sync.Mutex
	lost := maps.Clone(v.keys)
	err := v.m.listed(ctx, v.from, func(one contentCopy) error {
		as := v.keys[one.Key]
		if as == "" {
			return copying.Err()
		}
		group.Go(func() error {
			err := restoreContent(copying, v.from, v.st.Contents(), one, as)
			mu.Lock()
			defer mu.Unlock()
			delete(lost, one.Key)
			v.arrival.Contents++
			v.p.Progress("contents", v.arrival.Contents, len(v.keys))
			return err
		})
		return copying.Err()
	})
	if failed := group.Wait(); failed != nil {
		return failed
	}
	v.arrival.Missing = slices.Sorted(maps.Keys(lost))
	return err
}

// discard removes the contents of what did not come to its end; what cannot be
// removed now is swept as an orphan.
func (v *moving) discard(ctx context.Context) {
	keys := slices.Collect(maps.Values(v.keys))
	_ = v.st.DiscardContents(context.WithoutCancel(ctx), keys)
}

// write writes all rows, with numbers of their own.
func (v *moving) write(ctx context.Context, b *store.Bringing) error {
	if err := v.giveNumbers(ctx, b); err != nil {
		return err
	}
	for i, t := range Tables() {
		if !t.kept(true) {
			continue
		}
		v.p.Progress("rows of "+t.Name, i, len(Tables()))
		if err := v.writeTable(ctx, b, t); err != nil {
			return err
		}
	}
	v.arrival.Workspace.ID = int(v.numbers["workspaces"][v.was])
	return b.Arrived(ctx, v.arrival.Workspace, v.m.Taken, values(v.numbers["users"], v.made["users"]))
}

// values are the new numbers of some.
func values(numbers map[int64]int64, of map[int64]bool) (all []int) {
	for old := range of {
		all = append(all, int(numbers[old]))
	}
	slices.Sort(all)
	return all
}

// giveNumbers finds the groups and people that are there already and reserves
// numbers for all other rows.
func (v *moving) giveNumbers(ctx context.Context, b *store.Bringing) error {
	v.made = map[string]map[int64]bool{"user_groups": {}, "users": {}}
	if err := v.findGroups(ctx, b); err != nil {
		return err
	}
	if err := v.findUsers(ctx, b); err != nil {
		return err
	}
	for _, t := range Tables() {
		if !t.kept(true) || v.s.Columns[t.Name][0].Name != "id" {
			continue
		}
		var old []int64
		if made := v.made[t.Name]; made != nil {
			old = slices.Sorted(maps.Keys(made))
		} else if err := v.rows(ctx, t, func(r record) error {
			old = append(old, r.number("id"))
			return nil
		}); err != nil {
			return err
		}
		slices.Sort(old)
		numbers, err := b.Reserve(ctx, t.Name, len(old))
		if err != nil {
			return err
		}
		if v.numbers[t.Name] == nil {
			v.numbers[t.Name] = make(map[int64]int64, len(old))
		}
		for i, id := range old {
			v.numbers[t.Name][id] = numbers[i]
		}
	}
	return nil
}

// findGroups finds groups by their names; of a provider's there are only those
// that the provider has brought.
func (v *moving) findGroups(ctx context.Context, b *store.Bringing) error {
	known := map[int64]int64{}
	v.numbers["user_groups"] = known
	return v.rows(ctx, table("user_groups"), func(r record) error {
		id, err := b.GroupNamed(ctx, r.text("name_key"))
		if id != 0 {
			known[r.number("id")] = id
		} else {
			v.made["user_groups"][r.number("id")] = true
			v.arrival.Groups = append(v.arrival.Groups, r.text("name"))
		}
		return err
	})
}

// findUsers finds people by their addresses. Those without an account who have
// a role, or may see a report, get one; those who only wrote something do not.
func (v *moving) findUsers(ctx context.Context, b *store.Bringing) error {
	at := map[int64]bool{}
	for _, name := range []string{"members", "report_access", "group_members"} {
		if err := v.rows(ctx, table(name), func(r record) error {
			if id := r.number("user_id"); id != 0 && (name != "group_members" || v.made["user_groups"][r.number("group_id")]) {
				at[id] = true
			}
			return nil
		}); err != nil {
			return err
		}
	}
	known := map[int64]int64{}
	v.numbers["users"] = known
	return v.rows(ctx, table("users"), func(r record) error {
		id := r.number("id")
		if r.number("service_of") == v.was { // a program's, also one that has ended
			v.made["users"][id] = true
			return nil
		}
		if r.number("service_of") != 0 {
			return nil
		}
		there, err := b.AccountOf(ctx, r.text("email_key"))
		switch {
		case there != 0:
			known[id] = there
		case at[id]:
			v.made["users"][id] = true
			v.arrival.Accounts = append(v.arrival.Accounts, r.text("email"))
		}
		return err
	})
}

func (v *moving) writeTable(ctx context.Context, b *store.Bringing, t Table) error {
	var rows [][]any
	size := 0
	flush := func() error {
		err := b.Insert(ctx, t.Name, v.s.Columns[t.Name], rows)
		rows, size = rows[:0], 0
		return err
	}
	if err := v.rows(ctx, t, func(r record) error {
		comes, err := v.change(b, t, r)
		if err != nil || !comes {
			return err
		}
		v.arrival.Rows++
		rows = append(rows, r.row)
		size += r.size()
		if len(rows) >= batchRows || size >= batchBytes {
			return flush()
		}
		return nil
	}); err != nil {
		return err
	}
	return flush()
}

// change makes a row what it is where the workspace comes, and tells whether it
// comes at all.
func (v *moving) change(b *store.Bringing, t Table, r record) (comes bool, err error) {
	if made := v.made[t.Name]; made != nil && !made[r.number("id")] || t.Name == "group_members" && !v.made["user_groups"][r.number("group_id")] {
		return false, nil
	}
	if own := changes[t.Name]; own != nil { // before numbers change: secrets are sealed for them
		if err := own(v, b, r); err != nil {
			return false, err
		}
	}
	for i, c := range r.columns {
		of := t.Refers[c.Name]
		switch {
		case c.Name == "id" && v.numbers[t.Name] != nil:
			r.row[i] = v.numbers[t.Name][r.row[i].(int64)]
		case of != "" && r.row[i] != nil:
			number, known := v.numbers[of][r.row[i].(int64)]
			if !known && c.Name == t.Needs {
				return false, nil
			}
			if r.row[i] = number; !known {
				r.row[i] = nil
			}
		case c.Name == t.Content && r.row[i] != nil:
			r.row[i] = v.keys[r.row[i].(string)]
		}
	}
	return true, nil
}

// changes are what else becomes of rows, by table.
var changes = map[string]func(*moving, *store.Bringing, record) error{
	"workspaces": func(v *moving, _ *store.Bringing, r record) error {
		r.set("code", v.arrival.Workspace.Code)
		r.set("code_key", strings.ToLower(v.arrival.Workspace.Code))
		r.set("name", v.arrival.Workspace.Name)
		return nil
	},
	"users": func(v *moving, _ *store.Bringing, r record) error {
		withoutSecrets(r, v.was)
		if r.number("service_of") != 0 {
			r.set("email_key", store.ServiceKey(int(v.numbers["workspaces"][v.was]), int(v.numbers["users"][r.number("id")]), r.text("display_name"), r.number("deleted_at") != 0))
		}
		return nil
	},
	"user_groups": func(_ *moving, _ *store.Bringing, r record) error {
		r.set("source", "")
		r.set("external_id", "")
		return nil
	},
	"connections": func(v *moving, b *store.Bringing, r record) error {
		for _, part := range []string{"address", "headers"} {
			sealed, err := b.SealConnection(int(v.was), int(v.numbers["workspaces"][v.was]), r.text("name"), part, r.text(part), v.p.Keys)
			if err != nil {
				return fmt.Errorf("the connection %s: %w", r.text("name"), err)
			}
			r.set(part, sealed)
		}
		return nil
	},
	"resources": func(v *moving, _ *store.Bringing, r record) error {
		if !strings.HasSuffix(r.text("kind"), "job") {
			return nil
		}
		document, off, err := store.CarryJob(r.text("document"), v.numbers["reports"], v.numbers["resources"], v.p.ActiveJobs)
		if off && r.text("kind") == "job" {
			v.arrival.Off = append(v.arrival.Off, r.text("key"))
		}
		r.set("document", document)
		return err
	},
	"job_runs":            carryRun,
	"job_run_definitions": carryRun,
}

// carryRun lets what a run is made from name what it did.
func carryRun(v *moving, _ *store.Bringing, r record) error {
	document, _, err := store.CarryJob(r.text("document"), v.numbers["reports"], v.numbers["resources"], true)
	r.set("document", document)
	return err
}

// withoutSecrets takes from an account what is for no other installation. Of a
// program of another workspace only the name stays.
func withoutSecrets(r record, workspace int64) {
	r.set("password_hash", nil)
	r.set("is_root", false)
	r.set("picture", "")
	if of := r.number("service_of"); of != 0 && of != workspace {
		r.set("service_of", nil)
		r.set("email_key", fmt.Sprintf("elsewhere %d", r.number("id")))
	}
}

// record is a row with the names of its columns.
type record struct {
	columns []store.Column
	row     []any
}

func (r record) at(name string) int {
	return slices.IndexFunc(r.columns, func(c store.Column) bool { return c.Name == name })
}

func (r record) set(name string, value any) { r.row[r.at(name)] = value }

// number is 0 for none.
func (r record) number(name string) int64 {
	n, _ := r.row[r.at(name)].(int64)
	return n
}

// text is empty for none.
func (r record) text(name string) string {
	text, _ := r.row[r.at(name)].(string)
	return text
}

func (r record) size() (n int) {
	for _, value := range r.row {
		switch value := value.(type) {
		case string:
			n += len(value)
		case []byte:
			n += len(value)
		}
	}
	return n
}

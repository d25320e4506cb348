package backup

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

// row puts one into a table, with anything in the columns that need something and
// that nothing is said of, and gives its number.
func row(t *testing.T, st *store.Store, table string, values map[string]any) (id int64) {
	t.Helper()
	all := ok[map[string][]store.Column](t)(st.Tables().Columns(t.Context()))[table]
	must(t, st.Bring(t.Context(), func(b *store.Bringing) error {
		if _, given := values["id"]; !given && all[0].Name == "id" {
			numbers, err := b.Reserve(t.Context(), table, 1)
			if err != nil {
				return err
			}
			values["id"] = numbers[0]
		}
		anything := map[store.ColumnKind]any{store.KindInt: int64(1), store.KindBool: false, store.KindText: "x", store.KindBytes: []byte{1}}
		var columns []store.Column
		var one []any
		for _, c := range all {
			value, given := values[c.Name]
			if !given && c.Required {
				value, given = anything[c.Kind], true
			}
			if given {
				columns, one = append(columns, c), append(one, value)
			}
		}
		return b.Insert(t.Context(), table, columns, [][]any{one})
	}))
	id, _ = values["id"].(int64)
	return id
}

func content(t *testing.T, st *store.Store, folder, text string) string {
	key := store.NewContentKey(folder)
	_ = ok[int64](t)(st.Contents().Put(t.Context(), key, "text/plain", strings.NewReader(text)))
	return key
}

// person is an account with an address; Carla has a password.
func person(t *testing.T, st *store.Store, name string) int64 {
	n := store.NewUser{Email: name + "@example.com", DisplayName: name}
	if strings.HasPrefix(name, "carla") {
		n.Password = "Correct-horse-7"
	}
	u := ok[*store.User](t)(st.CreateUser(t.Context(), n))
	return int64(u.ID)
}

// lively is a workspace with rows in every table that a workspace has rows in. Ben
// has only written something, Carla is there by a group, Dora by an access rule.
func lively(t *testing.T, st *store.Store, code string) (id int64) {
	w := ok[*store.Workspace](t)(st.CreateWorkspace(t.Context(), store.NewWorkspace{Name: "The " + code, Code: code, Defaults: true}))
	id = int64(w.ID)
	var role int64
	must(t, st.Tables().Snapshot(t.Context(), func(s *store.Snapshot) error {
		return s.Rows(t.Context(), "roles", "workspace_id = ?", []any{id}, func(row []any) error {
			role = record{s.Columns["roles"], row}.number("id")
			return nil
		})
	}))
	ana, ben, carla, dora := person(t, st, "ana-"+code), person(t, st, "ben-"+code), person(t, st, "carla-"+code), person(t, st, "dora-"+code)
	row(t, st, "members", map[string]any{"workspace_id": id, "user_id": ana, "role_id": role})
	robot := row(t, st, "users", map[string]any{"email": "robot (service account)", "email_key": store.ServiceKey(w.ID, 0, "robot", false), "display_name": "robot", "service_of": id})
	row(t, st, "members", map[string]any{"workspace_id": id, "user_id": robot, "role_id": role})
	group := row(t, st, "user_groups", map[string]any{"name": "Sales " + code, "name_key": "sales " + code, "source": "corp", "external_id": "7"})
	row(t, st, "group_members", map[string]any{"group_id": group, "user_id": carla})
	row(t, st, "group_roles", map[string]any{"workspace_id": id, "group_id": group, "role_id": role})
	kind := row(t, st, "report_types", map[string]any{"workspace_id": id, "code": "invoice", "code_key": "invoice"})
	made := row(t, st, "reports", map[string]any{"workspace_id": id, "type_id": kind, "owner_id": ana, "code": "i", "code_key": "i", "name": "secret of " + code, "document": "{}", "preview_key": content(t, st, "previews", "picture")})
	row(t, st, "reports", map[string]any{"workspace_id": id, "type_id": kind, "code": "j", "code_key": "j", "document": "{}", "default_of": kind})
	row(t, st, "report_types", map[string]any{"workspace_id": id, "code": "offer", "code_key": "offer", "default_report_id": made})
	row(t, st, "report_versions", map[string]any{"report_id": made, "user_id": ben})
	row(t, st, "report_access", map[string]any{"report_id": made, "user_id": dora, "level": int64(2)})
	thread := row(t, st, "report_threads", map[string]any{"report_id": made, "resolved_by": ana})
	comment := row(t, st, "report_comments", map[string]any{"thread_id": thread, "user_id": ben, "text": "@ana look"})
	row(t, st, "report_mentions", map[string]any{"comment_id": comment, "user_id": ana})
	row(t, st, "report_mentions", map[string]any{"comment_id": comment, "user_id": ben})
	must(t, st.PutConnection(t.Context(), w.ID, store.Connection{Name: "shop", Type: "postgres", Address: report.Secret("postgres://" + code)}))
	_ = ok[*store.FileRow](t)(st.PutFile(t.Context(), w.ID, "logo.svg", "text/plain", strings.NewReader("logo of "+code)))
	document := fmt.Sprintf(`{"active":true,"code":"monthly","name":"Monthly","reports":[{"params":{"a":1},"report":"%d"},{"report":"invoice"}]}`, made)
	job := row(t, st, "resources", map[string]any{"workspace_id": id, "kind": "job", "key": "monthly", "document": document})
	for i, of := range []struct{ state, delivery string }{{"completed", "delivered"}, {"rendering", "waiting"}, {"review", "waiting"}, {"delivering", "sending"}} {
		values := map[string]any{"workspace_id": id, "job_id": job, "user_id": ana, "state": "started", "document": document, "data_key": content(t, st, "runs", "data"), "planned_at": int64(i)}
		if of.state == "completed" {
			values["ended_at"] = int64(5)
		}
		run := row(t, st, "job_runs", values)
		row(t, st, "job_run_definitions", map[string]any{"run_id": run, "number": int64(1), "document": document})
		entry := row(t, st, "job_entries", map[string]any{"run_id": run, "position": int64(1), "state": of.state})
		row(t, st, "job_documents", map[string]any{"entry_id": entry, "position": int64(1), "content_key": content(t, st, "documents", "a document")})
		row(t, st, "job_deliveries", map[string]any{"entry_id": entry, "position": int64(1), "state": of.delivery})
		row(t, st, "job_run_deliveries", map[string]any{"run_id": run, "position": int64(1), "state": "waiting"})
	}
	row(t, st, "workspace_usage", map[string]any{"workspace_id": id, "day": "2026-11-01", "documents": int64(7)})
	return id
}

// meaning is what a workspace has, by table, whatever its numbers are: of each row the
// place among those of its table, and of people the address. Known are the people who
// are there.
func meaning(t *testing.T, st *store.Store, id int64, known func(address string) bool) map[string][]string {
	all := map[string][]string{}
	must(t, st.Tables().Snapshot(t.Context(), func(s *store.Snapshot) error {
		names := map[string]map[int64]string{}
		each := func(table Table, do func(r record) error) {
			must(t, s.Rows(t.Context(), table.Name, table.Of+orderOf(s, table), table.of(id), func(row []any) error { return do(record{s.Columns[table.Name], row}) }))
		}
		for _, table := range Tables() {
			if !table.kept(true) || s.Columns[table.Name][0].Name != "id" {
				continue
			}
			names[table.Name] = map[int64]string{}
			each(table, func(r record) error {
				name := fmt.Sprint("#", len(names[table.Name]))
				switch table.Name {
				case "users":
					if name = r.text("email"); !known(name) {
						return nil
					}
				case "user_groups":
					name = r.text("name")
				}
				names[table.Name][r.number("id")] = name
				return nil
			})
		}
		reference := regexp.MustCompile(`"report":"(\d+)"`)
		for _, table := range Tables() {
			if !table.kept(true) || table.Name == "workspaces" {
				continue
			}
			each(table, func(r record) error {
				if table.Name == "users" && !known(r.text("email")) || table.Needs != "" && names["users"][r.number(table.Needs)] == "" {
					return nil
				}
				var parts []string
				for i, c := range r.columns {
					value := r.row[i]
					switch {
					case c.Name == "id":
						value = names[table.Name][value.(int64)]
					case table.Refers[c.Name] != "" && value != nil:
						value = names[table.Refers[c.Name]][value.(int64)]
					case c.Name == table.Content && value != nil:
						content := ok[*store.Content](t)(st.Contents().Open(t.Context(), value.(string)))
						value = string(ok[[]byte](t)(io.ReadAll(content)))
						must(t, content.Close())
					case table.Name == "connections" && (c.Name == "address" || c.Name == "headers"), table.Name == "users" && c.Name != "email" && c.Name != "display_name", table.Name == "user_groups":
						continue
					case c.Name == "document":
						value = reference.ReplaceAllStringFunc(value.(string), func(ref string) string {
							var id int64
							_, _ = fmt.Sscanf(ref, `"report":"%d"`, &id)
							return names["reports"][id]
						})
					}
					if text, is := value.(string); value == nil || is && text == "" {
						value = nil // nobody
					}
					parts = append(parts, fmt.Sprintf("%s=%v", c.Name, value))
				}
				slices.Sort(parts)
				all[table.Name] = append(all[table.Name], strings.Join(parts, " "))
				return nil
			})
			slices.Sort(all[table.Name])
		}
		return nil
	}))
	return all
}

func orderOf(s *store.Snapshot, table Table) string {
	if s.Columns[table.Name][0].Name == "id" {
		return " ORDER BY id"
	}
	return ""
}

// A workspace comes into an installation of either kind that has others, from a
// backup of it alone or of all, with everything, and changes nothing of these.
func TestAWorkspaceComesBesideOthers(t *testing.T) {
	postgres := storetest.Postgres(t)
	for _, c := range []struct {
		name     string
		from, to func() string
		whole    bool
	}{
		{"SQLite to PostgreSQL", func() string { return "" }, func() string { return postgres.Database(t) }, false},
		{"PostgreSQL to SQLite", func() string { return postgres.Database(t) }, func() string { return "" }, false},
		{"a backup of all", func() string { return "" }, func() string { return "" }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := t.Context()
			source := used(t, place(t, c.from()))
			lively(t, source, "beta")
			was := lively(t, source, "alpha")
			target := used(t, place(t, c.to()))
			lively(t, target, "gamma")
			ana := person(t, target, "ana-alpha")
			before := dump(t, target)

			at, options := folder(t, t.TempDir()), Options{Progress: quiet}
			if !c.whole {
				options.Workspace = "Alpha"
			}
			m := ok[*Manifest](t)(Write(ctx, source, at, options))
			arrival := ok[*Arrival](t)(m.RestoreWorkspace(ctx, at, target, Placement{Code: "alpha", ActiveJobs: true, Scratch: t.TempDir(), Progress: quiet}))
			if want := []string{"carla-alpha@example.com", "dora-alpha@example.com"}; !slices.Equal(slices.Sorted(slices.Values(arrival.Accounts)), want) || !slices.Equal(arrival.Groups, []string{"Sales alpha"}) || arrival.Stopped != 3 || arrival.Contents != 10 || len(arrival.Missing) != 0 {
				t.Errorf("%+v", arrival)
			}

			must(t, source.Bring(ctx, func(b *store.Bringing) error { // as the arrival is
				_, err := b.EndRuns(ctx, was, "was under way when the workspace was backed up, and ended with that", m.Taken)
				return err
			}))
			known := func(address string) bool { return !strings.HasPrefix(address, "ben-") }
			want, got := meaning(t, source, was, known), meaning(t, target, int64(arrival.Workspace.ID), known)
			for _, table := range Tables() {
				if !slices.Equal(want[table.Name], got[table.Name]) {
					t.Errorf("%s: got\n%s\nwant\n%s", table.Name, strings.Join(got[table.Name], "\n"), strings.Join(want[table.Name], "\n"))
				}
				if table.kept(true) && table.Name != "workspaces" && len(got[table.Name]) == 0 {
					t.Errorf("%s: has no row here: give it one in lively()", table.Name)
				}
			}
			if shop := ok[*store.Connection](t)(target.Connection(ctx, arrival.Workspace.ID, "shop")); shop.Address != "postgres://alpha" {
				t.Error("the secret is another")
			}
			if counts := ok[store.Counts](t)(target.RunCounts(ctx, lastRun(t, target, arrival.Workspace.ID))); fmt.Sprint(counts) != "map[error:1]" {
				t.Errorf("the last run counts %v", counts)
			}

			after := dump(t, target)
			for table, rows := range before {
				for _, r := range rows {
					if !slices.Contains(after[table], r) {
						t.Errorf("%s: another row is changed or gone: %s", table, r)
					}
				}
			}
			if events := strings.Join(after["audit_events"], "\n"); !strings.Contains(events, "workspace.restored") || strings.Count(events, `action="user.created"`) != strings.Count(strings.Join(before["audit_events"], "\n"), `action="user.created"`)+3 {
				t.Errorf("what is recorded: %s", events)
			}
			for _, r := range after["users"] {
				if strings.Contains(r, "-alpha@") && !strings.Contains(r, fmt.Sprintf("id=%d ", ana)) && (!strings.Contains(r, "password_hash=interface {}(nil)") && !strings.Contains(r, "password_hash=<nil>") || !strings.Contains(r, "is_root=false")) {
					t.Errorf("an account came with rights of its own: %s", r)
				}
			}

			_, err := m.RestoreWorkspace(ctx, at, target, Placement{Code: "alpha", Scratch: t.TempDir(), Progress: quiet})
			if err == nil || !strings.Contains(err.Error(), "alpha already") {
				t.Errorf("a code that is taken: %v", err)
			}
			again := ok[*Arrival](t)(m.RestoreWorkspace(ctx, at, target, Placement{Code: "alpha", As: "alpha-2", Scratch: t.TempDir(), Progress: quiet}))
			if again.Workspace.Code != "alpha-2" || again.Workspace.Name != "The alpha (alpha-2)" || len(again.Accounts)+len(again.Groups) != 0 || !slices.Equal(again.Off, []string{"monthly"}) {
				t.Errorf("a second time: %+v", again)
			}
			_, job, err := target.Job(ctx, again.Workspace.ID, "monthly")
			if err != nil || job.Active {
				t.Errorf("the job is on: %v", err)
			}
		})
	}
}

func lastRun(t *testing.T, st *store.Store, workspace int) (id int) {
	must(t, st.Tables().Snapshot(t.Context(), func(s *store.Snapshot) error {
		return s.Rows(t.Context(), "job_runs", "workspace_id = ? ORDER BY id", []any{workspace}, func(row []any) error {
			id = int(record{s.Columns["job_runs"], row}.number("id"))
			return nil
		})
	}))
	return id
}

// The backup of a workspace tells nothing of others, and has nothing to sign in with.
func TestTheBackupOfAWorkspaceIsOfThatAlone(t *testing.T) {
	ctx := t.Context()
	st, dir := used(t, place(t, "")), t.TempDir()
	lively(t, st, "beta")
	lively(t, st, "alpha")
	at := folder(t, dir)
	m := ok[*Manifest](t)(Write(ctx, st, at, Options{Workspace: "alpha", Progress: quiet}))
	for _, table := range Tables() {
		if !table.kept(true) {
			continue
		}
		f := ok[*os.File](t)(os.Open(filepath.Join(dir, filepath.FromSlash(m.rows(table.Name)))))
		text := string(ok[[]byte](t)(io.ReadAll(ok[*gzip.Reader](t)(gzip.NewReader(f)))))
		must(t, f.Close())
		for _, foreign := range []string{"beta", "Acme", "argon2", "root@example.com"} {
			if strings.Contains(text, foreign) {
				t.Errorf("%s has %q: %s", table.Name, foreign, text)
			}
		}
	}
	if _, err := Write(ctx, st, at, Options{Workspace: "nosuch", Progress: quiet}); err == nil || !strings.Contains(err.Error(), "no workspace with the code nosuch") {
		t.Errorf("a workspace that is not there: %v", err)
	}
}

// Backups of one workspace stand beside those of all, and neither is taken for
// another or pruned with it.
func TestBackupsOfOneAndOfAllShareAPlace(t *testing.T) {
	ctx := t.Context()
	st, at := used(t, place(t, "")), folder(t, t.TempDir())
	lively(t, st, "alpha")
	lively(t, st, "beta")
	one := func(workspace string) *Manifest {
		return ok[*Manifest](t)(Write(ctx, st, at, Options{Workspace: workspace, Keep: 1, Progress: quiet}))
	}
	_ = one("alpha")
	if _, err := Find(ctx, at, "", ""); err == nil || !strings.Contains(err.Error(), "--workspace alpha") {
		t.Errorf("there is none of all: %v", err)
	}
	whole := one("")
	if noted := ok[bool](t)(isNoted(t, st)); !noted {
		t.Error("the backup of all is not noted")
	}
	alpha, beta := one("alpha"), one("beta")
	if alpha.Contents.Copied != 0 || beta.Contents.Copied != 0 {
		t.Errorf("copied what the place had: %+v %+v", alpha.Contents, beta.Contents)
	}
	if all := ok[[]*Manifest](t)(List(ctx, at)); len(all) != 3 {
		t.Errorf("%d are kept; want one of each", len(all))
	}
	for workspace, want := range map[string]string{"": whole.ID, "ALPHA": alpha.ID, "beta": beta.ID, "acme": whole.ID} {
		if m := ok[*Manifest](t)(Find(ctx, at, "", workspace)); m.ID != want {
			t.Errorf("of %q: %s; want %s", workspace, m.ID, want)
		}
	}
	if again := one(""); again.Contents.Copied != 0 {
		t.Errorf("the next of all copied %d", again.Contents.Copied)
	}
	c := place(t, "")
	tables := ok[*store.Tables](t)(store.OpenTables(ctx, c))
	defer tables.Close()
	if err := alpha.Restore(ctx, at, Target{tables, folder(t, t.TempDir())}, quiet); err == nil || !strings.Contains(err.Error(), "--workspace alpha") {
		t.Errorf("one as the whole: %v", err)
	}
}

func isNoted(t *testing.T, st *store.Store) (bool, error) {
	at, err := st.LastBackup(t.Context())
	return !at.IsZero(), err
}

// A new table, or a new column that refers to another, needs a decision what becomes
// of it when one workspace is backed up.
func TestEveryTableIsOfAWorkspaceOrNot(t *testing.T) {
	for _, table := range Tables() {
		if table.LeftOut == "" && (table.Of == "") == (table.NotOfOne == "") {
			t.Errorf("%s: say which rows are of a workspace (Of), or why none are (NotOfOne)", table.Name)
		}
	}
	want := references(t)
	for _, table := range Tables() {
		for column, of := range table.Refers {
			if got := want[table.Name+"."+column]; got != of && column != "default_report_id" && column != "default_of" { // those are no foreign keys
				t.Errorf("%s.%s refers to %q; decided about is %q", table.Name, column, got, of)
			}
			delete(want, table.Name+"."+column)
		}
		for column := range want {
			if name, _, _ := strings.Cut(column, "."); name == table.Name && table.kept(true) {
				t.Errorf("%s refers to rows of %s: say so in Refers", column, want[column])
			}
		}
	}
}

// references are the foreign keys that the migrations make.
func references(t *testing.T) map[string]string {
	all := map[string]string{}
	making := regexp.MustCompile(`^CREATE TABLE (\w+)`)
	column := regexp.MustCompile(`^\s+(\w+)\s.*REFERENCES (\w+)`)
	adding := regexp.MustCompile(`^ALTER TABLE (\w+) ADD COLUMN (\w+) .*REFERENCES (\w+)`)
	for _, file := range ok[[]string](t)(filepath.Glob("../migrations/sqlite/*.sql")) {
		up, _, _ := strings.Cut(string(ok[[]byte](t)(os.ReadFile(file))), "-- +goose Down")
		table := ""
		for line := range strings.Lines(up) {
			if m := making.FindStringSubmatch(line); m != nil {
				table = strings.TrimSuffix(m[1], "_new")
			}
			if m := adding.FindStringSubmatch(line); m != nil {
				all[m[1]+"."+m[2]] = m[3]
			} else if m := column.FindStringSubmatch(line); m != nil && m[1] != "FOREIGN" {
				all[table+"."+m[1]] = m[2]
			}
		}
	}
	if len(all) < 30 {
		t.Fatalf("only %d foreign keys were found", len(all))
	}
	return all
}

package store

import (
	"bytes"
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// actions are the last actions recorded, the oldest first, with target and actor.
func (f *fixture) actions(ctx context.Context, n int) []string {
	f.t.Helper()
	var lines []string
	for _, e := range ok[[]AuditEvent](f.t)(f.AuditEvents(ctx, AuditQuery{Limit: n})) {
		lines = append(lines, strings.TrimSpace(string(e.Action)+" "+e.Target)+" by "+string(e.ActorKind)+" "+e.Actor+" in "+e.Workspace)
	}
	slices.Reverse(lines)
	return lines
}

func testAudit(f *fixture) {
	w := f.workspace("acme")
	by := WithActor(f.ctx(), Actor{Kind: ByToken, UserID: f.root.ID, Name: "root@example.com", TokenID: 7, Address: "192.0.2.1", Request: "req-12345"})
	before := len(f.actions(by, 1000))
	f.must(f.CreateConnection(by, w.ID, Connection{Name: "erp", Type: "postgres", Address: "postgres://erp:canary-1@db/erp"}))
	f.must(f.DeleteConnection(by, w.ID, "erp"))
	role := ok[*Role](f.t)(f.CreateRole(by, w.ID, Role{Name: "Clerk", Levels: map[Category]Level{Reports: Read}}))
	ana := ok[*User](f.t)(f.CreateUser(by, NewUser{Email: "ana@example.com", Password: "canary-22"}))
	f.must(f.SetMember(by, w.ID, ana.ID, role.ID))
	ok[string](f.t)(f.CreateToken(by, ana.ID, NewToken{Name: "nightly"}))
	f.must(f.SetPassword(by, ana.ID, "canary-33"))
	job := f.newJob(w)
	ok[int](f.t)(f.CreateRun(by, NewRun{WorkspaceID: w.ID, JobID: job, UserID: f.root.ID, Document: []byte("{}")}))
	f.Note(by, Event{Action: AuditExportMade, WorkspaceID: w.ID, Target: Target{targetReport, "3", "Invoice"}, Detail: map[string]any{"bytes": 12}})
	got := strings.Join(f.actions(by, 1000)[before:], "\n")
	want := strings.Join([]string{
		"connection.saved erp by token root@example.com in acme",
		"connection.deleted erp by token root@example.com in acme",
		"role.created Clerk by token root@example.com in acme",
		"user.created ana@example.com by token root@example.com in",
		"member.changed ana@example.com by token root@example.com in acme",
		"token.created nightly by token root@example.com in",
		"user.password_set ana@example.com by token root@example.com in",
		"library.created statements by system  in acme",
		"run.started statements by token root@example.com in acme",
		"export.made Invoice by token root@example.com in acme",
	}, "\n")
	if got := regexp.MustCompile(`(?m) +$`).ReplaceAllString(got, ""); got != want {
		f.t.Errorf("recorded:\n%s\nwant:\n%s", got, want)
	}
	events := ok[[]AuditEvent](f.t)(f.AuditEvents(by, AuditQuery{Limit: 1000}))
	all, err := json.Marshal(events)
	f.must(err)
	if i := bytes.Index(all, []byte("canary")); i >= 0 {
		f.t.Errorf("a secret is in the audit log: %s", all[max(0, i-80):i+20])
	}
	last := events[0]
	if last.Address != "192.0.2.1" || last.Request != "req-12345" || last.TokenID == nil || *last.TokenID != 7 || string(last.Detail) != `{"bytes":12}` || !last.Time.Equal(f.clock.Now()) {
		f.t.Errorf("%+v", last)
	}
}

// testAuditQueries finds events by each of the ways.
func testAuditQueries(f *fixture) {
	w := f.workspace("acme")
	ana := WithActor(f.ctx(), Actor{Kind: ByPerson, UserID: 77, Name: "Ana_Ć@example.com", Address: "198.51.100.9"})
	f.clock.Advance(time.Hour)
	began := f.clock.Now()
	for i, e := range []Event{
		{Action: AuditExportMade, WorkspaceID: w.ID, Target: Target{targetReport, "1", "100 %"}},
		{Action: AuditExportDownloaded, Target: Target{targetExport, "2", "Bilanz.pdf"}},
		{Action: AuditSignInFailed, Outcome: Refused},
	} {
		f.Note(ana, e)
		_ = ok[[]AuditEvent](f.t)(f.AuditEvents(ana, AuditQuery{Limit: 1}))
		f.clock.Advance(time.Duration(i+1) * time.Minute)
	}
	for name, c := range map[string]struct {
		query AuditQuery
		want  string
	}{
		"a workspace":          {AuditQuery{WorkspaceID: w.ID, From: began}, "export.made"},
		"a user":               {AuditQuery{UserID: 77}, "session.sign_in_failed export.downloaded export.made"},
		"an action":            {AuditQuery{Action: "export.downloaded"}, "export.downloaded"},
		"a kind of action":     {AuditQuery{Action: "export"}, "export.downloaded export.made"},
		"no part of a word":    {AuditQuery{Action: "exp"}, ""},
		"an outcome":           {AuditQuery{Outcome: Refused}, "session.sign_in_failed"},
		"a time":               {AuditQuery{From: began.Add(time.Minute), To: began.Add(2 * time.Minute)}, "export.downloaded"},
		"a name in other case": {AuditQuery{Search: "bilanz"}, "export.downloaded"},
		"a sign of LIKE":       {AuditQuery{Search: "0 %"}, "export.made"},
		"an underscore":        {AuditQuery{Search: "a_Ć"}, "session.sign_in_failed export.downloaded export.made"},
		"an address":           {AuditQuery{Search: "51.100"}, "session.sign_in_failed export.downloaded export.made"},
	} {
		c.query.Limit = 10
		var got []string
		for _, e := range ok[[]AuditEvent](f.t)(f.AuditEvents(f.ctx(), c.query)) {
			got = append(got, string(e.Action))
		}
		if strings.Join(got, " ") != c.want {
			f.t.Errorf("%s: %v; want %s", name, got, c.want)
		}
	}
	newest := ok[[]AuditEvent](f.t)(f.AuditEvents(f.ctx(), AuditQuery{Limit: 1}))
	older := ok[[]AuditEvent](f.t)(f.AuditEvents(f.ctx(), AuditQuery{Limit: 1, Before: newest[0].ID}))
	if older[0].Action != AuditExportDownloaded {
		f.t.Errorf("before the newest: %s", older[0].Action)
	}
}

// testAuditIsSwept keeps events for as long as the settings say.
func testAuditIsSwept(f *fixture) {
	f.workspace("acme")
	f.clock.Advance(366 * 24 * time.Hour)
	f.workspace("later")
	ok[Swept](f.t)(f.Sweep(f.ctx()))
	if got := f.actions(f.ctx(), 10); len(got) != 1 || !strings.HasPrefix(got[0], "workspace.created later") {
		f.t.Errorf("%q", got)
	}
}

// TestASittingIsOneEvent records what one person saves again and again once.
func TestASittingIsOneEvent(t *testing.T) {
	f := sqliteFixture(t)
	w := f.sample()
	made := ok[*ReportDefinition](t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Sitting", Owner: f.root.ID}))
	saves := func() int {
		return len(ok[[]AuditEvent](t)(f.AuditEvents(f.ctx(), AuditQuery{Action: string(AuditReportSaved), Limit: 10})))
	}
	def := *made.Report
	for i, c := range []struct {
		by   int
		wait time.Duration
		want int
	}{{1, 0, 1}, {1, time.Second, 1}, {2, 0, 2}, {1, 3 * time.Minute, 3}} {
		f.clock.Advance(c.wait)
		ctx := WithActor(f.ctx(), Actor{Kind: ByPerson, UserID: c.by})
		ok[int](t)(f.SaveReport(ctx, w.ID, made.ID, i+1, f.root.ID, &def))
		if got := saves(); got != c.want {
			t.Errorf("after %d saves: %d events, want %d", i+1, got, c.want)
		}
	}
}

// TestAFailedChangeIsNotRecorded records nothing of what was undone.
func TestAFailedChangeIsNotRecorded(t *testing.T) {
	f := sqliteFixture(t)
	w := f.workspace("acme")
	before := f.actions(f.ctx(), 100)
	_, err := f.CreateRole(f.ctx(), w.ID, Role{Name: "Administrator"})
	f.isKind(err, report.Conflict)
	f.isKind(f.DeleteConnection(f.ctx(), w.ID, "none"), report.NotFound)
	if after := f.actions(f.ctx(), 100); !slices.Equal(before, after) {
		t.Errorf("%q, before %q", after, before)
	}
}

// TestAuditLines writes what was recorded to standard output.
func TestAuditLines(t *testing.T) {
	var out bytes.Buffer
	f := openFixture(t, Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "quire.db"), Exclusive: true, AuditLines: &out})
	f.workspace("acme")
	f.Note(f.ctx(), Event{Action: AuditExportMade, Target: Target{targetReport, "1", "Two\nlines"}})
	f.must(f.Close()) // what waits is written
	var got []string
	for line := range strings.Lines(out.String()) {
		var e struct {
			AuditEvent
			Kind string `json:"kind"`
		}
		f.must(json.Unmarshal([]byte(line), &e))
		if e.Kind != "audit" || e.ID == 0 {
			t.Errorf("%s", line)
		}
		got = append(got, string(e.Action)+" "+e.Target)
	}
	if want := []string{"user.created root@example.com", "workspace.created acme", "export.made Twolines"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// notRecorded are the functions that write to the database and record nothing,
// with the reason.
var notRecorded = map[string]string{
	"HoldContents": "a backup keeps contents while it works", "TakeBackup": "which process makes the planned backup", "NoteBackup": "when a backup ended; the manifest tells the rest",
	"tellOldest": "part of migrating", "Empty": "part of restoring into an empty database", "Insert": "part of restoring into an empty database", "Forget": "part of restoring into an empty database", "GoOnAfter": "part of restoring into an empty database", "EndRuns": "part of restoring a workspace, which is recorded",
	"swap": "attempts to sign in; the sign-in is recorded", "keepOriginal": "part of saving", "addVersion": "part of saving", "pruneVersions": "part of saving", "sweepDeleted": "what was deleted long ago",
	"AddDevice": "part of signing in", "dropExportTask": "part of DeleteExport", "removeExport": "part of DeleteExport, and sweeping", "finishExport": "the state of an export that was recorded",
	"SettlePreview": "the first request of a preview that was recorded", "EndPreviewSession": "a browser forgets a preview",
	"seen": "idempotency", "remember": "idempotency", "importedWorkspace": "part of importing", "putType": "part of importing", "typeRows": "part of importing", "putReport": "part of importing", "defaults": "part of importing", "kind": "part of importing",
	"cancelWhole": "part of CancelRun", "LeaveDeliveries": "part of CancelRun", "setNext": "when a job runs next",
	"endDeliveries": "the state of a run that was recorded", "moveEnded": "the state of a run that was recorded", "replaceDocuments": "the state of a run that was recorded", "removeHeld": "the queue", "claim": "the queue", "define": "part of what is decided", "settleRunDelivery": "its callers record", "keepRunData": "the state of a run that was recorded", "writeEntries": "the state of a run that was recorded", "stopBeginning": "part of CancelRun", "feed": "the state of a run that was recorded", "approveFrom": "its callers record", "cancelFrom": "part of CancelRun", "insertEntries": "the state of a run that was recorded", "mendCounts": "a count, not what is counted",
	"FailRun": "the state of a run that was recorded", "moveEntry": "the state of a run that was recorded", "keepType": "part of deleting", "update": "part of what is decided",
	"SendAgain": "changeEntries records", "MarkDelivered": "changeEntries records", "RemakeEntries": "changeEntries records",
	"bumpLibrary": "part of changing the library", "insertIdentity": "its callers record", "alone": "locks a row", "provisioned": "locks a row", "recordProvisioning": "when a token was used", "keepTold": "what a provider says; the sign-in is recorded", "keepPerson": "what a source says; what follows from it is recorded", "onGroup": "locks a row", "moveReport": "part of MoveReport", "put": "CreateNonce records", "take": "using a nonce; the preview is recorded",
	"AddUsage": "what was made, in sums", "swapPreview": "a picture made of a report", "ClaimPicture": "a picture made of a report", "pictureVersion": "a picture made of a report", "ReleasePicture": "a picture made of a report", "SetPicturePage": "which page the picture of a report is of", "insertTasks": "the queue", "ClaimSuspect": "the queue", "RenewTasks": "the queue", "FinishTask": "the queue", "ReleaseTask": "the queue", "FreeTasks": "the queue",
	"writeAccess": "part of SetReportAccess", "moveAccess": "part of MoveReport", "mustBeAt": "locks a row", "setDefaultReport": "part of PutReportType", "insertRole": "CreateRole and CreateWorkspace record",
	"resealColumn": "Reseal records", "resealCanary": "Reseal records", "EndRun": "the state of a run that was recorded", "reopenRun": "the state of a run that was recorded", "NoteRun": "the state of a run that was recorded",
	"beginLocked": "its end is recorded", "insertDeliveries": "its end is recorded", "leaveDelivery": "its end is recorded", "endDelivery": "package jobs records what has left", "checkInstallation": "the first start", "checkStorage": "the first start",
	"SessionUser": "when a session was used", "Sweep": "what has expired", "sweepRun": "what has expired", "removeRows": "what has expired", "leave": "who leads", "putOff": "when the sweeper looks next", "sweepAudit": "what has expired", "sweepComments": "what was deleted long ago", "name": "part of saying something", "StartThread": "say records", "recordUse": "when a token was used",
	"Announce": "which processes take tasks", "Depart": "which processes take tasks", "BePresent": "who has a report open", "EndPresence": "who has a report open", "SetLanguage": "how a person reads the pages", "insertEvents": "the log itself", "insertWorkspace": "CreateWorkspace and ImportWorkspace record", "putFile": "PutFile, ImportWorkspace and TransferTemplate record",
	"userOf": "when an identity was used; what follows from it is recorded", "UseOnce": "what was used; the sign-in is recorded",
	"takeLink": "who takes it records", "makeRecoveryCodes": "its callers record", "UseCode": "which codes were used; the sign-in is recorded",
	"ClaimSync": "when a directory is looked up next", "EndSync": "how a look-up went; what follows from it is recorded", "dropLoneCodes": "its callers record",
	"BeginPosted": "part of signing in", "TakePosted": "part of signing in", "KeepPosted": "part of signing in", "FetchPosted": "part of signing in", "ProviderKey": "made at the first sign-in",
	"insertExport": "CreateExport records", "lockRun": "locks a row", "whileIdle": "locks a row",
}

// TestWhatWritesIsRecorded finds functions that change the database without a
// word to the audit log.
func TestWhatWritesIsRecorded(t *testing.T) {
	writes := regexp.MustCompile(`^["` + "`" + `](INSERT INTO|UPDATE|DELETE FROM) `)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if !isFunc || fn.Body == nil {
				continue
			}
			statement, recorded := false, false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					statement = statement || writes.MatchString(n.Value)
				case *ast.SelectorExpr:
					recorded = recorded || slices.Contains([]string{"record", "recordRun", "recordRole", "recordMember", "changedLibrary", "changeUser", "Note", "recordInvitation", "recordService", "onService", "renameGroup", "recordGroup", "recordInGroup", "recordGroupRole", "talked"}, n.Sel.Name)
				}
				return true
			})
			name := fn.Name.Name
			reason, excused := notRecorded[name]
			found[name] = found[name] || statement && !recorded
			if statement && !recorded && (!excused || reason == "") {
				t.Errorf("%s: %s changes the database and records nothing", file, name)
			}
		}
	}
	for name := range notRecorded {
		if !found[name] {
			t.Errorf("%s is excused and need not be", strconv.Quote(name))
		}
	}
}

// TestActionsAreInWords has each action once, under its kind.
func TestActionsAreInWords(t *testing.T) {
	seen, last := map[Action]bool{}, ""
	kinds := map[string]bool{}
	for _, a := range Actions() {
		kind, deed, _ := strings.Cut(string(a.Action), ".")
		if seen[a.Action] || kind == "" || deed == "" || a.Label == "" || !strings.HasSuffix(a.Help, ".") {
			t.Errorf("%+v", a)
		}
		if kind != last && kinds[kind] {
			t.Errorf("%s does not stand with its kind", a.Action)
		}
		seen[a.Action], kinds[kind], last = true, true, kind
	}
}

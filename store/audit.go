package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// The audit log says who did what, on what, when and from where. What changes
// the database is recorded in the transaction of the change, so that neither is
// there without the other; what only reads is recorded soon after (Note). There
// is never a secret in it: events hold names, numbers and states.

// Outcome is how something ended that was asked for.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused" // whoever asked may not
	Faulty  Outcome = "failed"  // it did not work
)

// Outcomes lists them.
func Outcomes() []Outcome { return []Outcome{Done, Refused, Faulty} }

// ActorKind is what somebody came in with.
type ActorKind string

// The kinds of actors.
const (
	ByPerson       ActorKind = "user"         // signed in
	ByToken        ActorKind = "token"        // a personal access token
	ByPreview      ActorKind = "preview"      // a nonce, or the cookie it became
	ByNobody       ActorKind = "anonymous"    // nobody is signed in
	ByJob          ActorKind = "job"          // work that was asked for before
	ByProvisioning ActorKind = "provisioning" // a token for provisioning
	ByCommand      ActorKind = "command"      // the command line
	BySystem       ActorKind = "system"       // the service itself
)

// Actor is the user, program or process that does something.
type Actor struct {
	Kind    ActorKind
	UserID  int
	Name    string // address of the account, or of the system's user
	TokenID int
	Address string // where the request comes from
	Request string // its identifier, which the log has as well
	// Viewer is the person who looks, as the embedding application names them;
	// nil when none does.
	Viewer *report.Person
}

type actorKey struct{}

// WithActor says who does what happens in a context.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// actorOf is the actor of a context; by default the service itself.
func actorOf(ctx context.Context) Actor {
	if a, ok := ctx.Value(actorKey{}).(Actor); ok {
		return a
	}
	return Actor{Kind: BySystem}
}

// Target is what something was done to.
type Target struct {
	Kind string // user, report, template …
	ID   string // its number, or its name where that is what it goes by
	Name string // by default that of its row
}

// targetOf is a target that has a number.
func targetOf(kind string, id int) Target { return Target{Kind: kind, ID: strconv.Itoa(id)} }

// Event is something to record.
type Event struct {
	Action      Action
	Outcome     Outcome // default Done
	WorkspaceID int
	Target      Target
	Detail      map[string]any // more about it; never a secret
	// once is for how long the same by the same actor is not recorded again.
	once time.Duration
}

// AuditEvent is an event as it was recorded.
type AuditEvent struct {
	ID          int64           `json:"id" db:"id"`
	Time        time.Time       `json:"time" db:"-"`
	Action      Action          `json:"action" db:"action"`
	Outcome     Outcome         `json:"outcome" db:"outcome"`
	ActorKind   ActorKind       `json:"actorKind" db:"actor_kind"`
	UserID      *int            `json:"userId" db:"user_id"`
	Actor       string          `json:"actor" db:"actor"`
	TokenID     *int            `json:"tokenId" db:"token_id"`
	Address     string          `json:"address" db:"address"`
	Request     string          `json:"request" db:"request"`
	WorkspaceID *int            `json:"workspaceId" db:"workspace_id"`
	Workspace   string          `json:"workspace" db:"workspace"`
	TargetKind  string          `json:"targetKind" db:"target_kind"`
	TargetID    string          `json:"targetId" db:"target_id"`
	Target      string          `json:"target" db:"target"`
	Detail      json.RawMessage `json:"detail" db:"-"`

	Created int64  `json:"-" db:"created_at"`
	Text    string `json:"-" db:"detail"` // Detail in the database
}

const auditColumns = "created_at, action, outcome, actor_kind, user_id, actor, token_id, address, request, workspace_id, workspace, target_kind, target_id, target, detail"

// told is the event with what is worked out from its columns.
func (e *AuditEvent) told() AuditEvent {
	e.Time, e.Detail = fromMillis(e.Created), json.RawMessage(e.Text)
	return *e
}

// event is what is recorded of one in a context.
func (s *Store) event(ctx context.Context, e Event) AuditEvent {
	by := actorOf(ctx)
	if by.Viewer != nil {
		detail := map[string]any{"viewer": viewerTold(by.Viewer)}
		maps.Copy(detail, e.Detail)
		e.Detail = detail
	}
	detail, err := json.Marshal(e.Detail)
	if err != nil || e.Detail == nil {
		detail = []byte("{}")
	}
	if e.Outcome == "" {
		e.Outcome = Done
	}
	return AuditEvent{
		Action: e.Action, Outcome: e.Outcome, ActorKind: by.Kind, UserID: nullID(by.UserID), Actor: oneLine(by.Name), TokenID: nullID(by.TokenID),
		Address: oneLine(by.Address), Request: oneLine(by.Request), WorkspaceID: nullID(e.WorkspaceID),
		TargetKind: e.Target.Kind, TargetID: e.Target.ID, Target: oneLine(e.Target.Name), Created: s.now(), Text: string(detail),
	}
}

// record writes an event in the transaction of what it tells of.
func (s *Store) record(ctx context.Context, t tx, e Event) error {
	row := s.event(ctx, e)
	if e.once > 0 {
		var known bool
		err := t.get(ctx, &known, `SELECT EXISTS (SELECT 1 FROM audit_events WHERE target_kind = ? AND target_id = ? AND action = ? AND actor_kind = ?
			AND COALESCE(user_id, 0) = ? AND created_at > ?)`, row.TargetKind, row.TargetID, row.Action, row.ActorKind, actorOf(ctx).UserID, row.Created-e.once.Milliseconds())
		if err != nil || known {
			return err
		}
	}
	return t.insertEvent(ctx, &row)
}

// insertEvent adds the names that things have now.
func (t tx) insertEvent(ctx context.Context, e *AuditEvent) error {
	one := []AuditEvent{*e}
	err := t.insertEvents(ctx, one)
	*e = one[0]
	return err
}

// insertEvents is insertEvent for several, with one statement.
func (t tx) insertEvents(ctx context.Context, events []AuditEvent) error {
	rows := make([][]any, len(events))
	for i := range events {
		e := &events[i]
		if err := t.nameTarget(ctx, e); err != nil {
			return err
		}
		if e.Actor == "" && e.UserID != nil { // of queued work only the number is known
			if err := t.get(ctx, &e.Actor, `SELECT COALESCE(MAX(email), '') FROM users WHERE id = ?`, *e.UserID); err != nil {
				return err
			}
		}
		rows[i] = []any{e.Created, e.Action, e.Outcome, e.ActorKind, e.UserID, e.Actor, e.TokenID, e.Address, e.Request, e.WorkspaceID, e.TargetKind, e.TargetID, e.Target, e.Text}
	}
	v, args, err := t.db.given([]string{bigint, plain, plain, plain, bigint, plain, bigint, plain, plain, bigint, plain, plain, plain, plain}, rows)
	if err != nil {
		return err
	}
	type numbered struct {
		ID        int64
		Workspace string
	}
	var kept []numbered
	err = t.list(ctx, &kept, "INSERT INTO audit_events ("+auditColumns+`)
		SELECT v.column1, v.column2, v.column3, v.column4, v.column5, v.column6, v.column7, v.column8, v.column9, v.column10,
			COALESCE((SELECT code FROM workspaces WHERE id = v.column10), ''), v.column11, v.column12, v.column13, v.column14 FROM `+v+" RETURNING id, workspace", args...)
	if err != nil {
		return err
	}
	slices.SortFunc(kept, func(a, b numbered) int { return cmp.Compare(a.ID, b.ID) })
	for i := range kept { // numbered in their order
		events[i].ID, events[i].Workspace = kept[i].ID, kept[i].Workspace
		if t.recorded != nil {
			*t.recorded = append(*t.recorded, events[i].told())
		}
	}
	return nil
}

// nameTarget adds the name that the target of an event has now, where it has none.
func (t tx) nameTarget(ctx context.Context, e *AuditEvent) error {
	query := nameOf(e.TargetKind)
	if e.Target != "" || query == "" {
		return nil
	}
	var names []string
	id, _ := strconv.Atoi(e.TargetID)
	if err := t.list(ctx, &names, query, id); err != nil {
		return err
	}
	e.Target = strings.Join(names, "")
	return nil
}

// nameOf is the query that finds what a target of a kind is called.
func nameOf(kind string) string {
	switch kind {
	case targetUser:
		return "SELECT email FROM users WHERE id = ?"
	case targetGroup:
		return "SELECT name FROM user_groups WHERE id = ?"
	case targetToken:
		return "SELECT name FROM tokens WHERE id = ?"
	case targetWorkspace:
		return "SELECT code FROM workspaces WHERE id = ?"
	case targetRole:
		return "SELECT name FROM roles WHERE id = ?"
	case targetReport:
		return "SELECT name FROM reports WHERE id = ?"
	case targetReportType:
		return "SELECT code FROM report_types WHERE id = ?"
	case targetExport:
		return "SELECT name FROM export_files WHERE id = ?"
	}
	if slices.ContainsFunc(resourceKinds(), func(k resourceKind) bool { return k.name == kind }) {
		return "SELECT key FROM resources WHERE id = ?"
	}
	return ""
}

// What events are about, besides the kinds of the library.
const (
	targetUser         = "user"
	targetGroup        = "group"
	targetProvisioning = "provisioning-token"
	targetSession      = "session"
	targetToken        = "token"
	targetWorkspace    = "workspace"
	targetRole         = "role"
	targetInvitation   = "invitation"
	targetConnection   = "connection"
	targetFile         = "file"
	targetReport       = "report"
	targetReportType   = "report-type"
	targetTempData     = "temporary-data"
	targetExport       = "export"
	targetRun          = "run"
	targetDelivery     = "delivery"
)

// AuditQuery chooses events.
type AuditQuery struct {
	WorkspaceID int       // 0 is all
	UserID      int       // of the actor; 0 is all
	Action      string    // one, or the part before the dot of several
	Outcome     Outcome   // empty is all
	Search      string    // part of a name, an address or an identifier
	From, To    time.Time // zero is open
	Before      int64     // older than the event with this number; 0 is none
	Limit       int
}

// AuditEvents are the events of a query, the newest first.
func (s *Store) AuditEvents(ctx context.Context, q AuditQuery) ([]AuditEvent, error) {
	if err := s.writeNotes(ctx); err != nil {
		return nil, err
	}
	where, args := q.conditions()
	rows := []AuditEvent{}
	err := s.db.list(ctx, &rows, "SELECT id, "+auditColumns+" FROM audit_events WHERE "+where+" ORDER BY id DESC LIMIT ?", append(args, q.Limit)...)
	for i := range rows {
		rows[i].told()
	}
	return rows, err
}

func (q *AuditQuery) conditions() (where string, args []any) {
	conditions := []string{"1 = 1"}
	add := func(condition string, values ...any) {
		conditions = append(conditions, condition)
		args = append(args, values...)
	}
	if q.WorkspaceID != 0 {
		add("workspace_id = ?", q.WorkspaceID)
	}
	if q.UserID != 0 {
		add("user_id = ?", q.UserID)
	}
	if q.Action != "" {
		add(`(action = ? OR action LIKE ? ESCAPE '\')`, q.Action, likeText(q.Action)+".%")
	}
	if q.Outcome != "" {
		add("outcome = ?", q.Outcome)
	}
	if !q.From.IsZero() {
		add("created_at >= ?", q.From.UnixMilli())
	}
	if !q.To.IsZero() {
		add("created_at < ?", q.To.UnixMilli())
	}
	if q.Before > 0 {
		add("id < ?", q.Before)
	}
	if q.Search != "" {
		var columns []string
		// SQLite knows the case of ASCII letters only; others are also compared as
		// they are.
		for _, part := range []string{strings.ToLower(q.Search), q.Search} {
			for _, column := range []string{"actor", "target", "workspace", "address", "request", "target_id"} {
				columns = append(columns, "LOWER("+column+") LIKE ? ESCAPE '\\'", column+" LIKE ? ESCAPE '\\'")
				args = append(args, "%"+likeText(part)+"%", "%"+likeText(part)+"%")
			}
		}
		conditions = append(conditions, "("+strings.Join(columns, " OR ")+")")
	}
	return strings.Join(conditions, " AND "), args
}

// likeText is a text as a pattern of LIKE that stands for itself, with \ as ESCAPE.
func likeText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}

// sweepAudit removes events that are older than they are kept.
func (s *Store) sweepAudit(ctx context.Context) (removed int, err error) {
	for {
		n, err := s.db.exec(ctx, "DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE created_at <= ? ORDER BY created_at LIMIT ?)",
			s.clock().Add(-s.auditKept).UnixMilli(), sweepBatch)
		removed += n
		if err != nil || n < sweepBatch {
			return removed, err
		}
	}
}

// tellLines writes events as lines of JSON, one at a time.
func tellLines(w io.Writer, warn func(msg string, args ...any)) func([]AuditEvent) {
	lines := make(chan struct{}, 1)
	return func(events []AuditEvent) {
		lines <- struct{}{}
		defer func() { <-lines }()
		for i := range events {
			line, err := json.Marshal(struct {
				Kind string `json:"kind"`
				*AuditEvent
			}{"audit", &events[i]})
			if err == nil {
				_, err = fmt.Fprintf(w, "%s\n", line)
			}
			if err != nil {
				warn("an event of the audit log was not written to standard output", "event", events[i].ID, "error", err)
			}
		}
	}
}

// RecordStart notes that a part of the service has begun, and with what settings
// that differ from the defaults; names only.
func (s *Store) RecordStart(ctx context.Context, part, version string, settings []string) {
	s.Note(ctx, Event{Action: AuditServiceStarted, Target: Target{Kind: "service", ID: part, Name: part}, Detail: map[string]any{"version": version, "settings": settings}})
}

package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// Bringing puts the rows of a workspace from elsewhere among those that there are.
type Bringing struct {
	Filling
	s *Store
}

// Bring runs do in one transaction.
func (s *Store) Bring(ctx context.Context, do func(*Bringing) error) error {
	return s.db.inTx(ctx, func(t tx) error { return do(&Bringing{Filling{t}, s}) })
}

// CheckNewWorkspace tells what keeps a new workspace from having a code.
func (s *Store) CheckNewWorkspace(ctx context.Context, code string) error {
	if err := checkCode("code", code); err != nil {
		return err
	}
	var taken bool
	err := s.db.get(ctx, &taken, "SELECT EXISTS (SELECT 1 FROM workspaces WHERE code_key = ?)", codeKey(code))
	if err == nil && taken {
		err = &report.Problem{Kind: report.Conflict, Path: "code", Message: fmt.Sprintf("there is a workspace with the code %s already", code)}
	}
	return err
}

// NewContentKey makes a new key in the folder of another.
func NewContentKey(like string) string {
	folder, _, _ := strings.Cut(like, "/")
	return contentKey(folder)
}

// DiscardContents removes contents that no row names.
func (s *Store) DiscardContents(ctx context.Context, keys []string) error {
	for _, key := range keys {
		if err := s.contents.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// Reserve gives numbers for new rows of a table, which nobody else gets.
func (b *Bringing) Reserve(ctx context.Context, table string, n int) (numbers []int64, err error) {
	if n == 0 {
		return nil, nil
	}
	if b.tx.db.dialect.name == "postgres" {
		err := b.tx.list(ctx, &numbers, "SELECT nextval(pg_get_serial_sequence(?, 'id')::regclass) FROM generate_series(1, CAST(? AS INTEGER))", table, n)
		return numbers, err
	}
	var last int64 // nobody else writes to the file meanwhile
	if err := b.tx.get(ctx, &last, "SELECT MAX(COALESCE((SELECT MAX(seq) FROM sqlite_sequence WHERE name = ?), 0), COALESCE((SELECT MAX(id) FROM "+table+"), 0))", table); err != nil {
		return nil, err
	}
	for i := range n {
		numbers = append(numbers, last+int64(i)+1)
	}
	return numbers, b.GoOnAfter(ctx, table, last+int64(n))
}

// AccountOf finds a person's account by the form in which addresses are compared; 0
// when there is none.
func (b *Bringing) AccountOf(ctx context.Context, key string) (id int64, err error) {
	return b.one(ctx, "SELECT id FROM users WHERE email_key = ? AND service_of IS NULL AND deleted_at IS NULL", key)
}

// GroupNamed finds a group by the form in which names are compared; 0 when there is
// none.
func (b *Bringing) GroupNamed(ctx context.Context, key string) (id int64, err error) {
	return b.one(ctx, "SELECT id FROM user_groups WHERE name_key = ?", key)
}

func (b *Bringing) one(ctx context.Context, query, key string) (int64, error) {
	var found []int64
	if err := b.tx.list(ctx, &found, query, key); err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// ErrOtherKeys is a secret that was sealed with keys that are not known here.
var ErrOtherKeys = errSealed

// SealConnection seals a secret of a connection for another workspace. It opens with
// the keys here, or with those that are given.
func (b *Bringing) SealConnection(from, to int, name, part, sealed string, with []Keys) (string, error) {
	place := connectionPlace(from, name, part)
	secret, err := b.s.seal.open(place, sealed)
	for i := 0; err != nil && i < len(with); i++ {
		var other *sealer
		if other, err = newSealer(with[i]); err == nil {
			secret, err = other.open(place, sealed)
		}
	}
	if err != nil {
		return "", err
	}
	return b.s.seal.seal(connectionPlace(to, name, part), secret), nil
}

// ServiceKey keeps the name of a service account apart from those of other
// workspaces, and from those that have ended.
func ServiceKey(workspaceID, id int, name string, ended bool) string {
	if ended {
		return endedServiceKey(id)
	}
	_, _, key, _ := serviceName(workspaceID, name)
	return key
}

// Arrived records that a workspace has come with accounts that were not there.
func (b *Bringing) Arrived(ctx context.Context, w Workspace, taken time.Time, accounts []int) error {
	for _, id := range accounts {
		if err := b.s.record(ctx, b.tx, Event{Action: AuditUserCreated, WorkspaceID: w.ID, Target: targetOf(targetUser, id), Detail: map[string]any{"root": false}}); err != nil {
			return err
		}
	}
	return b.s.record(ctx, b.tx, Event{Action: AuditWorkspaceBack, WorkspaceID: w.ID, Target: targetOf(targetWorkspace, w.ID), Detail: map[string]any{"of": taken.UTC().Format(time.RFC3339)}})
}

// EndRuns ends what of a workspace was under way: nobody has the work of it. Entries
// that wait for their review go on waiting. It tells how many runs that were.
func (f *Filling) EndRuns(ctx context.Context, workspaceID int64, reason string, at time.Time) (ended int, err error) {
	const (
		open    = "(SELECT id FROM job_runs WHERE workspace_id = ? AND ended_at IS NULL)"
		entries = "run_id IN " + open + " AND state IN ('queued', 'rendering', 'delivering')"
		settle  = " SET state = CASE WHEN state = 'sending' THEN 'uncertain' ELSE 'failed' END, error = CASE WHEN error = '' THEN ? ELSE error END WHERE state IN ('sending', 'waiting') AND "
	)
	for _, update := range []string{
		"UPDATE job_deliveries" + settle + "entry_id IN (SELECT id FROM job_entries WHERE " + entries + ")",
		"UPDATE job_run_deliveries" + settle + "run_id IN " + open,
		"UPDATE job_entries SET state = 'error', error = ? WHERE " + entries,
	} {
		if _, err := f.tx.exec(ctx, update, reason, workspaceID); err != nil {
			return 0, err
		}
	}
	return f.tx.exec(ctx, `UPDATE job_runs SET ended_at = ?, next_position = NULL, approve_from = NULL, error = CASE WHEN error = '' THEN ? ELSE error END,
		state = CASE WHEN state = 'starting' AND NOT EXISTS (SELECT 1 FROM job_entries e WHERE e.run_id = job_runs.id) THEN 'failed' ELSE 'started' END
		WHERE workspace_id = ? AND ended_at IS NULL`, at.UnixMilli(), reason, workspaceID)
}

// CarryJob is the definition of a job where the reports, templates and themes that it
// names by number have others; without active it is switched off. What has no other
// number is left as it is: it was not there before either.
func CarryJob(document string, reports, resources map[int64]int64, active bool) (carried string, off bool, err error) {
	var job map[string]json.RawMessage
	if err := json.Unmarshal([]byte(document), &job); err != nil {
		return "", false, fmt.Errorf("reading a job: %w", err)
	}
	var list []map[string]json.RawMessage
	if job["reports"] != nil {
		if err := json.Unmarshal(job["reports"], &list); err != nil {
			return "", false, fmt.Errorf("reading a job: reports: %w", err)
		}
	}
	changed := false
	for _, of := range list {
		for name, numbers := range map[string]map[int64]int64{"report": reports, "template": resources, "theme": resources} {
			changed = renumber(of, name, numbers) || changed
		}
	}
	if changed {
		if job["reports"], err = json.Marshal(list); err != nil {
			return "", false, err
		}
	}
	if off = !active && string(job["active"]) == "true"; off {
		job["active"] = json.RawMessage("false")
	}
	if !changed && !off {
		return document, false, nil
	}
	text, err := json.Marshal(job)
	return string(text), off, err
}

// renumber changes a reference that is a number, and tells whether it did.
func renumber(in map[string]json.RawMessage, name string, numbers map[int64]int64) bool {
	var ref string
	if json.Unmarshal(in[name], &ref) != nil {
		return false
	}
	id, isID := refID(ref)
	number, known := numbers[int64(id)]
	if !isID || !known {
		return false
	}
	in[name] = json.RawMessage(strconv.Quote(strconv.FormatInt(number, 10)))
	return true
}

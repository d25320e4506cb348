package store

import (
	"context"
	"crypto/x509"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

// notes are events that are recorded soon: those of what changes nothing. One
// goroutine gathers them for a moment and writes them in one transaction, so that
// whoever exports or downloads does not wait for the database, and many do not
// make it as many transactions.
type notes struct {
	mu      sync.Mutex
	waiting []AuditEvent
	busy    bool       // somebody is writing them
	writing sync.Mutex // one at a time, in their order
}

const (
	// mostNotes bounds the events that wait while the database is away. The log
	// has those beyond.
	mostNotes = 10_000
	// notesGather is for how long they are gathered.
	notesGather = 100 * time.Millisecond
	// notesAgain is how long a database that is away is left alone.
	notesAgain = time.Second
	// lastNotesTake is how long a stop waits for the last ones.
	lastNotesTake = 5 * time.Second
)

// Note records an event soon, in its own transaction.
func (s *Store) Note(ctx context.Context, e Event) {
	row := s.event(ctx, e)
	s.notes.mu.Lock()
	defer s.notes.mu.Unlock()
	if len(s.notes.waiting) >= mostNotes {
		s.log.WarnContext(ctx, "an event of the audit log was not recorded, as the database is away", "action", row.Action, "actor", row.Actor, "target", row.TargetKind+" "+row.TargetID, "request", row.Request)
		return
	}
	s.notes.waiting = append(s.notes.waiting, row)
	if s.notes.busy || s.stopped.Err() != nil {
		return
	}
	s.notes.busy = true
	s.sweeping.Go(s.keepNotes)
}

// keepNotes writes until none waits.
func (s *Store) keepNotes() {
	for {
		s.pause(notesGather)
		if err := s.writeNotes(s.stopped); err != nil && s.stopped.Err() == nil {
			s.log.Warn("events of the audit log wait for the database", "error", err)
			s.pause(notesAgain)
		}
		s.notes.mu.Lock()
		s.notes.busy = len(s.notes.waiting) > 0 && s.stopped.Err() == nil
		goesOn := s.notes.busy
		s.notes.mu.Unlock()
		if !goesOn {
			return
		}
	}
}

// pause waits unless the store closes.
func (s *Store) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.stopped.Done():
	}
}

// writeNotes records what waits.
func (s *Store) writeNotes(ctx context.Context) error {
	s.notes.writing.Lock()
	defer s.notes.writing.Unlock()
	s.notes.mu.Lock()
	rows := s.notes.waiting
	s.notes.mu.Unlock()
	if len(rows) == 0 {
		return nil
	}
	err := s.db.inTx(ctx, func(t tx) error {
		for some := range slices.Chunk(slices.Clone(rows), 100) { // as they were, should the transaction be tried again
			if err := t.insertEvents(ctx, some); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.notes.mu.Lock()
	s.notes.waiting = append([]AuditEvent(nil), s.notes.waiting[len(rows):]...)
	s.notes.mu.Unlock()
	return nil
}

// lastNotes records what still waits when the store closes.
func (s *Store) lastNotes() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.stopped), lastNotesTake)
	defer cancel()
	return s.writeNotes(ctx)
}

// Exported is the event of a file of a report that was made and sent at once.
func Exported(r *ReportRow, workspaceID int, contentType string, size int64) Event {
	return Event{Action: AuditExportMade, WorkspaceID: workspaceID, Target: Target{targetReport, strconv.Itoa(r.ID), r.Name}, Detail: map[string]any{"type": contentType, "bytes": size}}
}

// Signed is the event of a file that was signed with the key of a connection: of which
// report, by which certificate, and of which entry of a job, if any.
func Signed(workspaceID int, connection, ref, entry string, c *x509.Certificate) Event {
	detail := map[string]any{"report": ref, "certificate": c.Subject.String(), "issuer": c.Issuer.String(), "serial": fmt.Sprintf("%x", c.SerialNumber)}
	if entry != "" {
		detail["entry"] = entry
	}
	return Event{Action: AuditFileSigned, WorkspaceID: workspaceID, Target: Target{targetConnection, connection, connection}, Detail: detail}
}

// Downloaded is the event of an export's file that was fetched.
func (f *ExportFile) Downloaded() Event {
	return Event{Action: AuditExportDownloaded, WorkspaceID: f.WorkspaceID, Target: Target{targetExport, strconv.Itoa(f.ID), f.Name}, Detail: map[string]any{"bytes": f.Size}}
}

// Downloaded is the event of a document of an entry that was fetched.
func (d *JobDocument) Downloaded(workspaceID int, e *JobEntry) Event {
	return Event{Action: AuditRunDownloaded, WorkspaceID: workspaceID, Target: Target{targetRun, strconv.Itoa(e.RunID), d.Name}, Detail: map[string]any{"entry": e.Position, "bytes": d.Size}}
}

// WorkspaceTaken is the event of a workspace that was sent as a bundle.
func WorkspaceTaken(ws *Workspace) Event {
	return Event{Action: AuditWorkspaceTaken, WorkspaceID: ws.ID, Target: Target{targetWorkspace, strconv.Itoa(ws.ID), ws.Name}}
}

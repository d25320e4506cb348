package store

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"github.com/quire-reports/quire/report"
)

// Opened is what a page has open: a report, a report type, or a definition of the library.
type Opened struct {
	table, column string
	id            int
}

// OpenReport is a report that is open.
func OpenReport(id int) Opened { return Opened{"report_presence", "report_id", id} }

// OpenResource is a definition of the library that is open.
func OpenResource(id int) Opened { return Opened{"resource_presence", "resource_id", id} }

// OpenReportType is a report type that is open.
func OpenReportType(id int) Opened { return Opened{"report_type_presence", "type_id", id} }

// Present is a page of a browser that has something open to change it.
type Present struct {
	Tab      string // known to that browser alone, and new with each page
	UserID   int
	Name     string
	Picture  string   // the hash; empty is none
	Selected []string // elements
}

const (
	// PresenceLifetime is how long a page counts as there after it was heard of.
	PresenceLifetime = 45 * time.Second
	// mostPages bounds the pages of a person in one thing, mostSelected the elements that one tells of.
	mostPages    = 20
	mostSelected = 50
)

var tabName = regexp.MustCompile(`^[0-9A-Za-z-]{8,40}$`)

func (p *Present) check() error {
	if !tabName.MatchString(p.Tab) {
		return report.Problemf("tab", "a page is named by 8 to 40 letters, digits and hyphens")
	}
	if len(p.Selected) > mostSelected {
		return report.Problemf("selected", "%d elements; at most %d are told of", len(p.Selected), mostSelected)
	}
	for _, id := range p.Selected {
		if len(id) > mostElement {
			return report.Problemf("selected", "an element is named by at most %d bytes", mostElement)
		}
	}
	return nil
}

// BePresent notes that a page has something open, and what is selected there.
func (s *Store) BePresent(ctx context.Context, o Opened, p Present) error {
	if err := p.check(); err != nil {
		return err
	}
	selected, err := json.Marshal(p.Selected)
	if err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		if _, err := t.exec(ctx, "DELETE FROM "+o.table+" WHERE expires_at <= ?", s.now()); err != nil {
			return err
		}
		var others int
		if err := t.get(ctx, &others, "SELECT COUNT(*) FROM "+o.table+" WHERE "+o.column+" = ? AND user_id = ? AND tab <> ?", o.id, p.UserID, p.Tab); err != nil {
			return err
		}
		if others >= mostPages {
			return &report.Problem{Kind: report.Busy, Message: "you have this open too many times"}
		}
		_, err := t.exec(ctx, fmt.Sprintf(`INSERT INTO %[1]s (%[2]s, tab, user_id, selected, expires_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (%[2]s, tab) DO UPDATE SET selected = excluded.selected, expires_at = excluded.expires_at WHERE %[1]s.user_id = excluded.user_id`, o.table, o.column),
			o.id, p.Tab, p.UserID, string(selected), s.clock().Add(PresenceLifetime).UnixMilli())
		return err
	})
}

// EndPresence notes that a page of a person is gone.
func (s *Store) EndPresence(ctx context.Context, o Opened, userID int, tab string) error {
	_, err := s.db.exec(ctx, "DELETE FROM "+o.table+" WHERE "+o.column+" = ? AND tab = ? AND user_id = ?", o.id, tab, userID)
	return err
}

// Presence lists the pages that have something open.
func (s *Store) Presence(ctx context.Context, o Opened) ([]Present, error) {
	var rows []struct {
		Tab      string `db:"tab"`
		UserID   int    `db:"user_id"`
		Name     string `db:"display_name"`
		Picture  string `db:"picture"`
		Selected string `db:"selected"`
	}
	err := s.db.list(ctx, &rows, `SELECT p.tab, p.user_id, u.display_name, u.picture, p.selected FROM `+o.table+` p JOIN users u ON u.id = p.user_id
		WHERE p.`+o.column+` = ? AND p.expires_at > ? AND u.is_active AND u.deleted_at IS NULL ORDER BY p.tab`, o.id, s.now())
	if err != nil {
		return nil, err
	}
	there := make([]Present, len(rows))
	for i, row := range rows {
		there[i] = Present{Tab: row.Tab, UserID: row.UserID, Name: row.Name, Picture: row.Picture}
		if err := json.Unmarshal([]byte(row.Selected), &there[i].Selected); err != nil {
			return nil, err
		}
	}
	return there, nil
}

// OpenReports lists the people who have reports of a workspace open, by the IDs
// of the reports: each person once, in however many windows.
func (s *Store) OpenReports(ctx context.Context, workspaceID int) (map[int][]Present, error) {
	return s.openIn(ctx, OpenReport(0), "reports o", "o.deleted_at IS NULL", workspaceID)
}

// OpenReportTypes is OpenReports of report types.
func (s *Store) OpenReportTypes(ctx context.Context, workspaceID int) (map[int][]Present, error) {
	return s.openIn(ctx, OpenReportType(0), "report_types o", "1 = 1", workspaceID)
}

// OpenResources is OpenReports of the definitions of a kind.
func (s *Store) OpenResources(ctx context.Context, workspaceID int, kind Kind) (map[int][]Present, error) {
	k, err := kindNamed(kind)
	if err != nil {
		return nil, err
	}
	return s.openIn(ctx, OpenResource(0), "resources o", "o.kind = ?", workspaceID, k.name)
}

func (s *Store) openIn(ctx context.Context, o Opened, from, condition string, workspaceID int, args ...any) (map[int][]Present, error) {
	var rows []struct {
		ID      int    `db:"id"`
		UserID  int    `db:"user_id"`
		Name    string `db:"display_name"`
		Picture string `db:"picture"`
	}
	err := s.db.list(ctx, &rows, `SELECT DISTINCT o.id, p.user_id, u.display_name, u.picture FROM `+o.table+` p JOIN `+from+` ON o.id = p.`+o.column+` JOIN users u ON u.id = p.user_id
		WHERE p.expires_at > ? AND u.is_active AND u.deleted_at IS NULL AND o.workspace_id = ? AND `+condition+` ORDER BY o.id, u.display_name, p.user_id`, append([]any{s.now(), workspaceID}, args...)...)
	open := map[int][]Present{}
	for _, r := range rows {
		open[r.ID] = append(open[r.ID], Present{UserID: r.UserID, Name: r.Name, Picture: r.Picture})
	}
	return open, err
}

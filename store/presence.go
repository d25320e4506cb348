package store

import (
	"context"
	"encoding/json"
	"regexp"
	"time"

	"github.com/quire-reports/quire/report"
)

// Present is a page of a browser that has a report open in the designer.
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
	// mostPages bounds the pages of a person in a report, mostSelected the elements that one tells of.
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

// BePresent notes that a page has a report open, and what is selected there.
func (s *Store) BePresent(ctx context.Context, reportID int, p Present) error {
	if err := p.check(); err != nil {
		return err
	}
	selected, err := json.Marshal(p.Selected)
	if err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		if _, err := t.exec(ctx, "DELETE FROM report_presence WHERE expires_at <= ?", s.now()); err != nil {
			return err
		}
		var others int
		if err := t.get(ctx, &others, "SELECT COUNT(*) FROM report_presence WHERE report_id = ? AND user_id = ? AND tab <> ?", reportID, p.UserID, p.Tab); err != nil {
			return err
		}
		if others >= mostPages {
			return &report.Problem{Kind: report.Busy, Message: "you have this report open too many times"}
		}
		_, err := t.exec(ctx, `INSERT INTO report_presence (report_id, tab, user_id, selected, expires_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (report_id, tab) DO UPDATE SET selected = excluded.selected, expires_at = excluded.expires_at WHERE report_presence.user_id = excluded.user_id`,
			reportID, p.Tab, p.UserID, string(selected), s.clock().Add(PresenceLifetime).UnixMilli())
		return err
	})
}

// EndPresence notes that a page of a person is gone.
func (s *Store) EndPresence(ctx context.Context, reportID, userID int, tab string) error {
	_, err := s.db.exec(ctx, "DELETE FROM report_presence WHERE report_id = ? AND tab = ? AND user_id = ?", reportID, tab, userID)
	return err
}

// Presence lists the pages that have a report open.
func (s *Store) Presence(ctx context.Context, reportID int) ([]Present, error) {
	var rows []struct {
		Tab      string `db:"tab"`
		UserID   int    `db:"user_id"`
		Name     string `db:"display_name"`
		Picture  string `db:"picture"`
		Selected string `db:"selected"`
	}
	err := s.db.list(ctx, &rows, `SELECT p.tab, p.user_id, u.display_name, u.picture, p.selected FROM report_presence p JOIN users u ON u.id = p.user_id
		WHERE p.report_id = ? AND p.expires_at > ? AND u.is_active AND u.deleted_at IS NULL ORDER BY p.tab`, reportID, s.now())
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

package store

import (
	"context"
	"slices"
	"time"

	"github.com/quire-reports/quire/report"
)

// Thread is what people say about an element of a report, or about all of it.
type Thread struct {
	ID         int
	Element    string // the ID of the element; empty: the report
	Created    time.Time
	Resolved   time.Time // zero: it is open
	ResolvedBy string    // name of the user who resolved it; empty when unknown
	Comments   []Comment // in the order in which they were written
}

// Comment is what one person says.
type Comment struct {
	ID       int
	UserID   int    // 0: nobody knows
	User     string // name of the author
	Picture  string // the hash of their picture; empty is none
	Text     string
	Mentions []Mention
	Created  time.Time
	Edited   time.Time // zero: it is as it was written
}

// Mention is a person whom a comment names, as @ and the name.
type Mention struct {
	UserID int
	Name   string // as it is in the text
}

// Talk is the report whose comments a user reads or writes, and that user.
// Callers have checked that the user may see the report.
type Talk struct {
	By     *Access
	Report *ReportRow
}

type threadRow struct {
	ID         int     `db:"id"`
	Element    string  `db:"element"`
	Created    int64   `db:"created_at"`
	Resolved   *int64  `db:"resolved_at"`
	ResolvedBy *string `db:"resolved_by"`
}

type commentRow struct {
	ID       int     `db:"id"`
	ThreadID int     `db:"thread_id"`
	UserID   *int    `db:"user_id"`
	User     *string `db:"display_name"`
	Picture  *string `db:"picture"`
	Text     string  `db:"text"`
	Created  int64   `db:"created_at"`
	Edited   *int64  `db:"edited_at"`
}

// Threads lists what is said about a report, the oldest thread first. Those of
// which every comment was deleted are not there.
func (s *Store) Threads(ctx context.Context, talk Talk) ([]Thread, error) {
	return s.threads(ctx, "t.report_id = ?", talk.Report.ID)
}

// thread is one of a report.
func (s *Store) thread(ctx context.Context, talk Talk, id int) (*Thread, error) {
	found, err := s.threads(ctx, "t.report_id = ? AND t.id = ?", talk.Report.ID, id)
	if err == nil && len(found) == 0 {
		err = report.NotFoundf("there is no thread %d of comments", id)
	}
	if err != nil {
		return nil, err
	}
	return &found[0], nil
}

func (s *Store) threads(ctx context.Context, condition string, args ...any) ([]Thread, error) {
	const of = " FROM report_threads t JOIN report_comments c ON c.thread_id = t.id AND c.deleted_at IS NULL "
	var rows []threadRow
	var comments []commentRow
	var mentions []struct {
		CommentID int    `db:"comment_id"`
		UserID    int    `db:"user_id"`
		Name      string `db:"name"`
	}
	err := s.db.list(ctx, &rows, "SELECT DISTINCT t.id, t.element, t.created_at, t.resolved_at, u.display_name AS resolved_by"+of+"LEFT JOIN users u ON u.id = t.resolved_by WHERE "+condition+" ORDER BY t.id", args...)
	if err == nil {
		err = s.db.list(ctx, &comments, "SELECT c.id, c.thread_id, c.user_id, u.display_name, u.picture, c.text, c.created_at, c.edited_at"+of+"LEFT JOIN users u ON u.id = c.user_id WHERE "+condition+" ORDER BY c.id", args...)
	}
	if err == nil {
		err = s.db.list(ctx, &mentions, "SELECT m.comment_id, m.user_id, m.name"+of+"JOIN report_mentions m ON m.comment_id = c.id WHERE "+condition+" ORDER BY m.comment_id, m.user_id", args...)
	}
	if err != nil {
		return nil, err
	}
	named := map[int][]Mention{}
	for _, m := range mentions {
		named[m.CommentID] = append(named[m.CommentID], Mention{m.UserID, m.Name})
	}
	said := map[int][]Comment{}
	for i := range comments {
		said[comments[i].ThreadID] = append(said[comments[i].ThreadID], comments[i].comment(named[comments[i].ID]))
	}
	threads := make([]Thread, len(rows))
	for i, row := range rows {
		threads[i] = Thread{ID: row.ID, Element: row.Element, Created: fromMillis(row.Created), Comments: said[row.ID]}
		if row.Resolved != nil {
			threads[i].Resolved = fromMillis(*row.Resolved)
		}
		if row.ResolvedBy != nil {
			threads[i].ResolvedBy = *row.ResolvedBy
		}
	}
	// One that was begun between the questions is told the next time.
	return slices.DeleteFunc(threads, func(t Thread) bool { return len(t.Comments) == 0 }), nil
}

func (r *commentRow) comment(mentions []Mention) Comment {
	c := Comment{ID: r.ID, Text: r.Text, Mentions: mentions, Created: fromMillis(r.Created)}
	if r.UserID != nil {
		c.UserID = *r.UserID
	}
	if r.User != nil {
		c.User = *r.User
	}
	if r.Picture != nil {
		c.Picture = *r.Picture
	}
	if r.Edited != nil {
		c.Edited = fromMillis(*r.Edited)
	}
	return c
}

// News is what has happened to a report, in numbers that grow.
type News struct {
	Revision int `db:"revision" json:"revision"`          // with each save
	Comments int `db:"comments_revision" json:"comments"` // with each change of what is said about it
	// By is the user who saved the revision; empty when unknown.
	By string `db:"saved_by" json:"by,omitempty"`
}

// ReportNews tells how far a report is.
func (s *Store) ReportNews(ctx context.Context, workspaceID, id int) (n News, err error) {
	err = s.db.get(ctx, &n, `SELECT r.revision, r.comments_revision, COALESCE(u.display_name, '') AS saved_by FROM reports r
		LEFT JOIN report_versions v ON v.report_id = r.id AND v.revision = r.revision LEFT JOIN users u ON u.id = v.user_id
		WHERE r.id = ? AND r.workspace_id = ? AND r.deleted_at IS NULL`, id, workspaceID)
	return n, orNotFound(err, "report %d does not exist", id)
}

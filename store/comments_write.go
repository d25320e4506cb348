package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// NewComment is a comment to be written. Mentions are the IDs of the people
// whom the text mentions with @ and who may see the report.
type NewComment struct {
	Text     string
	Mentions []int
}

// Said is what came of saying something.
type Said struct {
	Thread *Thread
	// Told are the people whom it mentions and did not mention before.
	Told []Onlooker
}

const (
	mostComment  = 10_000 // characters
	mostComments = 5_000  // of a report
	mostElement  = 200    // characters of the ID of an element
)

// checkComment is the text as it is stored.
func checkComment(text string) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	odd := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	switch {
	case text == "":
		return "", report.Problemf("text", "the comment is empty")
	case utf8.RuneCountInString(text) > mostComment:
		return "", report.Problemf("text", "the comment is longer than %d characters", mostComment)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, odd):
		return "", report.Problemf("text", "the comment has characters that cannot be shown")
	}
	return text, nil
}

// mentioned are the people whom a text names.
func (s *Store) mentioned(ctx context.Context, talk Talk, text string, ids []int) ([]Onlooker, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := s.Onlookers(ctx, talk)
	if err != nil {
		return nil, err
	}
	var named []Onlooker
	for i, id := range ids {
		at := slices.IndexFunc(all, func(o Onlooker) bool { return o.UserID == id })
		switch {
		case at < 0:
			return nil, report.Problemf(fmt.Sprintf("mentions[%d]", i), "user %d is not among those who may see the report", id)
		case !strings.Contains(text, "@"+all[at].Name):
			return nil, report.Problemf(fmt.Sprintf("mentions[%d]", i), "the text does not name @%s", all[at].Name)
		case !slices.ContainsFunc(named, func(o Onlooker) bool { return o.UserID == id }):
			named = append(named, all[at])
		}
	}
	return named, nil
}

// talked notes in a transaction that what is said about a report has changed.
func (s *Store) talked(ctx context.Context, t tx, talk Talk, a Action, comment int, detail map[string]any) error {
	n, err := t.exec(ctx, "UPDATE reports SET comments_revision = comments_revision + 1 WHERE id = ? AND deleted_at IS NULL", talk.Report.ID)
	if err == nil && n == 0 {
		err = report.NotFoundf("report %d does not exist", talk.Report.ID)
	}
	if err != nil {
		return err
	}
	if detail == nil {
		detail = map[string]any{}
	}
	detail["comment"] = comment
	return s.record(ctx, t, Event{Action: a, WorkspaceID: talk.By.Workspace.ID, Target: targetOf(targetReport, talk.Report.ID), Detail: detail})
}

// StartThread says something about an element of a report; with an empty one
// about the report.
func (s *Store) StartThread(ctx context.Context, talk Talk, element string, n NewComment) (*Said, error) {
	if utf8.RuneCountInString(element) > mostElement || strings.ContainsFunc(element, unicode.IsControl) || !utf8.ValidString(element) {
		return nil, report.Problemf("element", "no element has such an ID")
	}
	return s.say(ctx, talk, n, func(t tx) (thread int, err error) {
		err = t.get(ctx, &thread, "INSERT INTO report_threads (report_id, element, created_at) VALUES (?, ?, ?) RETURNING id", talk.Report.ID, element, s.now())
		return thread, err
	})
}

// Reply says something in a thread.
func (s *Store) Reply(ctx context.Context, talk Talk, thread int, n NewComment) (*Said, error) {
	return s.say(ctx, talk, n, func(t tx) (int, error) { return thread, t.mustHaveThread(ctx, talk, thread) })
}

// mustHaveThread refuses what is no thread of a report.
func (t tx) mustHaveThread(ctx context.Context, talk Talk, thread int) error {
	var id int
	err := t.get(ctx, &id, "SELECT t.id FROM report_threads t WHERE t.id = ? AND t.report_id = ? AND EXISTS (SELECT 1 FROM report_comments c WHERE c.thread_id = t.id AND c.deleted_at IS NULL)", thread, talk.Report.ID)
	return orNotFound(err, "there is no thread %d of comments", thread)
}

// say adds a comment to the thread that a function gives.
func (s *Store) say(ctx context.Context, talk Talk, n NewComment, to func(t tx) (int, error)) (*Said, error) {
	text, err := checkComment(n.Text)
	if err != nil {
		return nil, err
	}
	named, err := s.mentioned(ctx, talk, text, n.Mentions)
	if err != nil {
		return nil, err
	}
	var thread int
	err = s.db.inTx(ctx, func(t tx) error {
		var comment, there int
		err := t.get(ctx, &there, "SELECT COUNT(*) FROM report_comments c JOIN report_threads t ON t.id = c.thread_id WHERE t.report_id = ?", talk.Report.ID)
		if err == nil && there >= mostComments {
			err = &report.Problem{Kind: report.Conflict, Message: fmt.Sprintf("there are %d comments on this report, which is the most there can be; delete some", mostComments)}
		}
		if err == nil {
			thread, err = to(t)
		}
		if err == nil {
			err = t.get(ctx, &comment, "INSERT INTO report_comments (thread_id, user_id, text, created_at) VALUES (?, ?, ?, ?) RETURNING id", thread, talk.By.User.ID, text, s.now())
		}
		if err == nil {
			err = t.name(ctx, comment, named)
		}
		if err != nil {
			return err
		}
		return s.talked(ctx, t, talk, AuditCommentMade, comment, map[string]any{"mentions": len(named)})
	})
	if err != nil {
		return nil, err
	}
	return s.said(ctx, talk, thread, named)
}

// name writes whom a comment names, in the place of those of before.
func (t tx) name(ctx context.Context, comment int, named []Onlooker) error {
	if _, err := t.exec(ctx, "DELETE FROM report_mentions WHERE comment_id = ?", comment); err != nil {
		return err
	}
	for _, o := range named {
		if _, err := t.exec(ctx, "INSERT INTO report_mentions (comment_id, user_id, name) VALUES (?, ?, ?)", comment, o.UserID, o.Name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) said(ctx context.Context, talk Talk, thread int, told []Onlooker) (*Said, error) {
	found, err := s.thread(ctx, talk, thread)
	if err != nil {
		return nil, err
	}
	return &Said{Thread: found, Told: slices.DeleteFunc(told, func(o Onlooker) bool { return o.UserID == talk.By.User.ID })}, nil
}

// commentAt is where a comment stands and whose it is.
type commentAt struct {
	ThreadID int    `db:"thread_id"`
	UserID   *int   `db:"user_id"`
	Text     string `db:"text"`
}

func (s *Store) comment(ctx context.Context, t tx, talk Talk, id int, deleted bool) (at commentAt, err error) {
	err = t.get(ctx, &at, `SELECT c.thread_id, c.user_id, c.text FROM report_comments c JOIN report_threads t ON t.id = c.thread_id
		WHERE c.id = ? AND t.report_id = ? AND (c.deleted_at IS NOT NULL) = ?`, id, talk.Report.ID, deleted)
	return at, orNotFound(err, "there is no comment %d", id)
}

// wrote tells whether a comment is that of the user.
func (a commentAt) wrote(by *Access) bool { return a.UserID != nil && *a.UserID == by.User.ID }

// EditComment changes what somebody has said themselves.
func (s *Store) EditComment(ctx context.Context, talk Talk, id int, n NewComment) (*Said, error) {
	text, err := checkComment(n.Text)
	if err != nil {
		return nil, err
	}
	named, err := s.mentioned(ctx, talk, text, n.Mentions)
	if err != nil {
		return nil, err
	}
	var at commentAt
	var before []int
	err = s.db.inTx(ctx, func(t tx) error {
		if at, err = s.comment(ctx, t, talk, id, false); err != nil {
			return err
		}
		if !at.wrote(talk.By) {
			return &report.Problem{Kind: report.Forbidden, Message: "people change their own comments only"}
		}
		err := t.list(ctx, &before, "SELECT user_id FROM report_mentions WHERE comment_id = ?", id)
		if err == nil {
			_, err = t.exec(ctx, "UPDATE report_comments SET text = ?, edited_at = ? WHERE id = ?", text, s.now(), id)
		}
		if err == nil {
			err = t.name(ctx, id, named)
		}
		if err != nil {
			return err
		}
		return s.talked(ctx, t, talk, AuditCommentChanged, id, nil)
	})
	if err != nil {
		return nil, err
	}
	return s.said(ctx, talk, at.ThreadID, slices.DeleteFunc(named, func(o Onlooker) bool { return slices.Contains(before, o.UserID) }))
}

// DeleteComment deletes a comment. Its author may, the maker of the report, and
// everybody with Full on reports. RestoreComment brings it back within thirty
// days. A thread goes with its last comment.
func (s *Store) DeleteComment(ctx context.Context, talk Talk, id int) error {
	_, err := s.deleteOrRestore(ctx, talk, id, true)
	return err
}

// RestoreComment undoes DeleteComment, for those who may delete it.
func (s *Store) RestoreComment(ctx context.Context, talk Talk, id int) (*Thread, error) {
	thread, err := s.deleteOrRestore(ctx, talk, id, false)
	if err != nil {
		return nil, err
	}
	return s.thread(ctx, talk, thread)
}

func (s *Store) deleteOrRestore(ctx context.Context, talk Talk, id int, deletes bool) (thread int, err error) {
	err = s.db.inTx(ctx, func(t tx) error {
		at, err := s.comment(ctx, t, talk, id, !deletes)
		if err != nil {
			return err
		}
		if !at.wrote(talk.By) && !talk.By.keeps(talk.Report) {
			return &report.Problem{Kind: report.Forbidden, Message: "only its author, the maker of the report, and everybody with Full on reports may delete a comment"}
		}
		thread = at.ThreadID
		action, when := AuditCommentRestored, (*int64)(nil)
		if deletes {
			now := s.now()
			action, when = AuditCommentDeleted, &now
		}
		if _, err := t.exec(ctx, "UPDATE report_comments SET deleted_at = ? WHERE id = ?", when, id); err != nil {
			return err
		}
		return s.talked(ctx, t, talk, action, id, nil)
	})
	return thread, err
}

// ResolveThread closes a thread, or opens it again.
func (s *Store) ResolveThread(ctx context.Context, talk Talk, id int, resolved bool) (*Thread, error) {
	err := s.db.inTx(ctx, func(t tx) error {
		if err := t.mustHaveThread(ctx, talk, id); err != nil {
			return err
		}
		action, when, who := AuditCommentReopened, (*int64)(nil), (*int)(nil)
		if resolved {
			now := s.now()
			action, when, who = AuditCommentResolved, &now, &talk.By.User.ID
		}
		n, err := t.exec(ctx, "UPDATE report_threads SET resolved_at = ?, resolved_by = ? WHERE id = ? AND (resolved_at IS NULL) = ?", when, who, id, resolved)
		if err != nil || n == 0 { // somebody else has done so already
			return err
		}
		var first int
		if err := t.get(ctx, &first, "SELECT MIN(id) FROM report_comments WHERE thread_id = ?", id); err != nil {
			return err
		}
		return s.talked(ctx, t, talk, action, first, nil)
	})
	if err != nil {
		return nil, err
	}
	return s.thread(ctx, talk, id)
}

// sweepComments removes comments that were deleted long ago, and threads that
// have none.
func (s *Store) sweepComments(ctx context.Context, before int64) (int, error) {
	comments, err := s.db.exec(ctx, "DELETE FROM report_comments WHERE deleted_at <= ?", before)
	if err != nil || comments == 0 {
		return comments, err
	}
	threads, err := s.db.exec(ctx, "DELETE FROM report_threads WHERE created_at <= ? AND NOT EXISTS (SELECT 1 FROM report_comments c WHERE c.thread_id = report_threads.id)", before)
	return comments + threads, err
}

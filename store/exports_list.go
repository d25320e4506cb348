package store

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/redis/go-redis/v9"

	"github.com/quire-reports/quire/report"
)

// ExportQuery chooses export files.
type ExportQuery struct {
	WorkspaceID int
	UserID      int // those that this user asked for
	// Others are where those of others come from that are listed, too.
	Others        []Category
	Offset, Limit int
}

// all tells whether nothing is left out.
func (q ExportQuery) all() bool {
	return slices.Contains(q.Others, Reports) && slices.Contains(q.Others, Jobs)
}

func (q ExportQuery) lists(f ExportFile) bool {
	return q.UserID != 0 && f.UserID == q.UserID || slices.Contains(q.Others, f.Category)
}

// ExportRow is an export file in a list.
type ExportRow struct {
	ExportFile
	ReportName string // as it is called now; empty when it is gone, or for a review document
	UserName   string // who asked for it; empty when the user is gone
}

// Exports lists export files, the newest first.
func (s *Store) Exports(ctx context.Context, q ExportQuery) ([]ExportRow, error) {
	files, err := s.exports.list(ctx, q, s.clock())
	if err != nil {
		return nil, err
	}
	var reports, users []int
	for _, f := range files {
		if id, isID := refID(f.Report); isID {
			reports = append(reports, id)
		}
		users = append(users, f.UserID)
	}
	reportNames, err := s.db.names(ctx, "SELECT id, name FROM reports WHERE id IN (?)", reports)
	if err != nil {
		return nil, err
	}
	userNames, err := s.db.names(ctx, "SELECT id, display_name AS name FROM users WHERE id IN (?)", users)
	rows := make([]ExportRow, len(files))
	for i, f := range files {
		rows[i] = ExportRow{ExportFile: f, UserName: userNames[f.UserID]}
		if id, isID := refID(f.Report); isID {
			rows[i].ReportName = reportNames[id]
		}
	}
	return rows, err
}

// names finds names by ID.
func (d *database) names(ctx context.Context, query string, ids []int) (map[int]string, error) {
	found := make(map[int]string, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	query, args, err := sqlx.In(query, ids)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		ID   int    `db:"id"`
		Name string `db:"name"`
	}
	err = d.list(ctx, &rows, query, args...)
	for _, r := range rows {
		found[r.ID] = r.Name
	}
	return found, err
}

// CancelExport ends a file that is being made, with the reason that people get
// to read: who works on it notices when it renews its lease.
func (s *Store) CancelExport(ctx context.Context, workspaceID, id int, reason string) error {
	if _, err := s.Export(ctx, workspaceID, id); err != nil {
		return err
	}
	ended, err := s.FailExport(ctx, id, reason)
	if err != nil {
		return err
	}
	if !ended {
		return &report.Problem{Kind: report.Conflict, Message: "the export has ended already"}
	}
	// The task stays for whoever takes it next: its end is told to whom it is to
	// be. Who works on it notices when it renews its lease.
	_, err = s.db.exec(ctx, "UPDATE queue SET owner = '', lease_until = 0, run_at = 0 WHERE subject = ? AND kind IN (?, ?)", id, ExportTask, ReviewTask)
	return err
}

// knownCategorySQL is knownCategory of a row.
const knownCategorySQL = `CASE WHEN category <> '' THEN category WHEN report = '' THEN '` + string(Jobs) + `' ELSE '` + string(Reports) + `' END`

func (e sqlExports) list(ctx context.Context, q ExportQuery, now time.Time) ([]ExportFile, error) {
	where, args := "workspace_id = ? AND expires_at > ?", []any{q.WorkspaceID, now.UnixMilli()}
	if !q.all() {
		where, args = where+" AND (user_id = ?", append(args, q.UserID)
		for _, c := range q.Others {
			where, args = where+" OR "+knownCategorySQL+" = ?", append(args, c)
		}
		where += ")"
	}
	var rows []exportRow
	err := e.db.list(ctx, &rows, "SELECT "+exportColumns+" FROM export_files WHERE "+where+" ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?", append(args, q.Limit, q.Offset)...)
	files := make([]ExportFile, len(rows))
	for i, r := range rows {
		files[i] = r.file()
	}
	return files, err
}

// listed is the sorted set of a workspace's files, or of those that a user
// asked for, by when they were. When a file ends is in a second one, so that what has
// expired is found: both end with the last of their files.
func (e redisExports) listed(workspaceID, userID int) (byTime, byExpiry string) {
	name := e.r.prefix + "exports:" + strconv.Itoa(workspaceID)
	if userID != 0 {
		name += ":" + strconv.Itoa(userID)
	}
	return name, name + ":expiry"
}

// enlistScript adds a file and removes some that have expired.
var enlistScript = redis.NewScript(`
local old = redis.call('ZRANGE', KEYS[2], '-inf', '(' .. ARGV[3], 'BYSCORE', 'LIMIT', 0, 1000)
for _, id in ipairs(old) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], last[2])
redis.call('PEXPIREAT', KEYS[2], last[2])
return 1`)

func (e redisExports) enlist(ctx context.Context, p redis.Pipeliner, f ExportFile) {
	users := []int{0}
	if f.UserID != 0 {
		users = append(users, f.UserID)
	}
	for _, user := range users {
		byTime, byExpiry := e.listed(f.WorkspaceID, user)
		enlistScript.Eval(ctx, p, []string{byTime, byExpiry}, f.ID, f.Expires.UnixMilli(), f.Created.UnixMilli())
	}
}

// list reads the list of a user or of the workspace, in pieces, until enough of
// it may be seen.
func (e redisExports) list(ctx context.Context, q ExportQuery, now time.Time) ([]ExportFile, error) {
	owner, skip := q.UserID, q.Offset
	if len(q.Others) > 0 {
		owner = 0
	}
	byTime, byExpiry := e.listed(q.WorkspaceID, owner)
	files := []ExportFile{}
	from := 0
	if owner != 0 || q.all() { // nothing is left out
		from, skip = q.Offset, 0
	}
	for len(files) < q.Limit {
		ids, err := e.r.client.ZRangeArgs(ctx, redis.ZRangeArgs{Key: byTime, Start: from, Stop: from + max(q.Limit, 100) - 1, Rev: true}).Result()
		if err != nil || len(ids) == 0 {
			return files, e.r.fault(ctx, err)
		}
		found, gone, err := e.read(ctx, ids, now)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			switch {
			case !q.lists(f):
			case skip > 0:
				skip--
			default:
				files = append(files, f)
			}
		}
		// Deleted or expired ones make room for others.
		for _, set := range []string{byTime, byExpiry} {
			if len(gone) == 0 {
				break
			}
			if err := e.r.client.ZRem(ctx, set, gone...).Err(); err != nil {
				return nil, e.r.fault(ctx, err)
			}
		}
		from += len(found)
	}
	return files[:q.Limit], nil
}

// read reads records at once, and tells which are gone.
func (e redisExports) read(ctx context.Context, ids []string, now time.Time) (found []ExportFile, gone []any, err error) {
	records := make([]*redis.MapStringStringCmd, len(ids))
	_, err = e.r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, id := range ids {
			records[i] = p.HGetAll(ctx, e.r.prefix+"export:"+id)
		}
		return nil
	})
	if err != nil {
		return nil, nil, e.r.fault(ctx, err)
	}
	for i, record := range records {
		id, err := strconv.Atoi(ids[i])
		if err != nil {
			return nil, nil, err
		}
		f, err := readExport(id, record.Val(), now)
		switch {
		case errors.Is(err, errNoExport):
			gone = append(gone, ids[i])
		case err != nil:
			return nil, nil, err
		default:
			found = append(found, f)
		}
	}
	return found, gone, nil
}

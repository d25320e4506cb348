package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// redisExports keeps each export file as a hash that expires by itself. Its
// content is also in a sorted set by expiry, from which the sweeper learns what
// to remove once the hash is gone.
type redisExports struct{ r *redisClient }

func (e redisExports) name(id int) string { return e.r.prefix + "export:" + strconv.Itoa(id) }

func (e redisExports) contents() string { return e.r.prefix + "export-contents" }

// create writes the record before the transaction ends: when that fails, a
// record that no task works on expires unseen, as nobody was told its ID. The
// row that reserved the ID goes.
func (e redisExports) create(ctx context.Context, t tx, f ExportFile) error {
	if _, err := t.exec(ctx, "DELETE FROM export_files WHERE id = ?", f.ID); err != nil {
		return err
	}
	taken, err := e.r.client.Exists(ctx, e.name(f.ID)).Result()
	if err != nil {
		return e.r.fault(ctx, err)
	}
	if taken > 0 {
		return errTaken
	}
	_, err = e.r.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.HSet(ctx, e.name(f.ID), "workspace", f.WorkspaceID, "user", f.UserID, "category", string(f.Category), "status", string(f.Status), "expires", f.Expires.UnixMilli(),
			"report", f.Report, "format", f.Format, "created", f.Created.UnixMilli())
		p.PExpireAt(ctx, e.name(f.ID), f.Expires)
		e.enlist(ctx, p, f)
		return nil
	})
	return e.r.fault(ctx, err)
}

func (e redisExports) get(ctx context.Context, id int, now time.Time) (ExportFile, error) {
	m, err := e.r.client.HGetAll(ctx, e.name(id)).Result()
	if err != nil {
		return ExportFile{}, e.r.fault(ctx, err)
	}
	return readExport(id, m, now)
}

// readExport reads a record; an empty one, or one past its expiry, is none.
func readExport(id int, m map[string]string, now time.Time) (ExportFile, error) {
	f := ExportFile{
		ID: id, Category: knownCategory(Category(m["category"]), m["report"]), Status: ExportStatus(m["status"]), Error: m["error"],
		Name: m["name"], ContentType: m["type"], Report: m["report"], Format: m["format"], key: m["key"],
		Warnings: readWarnings(m["warnings"]),
	}
	for member, into := range map[string]func(int64){
		"workspace": func(n int64) { f.WorkspaceID = int(n) },
		"user":      func(n int64) { f.UserID = int(n) },
		"size":      func(n int64) { f.Size = n },
		"created":   func(n int64) { f.Created = fromMillis(n) },
		"expires":   func(n int64) { f.Expires = fromMillis(n) },
	} {
		if m[member] == "" {
			continue
		}
		n, err := strconv.ParseInt(m[member], 10, 64)
		if err != nil {
			return f, fmt.Errorf("reading export file %d: %w", id, err)
		}
		into(n)
	}
	if f.Status == "" || !f.Expires.After(now) {
		return f, errNoExport
	}
	return f, nil
}

// finishScript changes a record that is in progress, and notes its content.
var finishScript = redis.NewScript(`
if redis.call('HGET', KEYS[1], 'status') ~= 'InProgress' then return 0 end
redis.call('HSET', KEYS[1], 'status', ARGV[1], 'error', ARGV[2], 'name', ARGV[3], 'type', ARGV[4], 'size', ARGV[5], 'key', ARGV[6], 'warnings', ARGV[7])
if ARGV[6] ~= '' then redis.call('ZADD', KEYS[2], redis.call('HGET', KEYS[1], 'expires'), ARGV[6]) end
return 1`)

func (e redisExports) finish(ctx context.Context, f ExportFile) (bool, error) {
	warnings, err := writeWarnings(f.Warnings)
	if err != nil {
		return false, err
	}
	n, err := finishScript.Run(ctx, e.r.client, []string{e.name(f.ID), e.contents()},
		string(f.Status), f.Error, f.Name, f.ContentType, f.Size, f.key, warnings).Int()
	return n == 1, e.r.fault(ctx, err)
}

func (e redisExports) remove(ctx context.Context, id int, key string) error {
	_, err := e.r.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		if id != 0 {
			p.Del(ctx, e.name(id))
		}
		if key != "" {
			p.ZRem(ctx, e.contents(), key)
		}
		return nil
	})
	return e.r.fault(ctx, err)
}

func (e redisExports) expired(ctx context.Context, now time.Time, limit int) ([]ExportFile, error) {
	keys, err := e.r.client.ZRangeArgs(ctx, redis.ZRangeArgs{
		Key: e.contents(), ByScore: true, Start: "-inf", Stop: strconv.FormatInt(now.UnixMilli(), 10), Count: int64(limit),
	}).Result()
	files := make([]ExportFile, len(keys))
	for i, key := range keys {
		files[i].key = key
	}
	return files, e.r.fault(ctx, err)
}

func (e redisExports) named(ctx context.Context, keys []string) ([]string, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	scores, err := e.r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, key := range keys {
			p.ZScore(ctx, e.contents(), key)
		}
		return nil
	})
	var found []string
	for i, s := range scores {
		if s.Err() == nil {
			found = append(found, keys[i])
		} else if s.Err() != redis.Nil {
			return nil, e.r.fault(ctx, s.Err())
		}
	}
	if err == redis.Nil {
		err = nil
	}
	return found, e.r.fault(ctx, err)
}

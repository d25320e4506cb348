package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/quire-reports/quire/report"
)

// onceLifetime is how long an Idempotency-Key is remembered.
const onceLifetime = 24 * time.Hour

// Once makes a request that is sent again start nothing again. The zero value
// asks for nothing.
type Once struct {
	Key     string // of the client's choice; empty means none
	UserID  int
	Scope   string // which operation, on what
	Request []byte // what was asked for; the same key for something else is refused
}

func (o Once) hash() []byte { return digest(fmt.Sprintf("%d\n%s\n%s", o.UserID, o.Scope, o.Key)) }

// seen is the result that the key has already given; 0 when it is new.
func (s *Store) seen(ctx context.Context, t tx, o Once) (result int, err error) {
	if o.Key == "" {
		return 0, nil
	}
	if _, err := t.exec(ctx, "DELETE FROM idempotency_keys WHERE hash = ? AND expires_at <= ?", o.hash(), s.now()); err != nil {
		return 0, err
	}
	var row struct {
		Request []byte `db:"request"`
		Result  int    `db:"result"`
	}
	err = t.get(ctx, &row, "SELECT request, result FROM idempotency_keys WHERE hash = ?", o.hash())
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err == nil && string(row.Request) != string(requestDigest(o)) {
		return 0, &report.Problem{Kind: report.Conflict, Path: "Idempotency-Key", Message: "this key was used for another request; use a new key for each request"}
	}
	return row.Result, err
}

// remember keeps the result of a key. Of two at the same moment one fails as a
// duplicate, and its transaction with it.
func (s *Store) remember(ctx context.Context, t tx, o Once, result int) error {
	if o.Key == "" {
		return nil
	}
	_, err := t.exec(ctx, "INSERT INTO idempotency_keys (hash, request, result, expires_at) VALUES (?, ?, ?, ?)",
		o.hash(), requestDigest(o), result, s.clock().Add(onceLifetime).UnixMilli())
	return err
}

func requestDigest(o Once) []byte {
	sum := sha256.Sum256(o.Request)
	return sum[:]
}

// once runs start in a transaction unless its key has been seen. A request that
// loses the race against its twin gets the twin's result.
func (s *Store) once(ctx context.Context, o Once, start func(tx) (int, error)) (result int, fresh bool, err error) {
	for range 2 {
		err = s.db.inTx(ctx, func(t tx) error {
			fresh = false
			if result, err = s.seen(ctx, t, o); err != nil || result != 0 {
				return err
			}
			fresh = true
			if result, err = start(t); err != nil {
				return err
			}
			return s.remember(ctx, t, o, result)
		})
		if o.Key == "" || !errors.Is(err, errDuplicate) {
			break
		}
	}
	return result, fresh, err
}

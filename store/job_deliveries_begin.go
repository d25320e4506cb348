package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// mostBegun bounds how many deliveries begin in one transaction.
	mostBegun = 50
	// beginningTakes is how long that may take.
	beginningTakes = 30 * time.Second
)

// beginnings are the deliveries of entries that are to begin. One goroutine begins
// them: the first at once, and those that come meanwhile together.
type beginnings struct {
	mu      sync.Mutex
	waiting []*beginning
	busy    bool // somebody begins them
}

type beginning struct {
	ctx             context.Context // of whoever waits for it
	entry, position int
	before          JobDeliveryRow
	err             error
	done            chan struct{}
}

// BeginDelivery marks a delivery as being sent, before anything is, and gives
// what it was before; Attempts 0 means that it is the first attempt. It is
// decided here, and only here, whether it may begin: see Refused.
func (s *Store) BeginDelivery(ctx context.Context, entryID, position int) (JobDeliveryRow, error) {
	b := &beginning{ctx: ctx, entry: entryID, position: position, done: make(chan struct{})}
	s.beginnings.mu.Lock()
	s.beginnings.waiting = append(s.beginnings.waiting, b)
	begins := !s.beginnings.busy
	s.beginnings.busy = true
	s.beginnings.mu.Unlock()
	if begins {
		go s.beginWaiting(context.WithoutCancel(ctx))
	}
	<-b.done // whatever becomes of ctx: it must be known whether it was begun
	return b.before, b.err
}

// beginWaiting begins deliveries until none waits.
func (s *Store) beginWaiting(ctx context.Context) {
	for {
		s.beginnings.mu.Lock()
		some := s.beginnings.take()
		s.beginnings.busy = len(some) > 0
		s.beginnings.mu.Unlock()
		if len(some) == 0 {
			return
		}
		s.beginTogether(ctx, slices.DeleteFunc(some, (*beginning).givenUp))
	}
}

// givenUp ends one whose task was cut short before it was begun: what is marked as
// being sent and is not would look as if nobody knew whether it arrived.
func (b *beginning) givenUp() bool {
	if b.err = b.ctx.Err(); b.err != nil {
		close(b.done)
	}
	return b.err != nil
}

// take takes those that come next, at most one of each entry.
func (b *beginnings) take() (some []*beginning) {
	var rest []*beginning
	for _, w := range b.waiting {
		if len(some) < mostBegun && !slices.ContainsFunc(some, func(o *beginning) bool { return o.entry == w.entry }) {
			some = append(some, w)
		} else {
			rest = append(rest, w)
		}
	}
	b.waiting = rest
	return some
}

// beginTogether begins deliveries: the first attempts by one statement, the others in
// one transaction. Those that cannot begin with the others, or must wait for somebody,
// begin alone, and nobody waits for them.
func (s *Store) beginTogether(ctx context.Context, some []*beginning) {
	together, cancel := context.WithTimeout(ctx, beginningTakes)
	defer cancel()
	some = s.beginFirst(together, some)
	alone := some
	if len(some) > 0 {
		var passed []*beginning
		err := s.db.inTx(together, func(t tx) (err error) {
			passed, err = s.beginDeliveries(together, t, some)
			return err
		})
		if err == nil {
			alone = passed
		}
	}
	for _, b := range some {
		if slices.Contains(alone, b) {
			go s.beginAlone(ctx, b)
		} else {
			close(b.done)
		}
	}
}

// beginFirst begins the deliveries that were never begun, of entries that nobody has
// locked and whose deliveries may all begin. It gives the others.
func (s *Store) beginFirst(ctx context.Context, some []*beginning) (others []*beginning) {
	if len(some) == 0 {
		return nil
	}
	ids, rows, keys := make([]int, len(some)), make([][]any, len(some)), make([]string, len(some))
	for i, b := range some {
		ids[i], keys[i] = b.entry, randomText(26)
		rows[i] = []any{b.entry, b.position, keys[i]}
	}
	v, args, err := s.db.given([]string{bigint, bigint, plain}, rows)
	if err != nil {
		return some
	}
	these, locked := among(&s.db.dialect, "id", ids)
	var begun []JobDeliveryRow
	// The locks come first: who cancels changes these rows, too.
	err = s.db.change(ctx, &begun, `WITH may AS MATERIALIZED (SELECT id FROM job_entries WHERE `+these+` AND state = 'delivering' AND deliver = 'all' ORDER BY id `+s.db.skipLocked+`)
		INSERT INTO job_deliveries (entry_id, position, state, attempts, send_key, updated_at)
		SELECT v.column1, v.column2, 'sending', 1, v.column3, CAST(? AS BIGINT) FROM `+v+` JOIN may ON may.id = v.column1 WHERE 1 = 1
		ON CONFLICT (entry_id, position) DO NOTHING RETURNING entry_id AS owner`, slices.Concat(locked, []any{s.now()}, args)...)
	if err != nil {
		return some
	}
	for i, b := range some {
		if !slices.ContainsFunc(begun, func(d JobDeliveryRow) bool { return d.Owner == b.entry }) { // at most one of each entry
			others = append(others, b)
			continue
		}
		b.before = JobDeliveryRow{Owner: b.entry, Position: b.position, Key: keys[i]}
		close(b.done)
	}
	return others
}

func (s *Store) beginAlone(ctx context.Context, b *beginning) {
	ctx, cancel := context.WithTimeout(ctx, beginningTakes)
	defer cancel()
	b.before, b.err = s.beginDelivery(ctx, ofEntry, b.entry, b.position)
	close(b.done)
}

// beginDeliveries gives those that it passed over, as somebody has locked their entries.
func (s *Store) beginDeliveries(ctx context.Context, t tx, some []*beginning) (passed []*beginning, err error) {
	ids := make([]int, len(some))
	for i, b := range some {
		ids[i] = b.entry
	}
	// The locks come first: who cancels changes these rows, too.
	may, err := s.lockDeliverable(ctx, t, ids)
	if err != nil {
		return nil, err
	}
	rows, err := s.knownDeliveries(ctx, t, ids)
	if err != nil {
		return nil, err
	}
	var fresh []*JobDeliveryRow
	for _, b := range some {
		deliverable, locked := may[b.entry]
		if !locked {
			passed = append(passed, b)
			continue
		}
		b.before = JobDeliveryRow{Owner: b.entry, Position: b.position}
		if at := slices.IndexFunc(rows[b.entry], func(r JobDeliveryRow) bool { return r.Position == b.position }); at >= 0 {
			b.before = rows[b.entry][at]
		}
		if b.before.State == "" && deliverable.allows("") {
			fresh = append(fresh, &b.before)
		} else if err := s.beginLocked(ctx, t, ofEntry, deliverable, &b.before); err != nil {
			return nil, err
		}
	}
	return passed, s.insertDeliveries(ctx, t, fresh)
}

// lockDeliverable locks the entries that nobody else has and tells which of their
// deliveries may begin.
func (s *Store) lockDeliverable(ctx context.Context, t tx, ids []int) (map[int]Deliverable, error) {
	these, args := among(&s.db.dialect, "id", ids)
	var rows []struct {
		ID      int
		Deliver Deliverable
	}
	err := t.list(ctx, &rows, "SELECT id, CASE WHEN state = 'delivering' THEN deliver ELSE 'none' END AS deliver FROM job_entries WHERE "+these+" ORDER BY id "+s.db.skipLocked, args...)
	may := make(map[int]Deliverable, len(rows))
	for _, r := range rows {
		may[r.ID] = r.Deliver
	}
	return may, err
}

// knownDeliveries are the deliveries of entries that have begun once, by the entry.
func (s *Store) knownDeliveries(ctx context.Context, t tx, ids []int) (map[int][]JobDeliveryRow, error) {
	theirs, args := among(&s.db.dialect, "entry_id", ids)
	var rows []JobDeliveryRow
	err := t.list(ctx, &rows, ofEntry.columns()+" WHERE "+theirs, args...)
	of := map[int][]JobDeliveryRow{}
	for _, r := range rows {
		of[r.Owner] = append(of[r.Owner], r)
	}
	return of, err
}

// insertDeliveries makes deliveries that begin for the first time.
func (s *Store) insertDeliveries(ctx context.Context, t tx, fresh []*JobDeliveryRow) error {
	if len(fresh) == 0 {
		return nil
	}
	rows := make([][]any, len(fresh))
	for i, d := range fresh {
		d.Key = randomText(26)
		rows[i] = []any{d.Owner, d.Position, d.Key}
	}
	v, args, err := s.db.given([]string{bigint, bigint, plain}, rows)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `INSERT INTO job_deliveries (entry_id, position, state, attempts, send_key, updated_at)
		SELECT v.column1, v.column2, 'sending', 1, v.column3, CAST(? AS BIGINT) FROM `+v, slices.Concat([]any{s.now()}, args)...)
	return err
}

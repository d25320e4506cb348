package export

import (
	"slices"
	"sync"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/report"
)

// Bounds of what is kept for people who are editing reports.
const (
	keptSets = 8
	keptFor  = 5 * time.Minute
	keptRows = 50_000 // of one set
)

// keptData is what the data sources gave while reports are edited, so that an
// edit of the layout runs none of them. What was loaded is thrown away some
// minutes after it was asked for first, edits or not: data gets old.
type keptData struct {
	clock func() time.Time
	mu    sync.Mutex
	sets  []keptSet // the most recently used first
}

type keptSet struct {
	key    keptKey
	loaded time.Time // of its oldest part
	set    *data.Set
}

// keptKey tells for whom data was loaded: nobody sees those of another, who may
// have other rights.
type keptKey struct {
	workspace, user int
	report          string
}

func newKeptData(clock func() time.Time) *keptData { return &keptData{clock: clock} }

func keyOf(req *Request) keptKey { return keptKey{req.Workspace, req.UserID, req.Report} }

// of is the earlier data of a request's user and report, or an empty set; never
// nil, so that what is loaded now can be kept.
func (k *keptData) of(req *Request) *data.Set {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expire()
	i := k.index(keyOf(req))
	if i < 0 || req.Refresh {
		return &data.Set{}
	}
	return k.sets[i].set
}

// keep remembers what was loaded. Sources that kept their result leave the set
// as old as it was.
func (k *keptData) keep(req *Request, set *data.Set) {
	k.mu.Lock()
	defer k.mu.Unlock()
	entry := keptSet{key: keyOf(req), loaded: k.clock(), set: set}
	if i := k.index(entry.key); i >= 0 {
		if slices.ContainsFunc(set.Sources, func(s data.SourceResult) bool { return s.Kept }) {
			entry.loaded = k.sets[i].loaded
		}
		k.sets = slices.Delete(k.sets, i, i+1)
	}
	if rowsIn(set.Data, keptRows) >= keptRows {
		return
	}
	k.sets = slices.Insert(k.sets, 0, entry)
	if len(k.sets) > keptSets {
		k.sets = slices.Delete(k.sets, keptSets, len(k.sets))
	}
}

func (k *keptData) index(key keptKey) int {
	return slices.IndexFunc(k.sets, func(s keptSet) bool { return s.key == key })
}

func (k *keptData) expire() {
	now := k.clock()
	k.sets = slices.DeleteFunc(k.sets, func(s keptSet) bool { return now.Sub(s.loaded) >= keptFor })
}

// rowsIn counts the items of all lists in a value, up to a limit.
func rowsIn(v any, limit int) int {
	n := 0
	switch v := v.(type) {
	case *report.Object:
		for _, member := range v.All() {
			if n += rowsIn(member, limit-n); n >= limit {
				return n
			}
		}
	case []any:
		n = len(v)
		for _, item := range v {
			if n >= limit {
				return n
			}
			n += rowsIn(item, limit-n)
		}
	}
	return n
}

package data

import (
	"container/list"
	"sync"
)

// cache keeps what was parsed from pasted content, so that a report that is
// printed often does not parse it every time. It is bounded by the size of the
// content; the longest unused goes first.
type cache struct {
	mu       sync.Mutex
	maxBytes int
	bytes    int
	order    *list.List // of *cached, most recent first
	entries  map[cacheKey]*list.Element
}

// cacheKey is the content itself and how it was read. Comparing content that
// is the same string in memory costs nothing.
type cacheKey struct {
	kind, options, content string
}

type cached struct {
	key   cacheKey
	value any
}

func newCache(maxBytes int) *cache {
	return &cache{maxBytes: maxBytes, order: list.New(), entries: map[cacheKey]*list.Element{}}
}

// get is the value for a key, made when it is not there.
func (c *cache) get(key cacheKey, parse func() (any, error)) (any, error) {
	c.mu.Lock()
	if e, ok := c.entries[key]; ok {
		c.order.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(*cached).value, nil
	}
	c.mu.Unlock()
	value, err := parse()
	if err != nil {
		return nil, err
	}
	c.put(key, value)
	return value, nil
}

func (c *cache) put(key cacheKey, value any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[key]; ok || len(key.content) > c.maxBytes/2 {
		return
	}
	c.entries[key] = c.order.PushFront(&cached{key, value})
	c.bytes += key.size()
	for c.bytes > c.maxBytes {
		old := c.order.Remove(c.order.Back()).(*cached)
		c.bytes -= old.key.size()
		delete(c.entries, old.key)
	}
}

// size counts content and a fixed part, so that many small entries are bounded
// too.
func (k cacheKey) size() int { return len(k.content) + len(k.options) + 1024 }

package store

import (
	"container/list"
	"sync"
)

// cacheKey names a decoded definition.
type cacheKey struct {
	kind string // "report" or "library"
	id   int
}

// cache keeps decoded definitions, the ones used last, up to a number of bytes
// of their JSON. An entry counts for one revision: what the database says now
// decides whether it may be used, so nothing needs to be told of a change.
type cache struct {
	mu    sync.Mutex
	limit int
	size  int
	order *list.List // of *cached, used last in front
	items map[cacheKey]*list.Element
}

type cached struct {
	key      cacheKey
	revision int
	value    any
	cost     int
}

func newCache(limit int) *cache {
	return &cache{limit: limit, order: list.New(), items: map[cacheKey]*list.Element{}}
}

// get is the value of a key, of any revision; nil when there is none.
func (c *cache) get(key cacheKey) (value any, revision int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[key]
	if !ok {
		return nil, 0
	}
	c.order.MoveToFront(e)
	item := e.Value.(*cached)
	return item.value, item.revision
}

// put keeps a value unless a newer one is there, and drops those used longest
// ago; the last one put stays, whatever its size.
func (c *cache) put(key cacheKey, revision int, value any, cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		if e.Value.(*cached).revision > revision {
			return
		}
		c.remove(e)
	}
	c.items[key] = c.order.PushFront(&cached{key, revision, value, cost})
	c.size += cost
	for c.size > c.limit && c.order.Len() > 1 {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(e *list.Element) {
	item := c.order.Remove(e).(*cached)
	delete(c.items, item.key)
	c.size -= item.cost
}

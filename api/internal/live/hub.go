// Package live tells browsers what happens, by server-sent events. The work may
// be done by other processes, so what is watched is asked for from time to
// time: once for all who watch the same, and never when nobody does.
package live

import (
	"context"
	"sync"
	"time"
)

// Event is what there is to tell of a subject.
type Event struct {
	ID   string // from where a listener that lost its connection goes on
	Data []byte // one line of JSON; nothing is told without it
	Last bool   // nothing will happen any more
}

// Source tells what happened since it was asked before.
type Source func(ctx context.Context) (Event, error)

// Subject is what can be watched.
type Subject struct {
	// Key is the same for all who may share a source.
	Key string
	// First is what a listener has missed, told to it alone.
	First Source
	// Source makes the source that all listeners share.
	Source func() Source
	// Listener is whose streams are counted together.
	Listener int
	// Still tells why a listener that was let in may not hear it any more; nil: it may.
	Still func() error
}

// Config is what a Hub works with. All but Stopping have defaults.
type Config struct {
	Interval time.Duration   // between two questions about a subject; default a second
	Beat     time.Duration   // between two signs of life; default 15 seconds
	Life     time.Duration   // of a stream, after which the browser comes again and is let in anew; default 10 minutes
	Trust    time.Duration   // how long who was let in is not asked for anew; default 5 seconds
	Most     int             // streams at the same time; default 500
	Each     int             // streams of one listener; default 100
	Stopping <-chan struct{} // closed when the service stops
}

func (c *Config) fill() {
	for _, d := range []struct {
		value *time.Duration
		def   time.Duration
	}{{&c.Interval, time.Second}, {&c.Beat, 15 * time.Second}, {&c.Life, 10 * time.Minute}, {&c.Trust, 5 * time.Second}} {
		if *d.value <= 0 {
			*d.value = d.def
		}
	}
	if c.Most <= 0 {
		c.Most = 500
	}
	if c.Each <= 0 {
		c.Each = 100
	}
}

// Hub is where listeners and subjects meet. It is safe for concurrent use.
type Hub struct {
	cfg    Config
	mu     sync.Mutex
	open   int
	of     map[int]int // streams of each listener
	topics map[string]*topic
}

// NewHub makes a Hub.
func NewHub(c Config) *Hub {
	c.fill()
	return &Hub{cfg: c, of: map[int]int{}, topics: map[string]*topic{}}
}

// topic is a subject that somebody watches.
type topic struct {
	listeners map[chan Event]bool
	stop      context.CancelFunc
	wake      chan struct{} // holds one when the source is to be asked at once
}

// waiting is how many events may wait for a listener. One that is slower loses
// its stream, and hears the rest when it comes again.
const waiting = 16

// enter counts a stream; false when there are too many.
func (h *Hub) enter(listener int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open >= h.cfg.Most || h.of[listener] >= h.cfg.Each {
		return false
	}
	h.open++
	h.of[listener]++
	return true
}

func (h *Hub) leave(listener int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
	if h.of[listener]--; h.of[listener] == 0 {
		delete(h.of, listener)
	}
}

// watch gives the events of a subject from now on, until its end or until the
// listener goes, which it has to say.
func (h *Hub) watch(s Subject) (events <-chan Event, unwatch func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[s.Key]
	if t == nil {
		ctx, stop := context.WithCancel(context.Background())
		t = &topic{listeners: map[chan Event]bool{}, stop: stop, wake: make(chan struct{}, 1)}
		h.topics[s.Key] = t
		go h.poll(ctx, s.Key, t, s.Source())
	}
	listener := make(chan Event, waiting)
	t.listeners[listener] = true
	return listener, func() { h.unwatch(s.Key, t, listener) }
}

func (h *Hub) unwatch(key string, t *topic, listener chan Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(t.listeners, listener)
	if len(t.listeners) > 0 {
		return
	}
	t.stop()
	if h.topics[key] == t { // else it ended by itself, and another has begun
		delete(h.topics, key)
	}
}

// Wake has a subject asked at once, as something happened to it in this process.
func (h *Hub) Wake(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[key]; t != nil {
		select {
		case t.wake <- struct{}{}:
		default: // it is about to be asked
		}
	}
}

// poll asks the source until nobody listens, or until there is nothing more to
// tell. A fault ends the streams: browsers come again, and hear its reason.
func (h *Hub) poll(ctx context.Context, key string, t *topic, source Source) {
	tick := time.NewTicker(h.cfg.Interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-t.wake:
		}
		e, err := source(ctx)
		if h.tell(t, e); err != nil || e.Last {
			h.end(key, t)
			return
		}
	}
}

// tell hands an event to all listeners; one that is too slow is let go.
func (h *Hub) tell(t *topic, e Event) {
	if len(e.Data) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for listener := range t.listeners {
		select {
		case listener <- e:
		default:
			delete(t.listeners, listener)
			close(listener)
		}
	}
}

func (h *Hub) end(key string, t *topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for listener := range t.listeners {
		delete(t.listeners, listener)
		close(listener)
	}
	t.stop()
	if h.topics[key] == t {
		delete(h.topics, key)
	}
}

package render

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"sync"
)

// conn speaks the browser's protocol over the two pipes of
// --remote-debugging-pipe: JSON messages that end with a zero byte.
//
// Writes go through a goroutine of their own: a browser that is stopped leaves
// its pipe full, and a caller must still be able to give up.
type conn struct {
	r   io.ReadCloser
	w   io.WriteCloser
	out chan []byte

	mu       sync.Mutex
	last     int64
	pending  map[int64]chan<- answer
	handlers map[string]func(method string, params []byte)

	done     chan struct{} // closed when the connection is lost
	doneOnce sync.Once
	loops    sync.WaitGroup
}

// answer is what a command came back with.
type answer struct {
	result []byte
	err    error
}

func newConn(r io.ReadCloser, w io.WriteCloser) *conn {
	c := &conn{
		r: r, w: w,
		out:      make(chan []byte, 16),
		pending:  map[int64]chan<- answer{},
		handlers: map[string]func(string, []byte){},
		done:     make(chan struct{}),
	}
	c.loops.Go(c.readLoop)
	c.loops.Go(c.writeLoop)
	return c
}

// close ends the connection; the browser exits when its pipe ends.
func (c *conn) close() {
	c.lose()
	c.r.Close()
	c.w.Close()
	c.loops.Wait()
}

func (c *conn) lose() {
	c.doneOnce.Do(func() { close(c.done) })
}

// handle calls fn for the events of a session, in order, until unhandle. It
// must not wait for the browser: nothing else is read meanwhile.
func (c *conn) handle(session string, fn func(method string, params []byte)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handlers[session] = fn
}

func (c *conn) unhandle(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.handlers, session)
}

// call sends a command and waits for its answer.
func (c *conn) call(ctx context.Context, session, method string, p *params) ([]byte, error) {
	cmd, err := c.send(ctx, session, method, p)
	if err != nil {
		return nil, err
	}
	return cmd.wait(ctx)
}

// command is one that was sent and not yet answered.
type command struct {
	c      *conn
	id     int64
	answer chan answer
}

// send sends a command without waiting, so that the next can follow at once.
func (c *conn) send(ctx context.Context, session, method string, p *params) (*command, error) {
	cmd := &command{c: c, answer: make(chan answer, 1)}
	c.mu.Lock()
	c.last++
	cmd.id = c.last
	c.pending[cmd.id] = cmd.answer
	c.mu.Unlock()
	select {
	case c.out <- envelope(cmd.id, session, method, p.bytes()):
		return cmd, nil
	case <-c.done:
		c.forget(cmd.id)
		return nil, errLost
	case <-ctx.Done():
		c.forget(cmd.id)
		return nil, ctx.Err()
	}
}

func (cmd *command) wait(ctx context.Context) ([]byte, error) {
	select {
	case a := <-cmd.answer:
		return a.result, a.err
	case <-ctx.Done():
		cmd.c.forget(cmd.id)
		return nil, ctx.Err()
	case <-cmd.c.done:
		cmd.c.forget(cmd.id)
		return nil, errLost
	}
}

func (c *conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}

// envelope writes the parameters last and in place: they can be the whole
// document.
func envelope(id int64, session, method string, params []byte) []byte {
	b := make([]byte, 0, len(params)+len(session)+len(method)+64)
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(b, `,"method":"`...)
	b = append(b, method...)
	if session != "" {
		b = append(b, `","sessionId":"`...)
		b = append(b, session...)
	}
	b = append(b, `","params":`...)
	b = append(b, params...)
	return append(b, '}', 0)
}

func (c *conn) writeLoop() {
	for {
		select {
		case b := <-c.out:
			if _, err := c.w.Write(b); err != nil {
				c.lose()
				return
			}
		case <-c.done:
			return
		}
	}
}

func (c *conn) readLoop() {
	defer c.lose()
	br := bufio.NewReaderSize(c.r, 256<<10)
	for {
		b, err := br.ReadBytes(0)
		if err != nil {
			return
		}
		c.dispatch(b[:len(b)-1])
	}
}

// dispatch hands a message to whoever waits for it. Answers to commands that
// were given up are dropped.
func (c *conn) dispatch(b []byte) {
	var m message
	if err := m.read(b); err != nil {
		return
	}
	c.mu.Lock()
	waiting := c.pending[m.id]
	delete(c.pending, m.id)
	handler := c.handlers[m.session]
	c.mu.Unlock()
	switch {
	case m.method != "":
		if handler != nil {
			handler(m.method, m.params)
		}
	case waiting != nil:
		waiting <- m.answer()
	}
}

// message is one message of the browser; the slices point into its bytes.
type message struct {
	id              int64
	session, method string
	params, result  []byte
	fault           []byte
}

func (m *message) read(b []byte) error {
	return eachMember(b, func(key string, value []byte) {
		switch key {
		case "id":
			m.id, _ = strconv.ParseInt(string(value), 10, 64)
		case "sessionId":
			m.session = string(rawString(value))
		case "method":
			m.method = string(rawString(value))
		case "params":
			m.params = value
		case "result":
			m.result = value
		case "error":
			m.fault = value
		}
	})
}

func (m *message) answer() answer {
	if m.fault == nil {
		return answer{result: m.result}
	}
	p := &protocolError{}
	if err := json.Unmarshal(m.fault, p); err != nil {
		p.Message = string(m.fault)
	}
	return answer{err: p}
}

package deliver

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// tunnel is a proxy on this machine, for one delivery, that connects through
// the guard. Libraries that open connections themselves are told to use it. Its
// address holds a password, so that it serves nobody else.
type tunnel struct {
	address  *url.URL
	d        *delivery
	life     context.Context
	password string
	server   *http.Server

	mu     sync.Mutex
	failed error // of the last connection that could not be made
}

func (d *delivery) openTunnel(life context.Context) (*tunnel, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, temporary("no port of this machine is free: %s", reason(err))
	}
	t := &tunnel{d: d, life: life, password: rand.Text()}
	t.address = &url.URL{Scheme: "http", Host: l.Addr().String(), User: url.UserPassword("quire", t.password)}
	t.server = &http.Server{Handler: t, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = t.server.Serve(l) }() // ends with close
	return t, nil
}

// close ends the proxy; its connections end with the delivery's life.
func (t *tunnel) close() { _ = t.server.Close() }

func (t *tunnel) lastFailure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

func (t *tunnel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("quire:"+t.password))
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Proxy-Authorization")), []byte(want)) != 1 {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if r.Method != http.MethodConnect {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	out, err := t.d.dial(t.life, r.Context(), r.Host, t.d.env.idle())
	if err != nil {
		t.mu.Lock()
		t.failed = unreachable(t.life, hostOf(r.Host), err)
		t.mu.Unlock()
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer out.Close()
	in, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	if _, err := io.WriteString(in, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	ended := make(chan struct{}, 2)
	for _, way := range []struct {
		to   io.Writer
		from io.Reader
	}{{out, buffered}, {in, out}} {
		go func() { _, _ = io.Copy(way.to, way.from); ended <- struct{}{} }()
	}
	<-ended // closing both ends then ends the other way too
}

func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}

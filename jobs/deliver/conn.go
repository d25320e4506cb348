package deliver

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/quire-reports/quire/internal/tracing"
)

// dial connects to a host through the guard. Reading or writing that stalls
// fails after the idle time; the connection ends with its life, which is longer
// than the context of the dialling.
func (d *delivery) dial(life, ctx context.Context, address string, idle time.Duration) (net.Conn, error) {
	if d.env.Egress == nil {
		return nil, permanent("no outgoing connections can be made here")
	}
	conn, err := d.env.Egress.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(life, func() { _ = conn.Close() })
	return &idleConn{Conn: conn, idle: idle, stop: stop}, nil
}

// idleConn gives every read and write its own time limit, in place of limits
// for a whole exchange, which large documents would meet. Writing gives a read
// that waits meanwhile more time: HTTP clients wait for the answer from the
// beginning of a long upload.
type idleConn struct {
	net.Conn
	idle time.Duration
	stop func() bool
}

func (c *idleConn) Read(p []byte) (int, error) {
	_ = c.Conn.SetReadDeadline(time.Now().Add(c.idle))
	return c.Conn.Read(p)
}

func (c *idleConn) Write(p []byte) (int, error) {
	_ = c.Conn.SetDeadline(time.Now().Add(c.idle))
	return c.Conn.Write(p)
}

func (c *idleConn) Close() error {
	c.stop()
	return c.Conn.Close()
}

// SetDeadline and its kin are the idle time's business alone.
func (c *idleConn) SetDeadline(time.Time) error      { return nil }
func (c *idleConn) SetReadDeadline(time.Time) error  { return nil }
func (c *idleConn) SetWriteDeadline(time.Time) error { return nil }

func (d *delivery) tls(host string) *tls.Config {
	return &tls.Config{ServerName: host, RootCAs: d.env.Roots, MinVersion: tls.VersionTLS12}
}

// http is a client for one delivery, whose connections end with its life. It follows no redirects: what it sends is
// meant for one server. Close its idle connections.
func (d *delivery) http(life context.Context) *http.Client {
	return &http.Client{
		Transport: tracing.Transport(&http.Transport{
			DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
				return d.dial(life, ctx, address, d.env.idle())
			},
			TLSClientConfig:        d.tls(""),
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  d.env.idle(),
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: 256 << 10,
		}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// address reads the address of a web service and checks it.
func (d *delivery) address(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, permanent("the address of the connection cannot be read; write one such as https://example.com/inbox")
	}
	if d.env.Egress == nil {
		return nil, permanent("no outgoing connections can be made here")
	}
	if err := d.env.Egress.Check(u); err != nil {
		return nil, permanent("%s", err)
	}
	return u, nil
}

package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/quire-reports/quire/report/budget"
)

// Failed is a request that was allowed and did not come to an answer.
type Failed struct {
	Host    string
	Reason  string
	Err     error // for the log
	Unknown bool  // the host is not known, which is told like one that is refused
}

// Error names the host and what went wrong.
func (f *Failed) Error() string {
	if f.Unknown {
		return (&Refused{Host: f.Host, Reason: noPublicHost, Allowable: true}).Error()
	}
	return fmt.Sprintf("the host %q did not answer: %s", f.Host, f.Reason)
}

// Unwrap is the cause.
func (f *Failed) Unwrap() error { return f.Err }

// TooLarge is an answer over the limit.
type TooLarge struct {
	Host  string
	Limit int64
}

// Error names the host and the limit.
func (t *TooLarge) Error() string {
	return fmt.Sprintf("the answer of the host %q is larger than the limit of %s", t.Host, size(t.Limit))
}

func size(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// Response is an answer, read whole.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	URL    *url.URL // where it came from, after redirects
}

// Fetch makes a request and reads its answer. Errors are *Refused, *Failed,
// *TooLarge or the context's own; none shows more of the address than the host.
func (g *Guard) Fetch(ctx context.Context, req *http.Request) (*Response, error) {
	if err := g.Check(req.URL); err != nil {
		return nil, err
	}
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, g.config.Timeout)
	defer cancel()
	res, err := g.client.Load().Do(req.WithContext(ctx))
	if err != nil {
		return nil, g.explain(parent, req, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(&counted{Reader: io.LimitReader(res.Body, g.config.MaxBytes+1), spend: budget.Meter(ctx)})
	if err != nil {
		return nil, g.explain(parent, req, err)
	}
	host := res.Request.URL.Hostname()
	if int64(len(body)) > g.config.MaxBytes {
		return nil, &TooLarge{host, g.config.MaxBytes}
	}
	return &Response{Status: res.StatusCode, Header: res.Header, Body: body, URL: res.Request.URL}, nil
}

// counted tells of the memory that an answer takes: it is copied while it grows.
type counted struct {
	io.Reader
	spend func(bytes int64) error
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if refused := c.spend(2 * int64(n)); refused != nil {
		return 0, &unpaid{refused}
	}
	return n, err
}

// unpaid is an answer for which there is no memory.
type unpaid struct{ error }

// Get is Fetch of an address.
func (g *Guard) Get(ctx context.Context, address string) (*Response, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, &Refused{Host: address, Reason: "it is no address; write one such as https://example.com/data"}
	}
	return g.Fetch(ctx, req)
}

// explain words what the HTTP client says, without the address, which may
// carry secrets.
func (g *Guard) explain(parent context.Context, req *http.Request, err error) error {
	if parent.Err() != nil {
		return parent.Err()
	}
	var poor *unpaid
	if errors.As(err, &poor) {
		return poor.error
	}
	var refused *Refused
	var failed *Failed
	if errors.As(err, &refused) {
		return refused
	}
	if errors.As(err, &failed) {
		return failed
	}
	host := req.URL.Hostname()
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return &Failed{Host: host, Reason: fmt.Sprintf("no answer within %v", g.config.Timeout.Round(time.Millisecond)), Err: err}
	}
	return &Failed{Host: host, Reason: Plain(err), Err: err}
}

// checkRedirect treats the next address like a first one. Headers that were
// meant for one server, keys among them, do not follow to another.
func (g *Guard) checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > g.config.MaxRedirects {
		return &Failed{Host: via[0].URL.Hostname(), Reason: fmt.Sprintf("it redirects more than %d times", g.config.MaxRedirects)}
	}
	if err := g.Check(next.URL); err != nil {
		return err
	}
	if origin(next.URL) != origin(via[0].URL) {
		if next.Body != nil && next.Body != http.NoBody {
			return &Failed{Host: via[0].URL.Hostname(), Reason: fmt.Sprintf("it sends the request's body on to another host, %q", next.URL.Hostname())}
		}
		keepOnly(next.Header, "Accept", "Accept-Language", "User-Agent", "Content-Type")
	}
	return nil
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

func keepOnly(h http.Header, names ...string) {
	kept := http.Header{}
	for _, n := range names {
		if v := h.Values(n); len(v) > 0 {
			kept[n] = v
		}
	}
	clear(h)
	for n, v := range kept {
		h[n] = v
	}
}

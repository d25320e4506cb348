package deliver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/net/http/httpguts"

	"github.com/quire-reports/quire/report"
)

var webhook = probed(define(EventType, "Webhook", "A signed request to a web service of one's own, with the documents or with where to fetch them.", deliverWebhook), probeWebhook)

type webhookConnection struct {
	Address report.Secret   `json:"address" leads:"true" label:"Address" editor:"secret" required:"true" help:"Such as https://example.com/hooks/reports"`
	Secret  report.Secret   `json:"secret" label:"Secret of the signature" editor:"secret" required:"true" help:"At least 16 characters. The header Quire-Signature is t=…,v1=…: the time in seconds, and the HMAC-SHA256, with this secret, of that time, a dot and the body."`
	Headers []webhookHeader `json:"headers" label:"Headers" help:"Sent besides, such as Authorization."`
}

type webhookHeader struct {
	Name  string        `json:"name" label:"Name" editor:"text" required:"true"`
	Value report.Secret `json:"value" label:"Value" editor:"secret"`
}

// ownHeaders are those that are ours to set.
var ownHeaders = []string{"Host", "Connection", "Transfer-Encoding", "Content-Length", "Content-Type", "Expect", "Trailer", "Idempotency-Key", "Quire-Signature"}

func (c *webhookConnection) validate(path string) report.Problems {
	var problems report.Problems
	if len(c.Secret) < 16 {
		problems = append(problems, report.Problemf(report.JoinPath(path, "secret"), "must have at least 16 characters"))
	}
	for i, h := range c.Headers {
		at := fmt.Sprintf("%s[%d]", report.JoinPath(path, "headers"), i)
		switch {
		case !httpguts.ValidHeaderFieldName(h.Name):
			problems = append(problems, report.Problemf(at+".name", "%q is no name of a header", plain(h.Name)))
		case slices.Contains(ownHeaders, http.CanonicalHeaderKey(h.Name)):
			problems = append(problems, report.Problemf(at+".name", "the header %s is set by the delivery itself", h.Name))
		case !httpguts.ValidHeaderFieldValue(h.Value.Reveal()):
			problems = append(problems, report.Problemf(at+".value", "the value of the header %s contains a line break or another control character", h.Name))
		}
	}
	return problems
}

type webhookSettings struct {
	Content    string `json:"content" label:"Content" enum:"json,multipart" default:"json" help:"json: what the documents are and, where there are links, where to fetch them; multipart: a form with that JSON as its part delivery, and the documents as parts document."`
	Repeatable bool   `json:"repeatable" label:"Receiver knows repetitions" default:"true" help:"Whether the receiver passes over a request whose Idempotency-Key it has had. If it does not, a request whose answer was lost is not sent again."`
}

// deliverWebhook sends one request. All attempts of a delivery send the same
// key and the same body.
func deliverWebhook(ctx context.Context, d *delivery, conn *webhookConnection, set *webhookSettings) (Receipt, error) {
	address, err := d.address(conn.Address.Reveal())
	if err != nil {
		return Receipt{}, err
	}
	host := address.Hostname()
	receipt := Receipt{State: Uncertain, Reference: "quire-" + d.tag}
	if d.interrupted && !set.Repeatable {
		return receipt, uncertain("an earlier attempt was interrupted and may have reached the host %q; ask its operator for the request %s, then send it again by hand or mark it as delivered", host, receipt.Reference)
	}
	body, err := newHookBody(ctx, d, conn.Secret, set.Content == "multipart")
	if err != nil {
		return Receipt{}, err
	}
	failure := d.request(ctx, conn, address, body, set.Repeatable, receipt.Reference)
	switch {
	case failure != nil && failure.Uncertain:
		return receipt, failure
	case failure != nil:
		return Receipt{}, failure
	}
	receipt.State = Sent
	for _, doc := range d.docs {
		receipt.Items = append(receipt.Items, Item{Name: doc.name, Place: host, Size: doc.Size, SHA256: doc.sum})
	}
	return receipt, nil
}

// request signs a body and sends it.
func (d *delivery) request(ctx context.Context, conn *webhookConnection, address *url.URL, body *hookBody, repeatable bool, key string) *Error {
	signature, err := body.sign(ctx, conn.Secret, d.env.now().Unix())
	if err != nil {
		return asError(ctx, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address.String(), nil)
	if err != nil {
		return permanent("the address of the connection cannot be read")
	}
	for _, h := range conn.Headers {
		req.Header.Add(h.Name, h.Value.Reveal())
	}
	req.Header.Set("Content-Type", body.contentType)
	req.Header.Set("Quire-Signature", signature)
	req.Header.Set("Idempotency-Key", key)
	return d.post(req, body, repeatable, key)
}

// post sends the request and judges the answer.
func (d *delivery) post(req *http.Request, body *hookBody, repeatable bool, key string) *Error {
	ctx, host := req.Context(), req.URL.Hostname()
	client := d.http(ctx)
	defer client.CloseIdleConnections()
	var written atomic.Bool // the whole of it
	trace := &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) { written.Store(info.Err == nil) }}
	req = req.WithContext(httptrace.WithClientTrace(ctx, trace))
	req.Body, req.ContentLength = body.stream(ctx), body.size
	res, err := client.Do(req)
	lost := func(what string) *Error {
		return uncertain("%s, and the request %s may have arrived; ask the operator of the host %q, then send it again by hand or mark it as delivered", what, key, host)
	}
	switch {
	case err == nil:
		defer done(res)
	case !repeatable && written.Load():
		return lost("the connection broke before an answer came")
	case body.failed() != nil:
		return asError(ctx, body.failed())
	default:
		return unreachable(ctx, host, withoutURL(err))
	}
	switch {
	case res.StatusCode >= 200 && res.StatusCode < 300:
		return nil
	case !repeatable && (res.StatusCode == http.StatusBadGateway || res.StatusCode == http.StatusGatewayTimeout):
		return lost("a server on the way gave up waiting for the answer")
	}
	e := answered(host, "the request", res, d.env.now())
	if res.StatusCode == http.StatusConflict && repeatable { // the first one is still being worked on
		e.Permanent, e.RetryAfter = false, retryAfter(res.Header.Get("Retry-After"), d.env.now())
	}
	if words, _ := io.ReadAll(io.LimitReader(res.Body, 1000)); len(words) > 0 && strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") {
		e.Message += "; it says: " + plain(string(words))
	}
	return e
}

// sign measures the body and signs it.
func (b *hookBody) sign(ctx context.Context, secret report.Secret, at int64) (string, error) {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	t := strconv.FormatInt(at, 10)
	_, _ = io.WriteString(mac, t+".")
	counted := &countingWriter{to: mac}
	if err := b.write(ctx, counted); err != nil {
		return "", err
	}
	b.size = counted.n
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil)), nil
}

type countingWriter struct {
	to io.Writer
	n  int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// probeWebhook sends a signed event of its own kind, which says that it is a
// test.
func probeWebhook(ctx context.Context, d *delivery, conn *webhookConnection) (string, error) {
	address, err := d.address(conn.Address.Reveal())
	if err != nil {
		return "", err
	}
	event, err := json.Marshal(map[string]any{"type": "connection.test", "at": report.Timestamp(d.env.now())})
	if err == nil {
		err = d.tell(ctx, conn, event)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the host %s took a signed request of the type connection.test", address.Hostname()), nil
}

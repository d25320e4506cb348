package deliver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"sync"

	"golang.org/x/oauth2"

	"github.com/quire-reports/quire/report"
)

// cloudApp is what all drives ask for: the application that was registered with
// the provider, and the sign-in of a user to it.
type cloudApp struct {
	ClientID     string        `json:"clientId" label:"Client ID" editor:"text" help:"Of the application that you register with the provider: in the Google Cloud console, in Microsoft Entra or in the App Console of Dropbox."`
	ClientSecret report.Secret `json:"clientSecret" label:"Client secret" editor:"secret"`
	Token        report.Secret `json:"token" label:"Token" editor:"secret-text" help:"What signing in gave: JSON with access_token, refresh_token and expiry, as the command rclone authorize prints it; or the refresh token alone. It is renewed by itself."`
	Folder       string        `json:"folder" label:"Folder" editor:"text" help:"Deliveries write below it. Empty means the top of the drive."`
}

func (c *cloudApp) check(path string) report.Problems {
	var problems report.Problems
	var token struct {
		Access string `json:"access_token"`
	}
	if c.Token != "" && (json.Unmarshal([]byte(c.Token), &token) != nil || token.Access == "") {
		problems = append(problems, report.Problemf(report.JoinPath(path, "token"), "is no JSON with an access_token; paste what the command rclone authorize prints"))
	}
	if _, err := SafePath(c.Folder); err != nil {
		problems = append(problems, report.Problemf(report.JoinPath(path, "folder"), "%s", err))
	}
	return problems
}

// checkSignedIn is check for drives that know no other way than a token.
func (c *cloudApp) checkSignedIn(path string) report.Problems {
	switch {
	case c.Token == "":
		return report.Problems{report.Problemf(report.JoinPath(path, "token"), "is missing; sign in first")}
	case c.ClientID == "":
		return report.Problems{report.Problemf(report.JoinPath(path, "clientId"), "is missing; register an application with the provider")}
	}
	return c.check(path)
}

// cloud speaks with a provider of a drive for one delivery.
type cloud struct {
	d      *delivery
	label  string // "OneDrive"
	folder string // of the connection
	client *http.Client
	tokens oauth2.TokenSource
	signIn string // host that renews tokens
	last   string // access token that the connection keeps
	end    func() // of its connections
}

// openCloud makes ready to use a drive, signed in by the connection's token;
// close it in the end.
func openCloud(ctx context.Context, d *delivery, label string, app *cloudApp, endpoint oauth2.Endpoint) (*cloud, error) {
	c, err := newCloud(ctx, d, label, app.Folder, endpoint.TokenURL)
	if err != nil {
		return nil, err
	}
	var token oauth2.Token
	if err := json.Unmarshal([]byte(app.Token), &token); err != nil {
		return nil, permanent("the token of the connection cannot be read; sign in again")
	}
	config := &oauth2.Config{ClientID: app.ClientID, ClientSecret: app.ClientSecret.Reveal(), Endpoint: endpoint}
	c.last, c.tokens = token.AccessToken, config.TokenSource(c.signingIn(ctx), &token)
	return c, nil
}

// newCloud is a drive that nobody is signed in to yet.
func newCloud(ctx context.Context, d *delivery, label, folder, tokenURL string) (*cloud, error) {
	below, err := SafePath(folder)
	if err != nil {
		return nil, err
	}
	at, err := d.address(tokenURL)
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx)) // longer than a delivery that is stopped: uploads are given up after it
	return &cloud{d: d, label: label, folder: below, client: d.http(life), signIn: at.Hostname(), end: end}, nil
}

// signingIn is a context in which tokens are fetched by the drive's client.
func (c *cloud) signingIn(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, c.client)
}

func (c *cloud) close() {
	c.client.CloseIdleConnections()
	c.end()
}

func (c *cloud) at(p string) string    { return path.Join(c.folder, p) }
func (c *cloud) place(p string) string { return c.label + ": " + path.Join("/", c.folder, p) }

// token is the access token, renewed when that is due.
func (c *cloud) token(ctx context.Context) (string, error) {
	token, err := c.tokens.Token()
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < 500 && refused.Response.StatusCode != http.StatusTooManyRequests:
		return "", c.signedOut(refused.ErrorCode)
	case err != nil:
		return "", unreachable(ctx, c.signIn, withoutURL(err))
	}
	if c.last != "" && token.AccessToken != c.last {
		c.last = token.AccessToken
		if text, err := json.Marshal(token); err == nil {
			c.d.learn("token", string(text))
		}
	}
	return token.AccessToken, nil
}

// answered words an HTTP status that is no success.
func (c *cloud) answered(doing, p string, res *http.Response) *Error {
	if res.StatusCode == http.StatusUnauthorized {
		return c.signedOut("401")
	}
	return answered(res.Request.URL.Hostname(), doing+" "+c.place(p), res, c.d.env.now())
}

func (c *cloud) signedOut(why string) *Error {
	return permanent("%s no longer accepts the sign-in of the connection: %s; sign in again", c.label, plain(why))
}

// do makes a request, signed in if the address is not one with its own secret;
// the answer must be closed. The body is not read any more then.
func (c *cloud) do(ctx context.Context, signed bool, method, address string, body io.Reader, size int64, headers ...string) (*http.Response, error) {
	lent := &lentBody{from: body}
	req, err := http.NewRequestWithContext(ctx, method, address, lent)
	if err != nil {
		return nil, permanent("%s gave an address that cannot be read", c.label)
	}
	if req.ContentLength = size; size == 0 {
		req.Body = http.NoBody
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if signed {
		token, err := c.token(ctx)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+token)
	} else if err := c.d.env.Egress.Check(req.URL); err != nil {
		return nil, permanent("%s", err)
	}
	res, err := c.client.Do(req)
	if err != nil {
		lent.takeBack()
		return nil, unreachable(ctx, req.URL.Hostname(), withoutURL(err))
	}
	res.Body = &answerBody{res.Body, lent}
	return res, nil
}

// lentBody is a body that an HTTP client may still be reading when it has
// answered; taken back, it is not read any more.
type lentBody struct {
	mu   sync.Mutex
	from io.Reader
}

func (b *lentBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.from == nil {
		return 0, io.ErrUnexpectedEOF
	}
	return b.from.Read(p)
}

func (b *lentBody) takeBack() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.from = nil
}

type answerBody struct {
	io.ReadCloser
	lent *lentBody
}

func (b *answerBody) Close() error {
	b.lent.takeBack()
	return b.ReadCloser.Close()
}

// readJSON reads an answer of a bounded length and closes it.
func (c *cloud) readJSON(res *http.Response, v any) error {
	defer done(res)
	if err := json.NewDecoder(io.LimitReader(res.Body, 4<<20)).Decode(v); err != nil {
		return temporary("an answer of %s cannot be read", c.label)
	}
	return nil
}

// hashed compares by the kind of hash that a drive keeps.
func hashed(there string, hash func(r io.Reader) (string, error)) func(context.Context, *document) (same, known bool) {
	return func(ctx context.Context, doc *document) (same, known bool) {
		r, err := doc.open(ctx)
		if err != nil || there == "" {
			return false, false
		}
		defer r.Close()
		sum, err := hash(r)
		return sum == there, err == nil
	}
}

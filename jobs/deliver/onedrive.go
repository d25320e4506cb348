package deliver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"golang.org/x/oauth2"

	"github.com/quire-reports/quire/report"
)

var oneDrive = probed(define("onedrive", "OneDrive and SharePoint", "A folder in a drive of Microsoft 365: a person's, or a library of a SharePoint site.", deliverOneDrive), probeOneDrive)

type oneDriveConnection struct {
	cloudApp
	DriveID string `json:"driveId" label:"Drive" editor:"text" required:"true" help:"ID of the drive or document library, as Microsoft Graph tells it."`
	Tenant  string `json:"tenant" label:"Tenant" editor:"text" default:"common" help:"ID of the directory in which the application is registered, if it is for that one only."`
}

func (c *oneDriveConnection) validate(path string) report.Problems { return c.checkSignedIn(path) }

// deliverOneDrive speaks Microsoft Graph itself and not through rclone, whose
// drive for it leaves a goroutine behind for each use, or races ending it.
func deliverOneDrive(ctx context.Context, d *delivery, conn *oneDriveConnection, set *fileSettings) (Receipt, error) {
	g, done, err := openOneDrive(ctx, d, conn)
	if err != nil {
		return Receipt{}, err
	}
	defer done()
	return placeFiles(ctx, g, *set, d.docs)
}

// openOneDrive makes ready to use a drive; done has to be called in the end.
func openOneDrive(ctx context.Context, d *delivery, conn *oneDriveConnection) (files *graphFiles, done func(), err error) {
	folder, err := SafePath(conn.Folder)
	if err != nil {
		return nil, nil, err
	}
	if d.env.Egress == nil {
		return nil, nil, permanent("no outgoing connections can be made here")
	}
	var token oauth2.Token
	if err := json.Unmarshal([]byte(conn.Token), &token); err != nil {
		return nil, nil, permanent("the token of the connection cannot be read; sign in again")
	}
	client := d.http(ctx)
	config := &oauth2.Config{ClientID: conn.ClientID, ClientSecret: conn.ClientSecret.Reveal(), Endpoint: conn.endpoint()}
	g := &graphFiles{d: d, client: client, last: token.AccessToken, folder: folder, drive: conn.DriveID}
	g.tokens = config.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, client), &token)
	return g, client.CloseIdleConnections, nil
}

// graphFiles keeps files in a drive of Microsoft Graph.
type graphFiles struct {
	d             *delivery
	client        *http.Client
	tokens        oauth2.TokenSource
	last          string // access token
	drive, folder string
}

const graphHost = "graph.microsoft.com"

func (g *graphFiles) at(p string) string    { return path.Join(g.folder, p) }
func (g *graphFiles) place(p string) string { return "OneDrive: " + path.Join("/", g.folder, p) }

// item is the address of a file or folder, with what is asked of it.
func (g *graphFiles) item(at, what string) string {
	base := "https://" + graphHost + "/v1.0/drives/" + url.PathEscape(g.drive) + "/root"
	if at == "" || at == "." {
		return base + what
	}
	parts := strings.Split(at, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	address := base + ":/" + strings.Join(parts, "/")
	if what != "" {
		address += ":" + what
	}
	return address
}

// token is the access token, renewed when that is due.
func (g *graphFiles) token(ctx context.Context) (string, error) {
	token, err := g.tokens.Token()
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < 500:
		return "", permanent("OneDrive no longer accepts the sign-in of the connection: %s; sign in again", plain(refused.ErrorCode))
	case err != nil:
		return "", unreachable(ctx, "login.microsoftonline.com", withoutURL(err))
	}
	if token.AccessToken != g.last {
		g.last = token.AccessToken
		if text, err := json.Marshal(token); err == nil {
			g.d.learn("token", string(text))
		}
	}
	return token.AccessToken, nil
}

// do makes a request, signed in if the address is not one with its own secret;
// the answer must be closed.
func (g *graphFiles) do(ctx context.Context, signed bool, method, address string, body io.Reader, size int64, headers ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, permanent("OneDrive gave an address that cannot be read")
	}
	if body != nil {
		if req.ContentLength = size; size == 0 {
			req.Body = http.NoBody
		}
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if signed {
		token, err := g.token(ctx)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+token)
	} else if err := g.d.env.Egress.Check(req.URL); err != nil {
		return nil, permanent("%s", err)
	}
	res, err := g.client.Do(req)
	if err != nil {
		return nil, unreachable(ctx, req.URL.Hostname(), withoutURL(err))
	}
	return res, nil
}

// answer words an answer that is no success.
func (g *graphFiles) answer(doing, p string, res *http.Response) *Error {
	e := answered(graphHost, doing+" "+g.place(p), res, g.d.env.now())
	var said struct {
		Error struct{ Code, Message string }
	}
	if json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said) == nil && said.Error.Code != "" {
		e.Message += "; it says " + plain(said.Error.Code+": "+said.Error.Message)
	}
	return e
}

func (g *graphFiles) look(ctx context.Context, p string) (*foundFile, error) {
	res, err := g.do(ctx, true, http.MethodGet, g.item(g.at(p), ""), nil, 0)
	if err != nil {
		return nil, err
	}
	defer done(res)
	if res.StatusCode == http.StatusNotFound {
		return nil, nil
	}
	if res.StatusCode != http.StatusOK {
		return nil, g.answer("looking for", p, res)
	}
	var item struct {
		Size   int64
		Folder *struct{}
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&item); err != nil {
		return nil, temporary("OneDrive's answer about %s cannot be read", g.place(p))
	}
	if item.Folder != nil {
		return nil, permanent("%s is a folder; choose another name", g.place(p))
	}
	return &foundFile{size: item.Size}, nil
}

// read fetches a file from where Graph says that it is.
func (g *graphFiles) read(ctx context.Context, p string) (io.ReadCloser, error) {
	res, err := g.do(ctx, true, http.MethodGet, g.item(g.at(p), "/content"), nil, 0)
	if err == nil && res.StatusCode == http.StatusFound {
		done(res)
		res, err = g.do(ctx, false, http.MethodGet, res.Header.Get("Location"), nil, 0)
	}
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer done(res)
		return nil, g.answer("reading", p, res)
	}
	return res.Body, nil
}

// graphChunk is how much is sent at a time: a multiple of 320 KiB.
const graphChunk = 32 * 320 << 10

func (g *graphFiles) write(ctx context.Context, p string, doc *document, replace bool) error {
	conflict := "fail"
	if replace {
		conflict = "replace"
	}
	missing, err := g.send(ctx, p, doc, conflict)
	if missing {
		if err = g.makeFolders(ctx, path.Dir(g.at(p))); err == nil {
			_, err = g.send(ctx, p, doc, conflict)
		}
	}
	return err
}

// send uploads a document; missing tells that its folder is.
func (g *graphFiles) send(ctx context.Context, p string, doc *document, conflict string) (missing bool, err error) {
	from, err := doc.open(ctx)
	if err != nil {
		return false, err
	}
	defer from.Close()
	if doc.Size > graphChunk {
		return g.sendChunks(ctx, p, doc, conflict, from)
	}
	address := g.item(g.at(p), "/content?@microsoft.graph.conflictBehavior="+conflict)
	res, err := g.do(ctx, true, http.MethodPut, address, from, doc.Size, "Content-Type", doc.ContentType)
	if doc.failed() != nil {
		err = doc.failed()
	}
	if err != nil {
		return false, err
	}
	defer done(res)
	return g.written(p, res)
}

// written judges the answer to an upload.
func (g *graphFiles) written(p string, res *http.Response) (missing bool, err error) {
	switch res.StatusCode {
	case http.StatusOK, http.StatusCreated:
		return false, nil
	case http.StatusConflict, http.StatusPreconditionFailed:
		return false, errExists
	}
	return res.StatusCode == http.StatusNotFound, g.answer("writing", p, res)
}

// sendChunks uploads a large document; Graph keeps it with the last chunk.
func (g *graphFiles) sendChunks(ctx context.Context, p string, doc *document, conflict string, from io.Reader) (missing bool, err error) {
	ask := `{"item":{"@microsoft.graph.conflictBehavior":"` + conflict + `"}}`
	res, err := g.do(ctx, true, http.MethodPost, g.item(g.at(p), "/createUploadSession"), strings.NewReader(ask), int64(len(ask)), "Content-Type", "application/json")
	if err != nil {
		return false, err
	}
	defer done(res)
	if res.StatusCode != http.StatusOK {
		return g.written(p, res)
	}
	var session struct{ UploadURL string }
	if err := json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&session); err != nil || session.UploadURL == "" {
		return false, temporary("OneDrive gave no address to upload %s to", g.place(p))
	}
	g.d.scrub.add(session.UploadURL) // whoever has it can write
	for start := int64(0); start < doc.Size; start += graphChunk {
		size := min(graphChunk, doc.Size-start)
		if err = g.sendChunk(ctx, p, session.UploadURL, io.LimitReader(from, size), start, size, doc); err != nil {
			ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.d.env.idle())
			defer cancel()
			if res, err := g.do(ending, false, http.MethodDelete, session.UploadURL, nil, 0); err == nil {
				done(res)
			}
			return false, err
		}
	}
	return false, nil
}

func (g *graphFiles) sendChunk(ctx context.Context, p, address string, from io.Reader, start, size int64, doc *document) error {
	res, err := g.do(ctx, false, http.MethodPut, address, from, size, "Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, start+size-1, doc.Size))
	if doc.failed() != nil {
		err = doc.failed()
	}
	if err != nil {
		return err
	}
	defer done(res)
	if isLast := start+size == doc.Size; !isLast && res.StatusCode == http.StatusAccepted {
		return nil
	}
	_, err = g.written(p, res)
	return err
}

// makeFolders makes a folder and those above it.
func (g *graphFiles) makeFolders(ctx context.Context, folder string) error {
	above := ""
	for name := range strings.SplitSeq(folder, "/") {
		ask, err := json.Marshal(map[string]any{"name": name, "folder": struct{}{}, "@microsoft.graph.conflictBehavior": "fail"})
		if err != nil {
			return err
		}
		res, err := g.do(ctx, true, http.MethodPost, g.item(above, "/children"), strings.NewReader(string(ask)), int64(len(ask)), "Content-Type", "application/json")
		if err != nil {
			return err
		}
		if res.StatusCode >= 400 && res.StatusCode != http.StatusConflict { // which it is when it exists
			defer done(res)
			return g.answer("making the folder", name, res)
		}
		done(res)
		above = path.Join(above, name)
	}
	return nil
}

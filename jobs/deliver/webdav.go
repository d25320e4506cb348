package deliver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/quire-reports/quire/report"
)

var webDAV = probed(define("webdav", "WebDAV", "A folder of a web server, such as Nextcloud, ownCloud or SharePoint on one's own machine.", deliverWebDAV), probeWebDAV)

type webDAVConnection struct {
	Address  report.Secret `json:"address" leads:"true" label:"Address" editor:"secret" required:"true" help:"Of the folder that deliveries write below, such as https://cloud.example.com/remote.php/dav/files/reports"`
	Username string        `json:"username" leads:"true" label:"User name" editor:"text"`
	Password report.Secret `json:"password" label:"Password" editor:"secret"`
	Token    report.Secret `json:"token" label:"Token" editor:"secret" help:"Sent as Bearer, in place of user name and password."`
}

func deliverWebDAV(ctx context.Context, d *delivery, conn *webDAVConnection, set *fileSettings) (Receipt, error) {
	w, done, err := openWebDAV(ctx, d, conn)
	if err != nil {
		return Receipt{}, err
	}
	defer done()
	return placeFiles(ctx, w, *set, d.docs)
}

// openWebDAV makes ready to use a folder; done has to be called in the end.
func openWebDAV(ctx context.Context, d *delivery, conn *webDAVConnection) (files *webDAVFiles, done func(), err error) {
	base, err := d.address(conn.Address.Reveal())
	if err != nil {
		return nil, nil, err
	}
	base.RawQuery, base.Fragment = "", ""
	client := d.http(ctx)
	w := &webDAVFiles{d: d, client: client, base: base, conn: conn}
	if base.User != nil { // in the address, as many write it
		password, _ := base.User.Password()
		w.conn = &webDAVConnection{Username: base.User.Username(), Password: report.Secret(password), Token: conn.Token}
		base.User = nil
	}
	return w, client.CloseIdleConnections, nil
}

// webDAVFiles keeps files on a web server.
type webDAVFiles struct {
	d      *delivery
	client *http.Client
	base   *url.URL
	conn   *webDAVConnection
}

func (w *webDAVFiles) place(at string) string {
	return w.base.Scheme + "://" + w.base.Host + "/…/" + at
}
func (w *webDAVFiles) host() string              { return w.base.Hostname() }
func (w *webDAVFiles) doing(s, at string) string { return fmt.Sprintf("%s %s", s, w.place(at)) }

// url is the address of a path. JoinPath takes parts that are escaped already.
func (w *webDAVFiles) url(at string) *url.URL {
	parts := strings.Split(at, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return w.base.JoinPath(parts...)
}

// do makes a request; its answer must be closed.
func (w *webDAVFiles) do(ctx context.Context, method, at string, body io.Reader, size int64, headers ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, "", body)
	if err != nil {
		return nil, err
	}
	req.URL = w.url(at)
	req.Host = req.URL.Host
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if body != nil {
		req.ContentLength = size
		if size == 0 {
			req.Body = http.NoBody // an empty file, not one of unknown length
		}
	}
	switch {
	case w.conn.Token != "":
		req.Header.Set("Authorization", "Bearer "+w.conn.Token.Reveal())
	case w.conn.Username != "":
		req.SetBasicAuth(w.conn.Username, w.conn.Password.Reveal())
	}
	res, err := w.client.Do(req)
	if err != nil {
		return nil, unreachable(ctx, w.host(), withoutURL(err))
	}
	return res, nil
}

// withoutURL is what lies behind an error of the HTTP client, which would show
// the address.
func withoutURL(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// done reads the rest of an answer, so that its connection can be used again.
func done(res *http.Response) {
	_, _ = io.CopyN(io.Discard, res.Body, 64<<10)
	_ = res.Body.Close()
}

func (w *webDAVFiles) look(ctx context.Context, at string) (*foundFile, error) {
	res, err := w.do(ctx, http.MethodHead, at, nil, 0, "Accept-Encoding", "identity")
	if err != nil {
		return nil, err
	}
	defer done(res)
	switch {
	case res.StatusCode == http.StatusOK:
		return &foundFile{size: res.ContentLength}, nil
	case res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusConflict:
		return nil, nil
	case res.StatusCode == http.StatusMethodNotAllowed:
		return nil, permanent("%s is a folder; choose another name", w.place(at))
	}
	return nil, answered(w.host(), w.doing("looking for", at), res, w.d.env.now())
}

func (w *webDAVFiles) read(ctx context.Context, at string) (io.ReadCloser, error) {
	res, err := w.do(ctx, http.MethodGet, at, nil, 0, "Accept-Encoding", "identity")
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer done(res)
		return nil, answered(w.host(), w.doing("reading", at), res, w.d.env.now())
	}
	return res.Body, nil
}

// write sends a document under another name and moves it, because some servers
// keep what they have of an upload that breaks off.
func (w *webDAVFiles) write(ctx context.Context, at string, doc *document, replace bool) error {
	temp := path.Join(path.Dir(at), unfinishedName(w.d.tag, doc))
	missing, err := w.put(ctx, temp, at, doc)
	if missing {
		if err = w.makeFolders(ctx, path.Dir(at)); err == nil {
			_, err = w.put(ctx, temp, at, doc)
		}
	}
	if err == nil {
		err = w.move(ctx, temp, at, replace)
	}
	if err != nil {
		w.remove(ctx, temp)
	}
	return err
}

// put sends a document; missing tells that its folder is.
func (w *webDAVFiles) put(ctx context.Context, temp, at string, doc *document) (missing bool, err error) {
	from, err := doc.open(ctx)
	if err != nil {
		return false, err
	}
	defer from.Close()
	res, err := w.do(ctx, http.MethodPut, temp, from, doc.Size, "Content-Type", doc.ContentType, "Expect", "100-continue")
	if err != nil {
		return false, err
	}
	defer done(res)
	switch {
	case doc.failed() != nil:
		return false, doc.failed()
	case res.StatusCode == http.StatusOK || res.StatusCode == http.StatusCreated || res.StatusCode == http.StatusNoContent:
		return false, nil
	}
	missing = path.Dir(at) != "." && (res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusConflict)
	return missing, answered(w.host(), w.doing("writing", at), res, w.d.env.now())
}

func (w *webDAVFiles) makeFolders(ctx context.Context, folder string) error {
	var made string
	for part := range strings.SplitSeq(folder, "/") {
		made = path.Join(made, part)
		res, err := w.do(ctx, "MKCOL", made+"/", nil, 0)
		if err != nil {
			return err
		}
		done(res)
		// 405 is what there is already; 403 and others may be said of folders
		// further up, and the writing then tells.
		if res.StatusCode >= 500 || res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusTooManyRequests {
			return answered(w.host(), w.doing("making the folder", made), res, w.d.env.now())
		}
	}
	return nil
}

func (w *webDAVFiles) move(ctx context.Context, temp, at string, replace bool) error {
	overwrite := "F"
	if replace {
		overwrite = "T"
	}
	res, err := w.do(ctx, "MOVE", temp, nil, 0, "Destination", w.url(at).String(), "Overwrite", overwrite)
	if err != nil {
		return err
	}
	defer done(res)
	switch {
	case res.StatusCode == http.StatusCreated || res.StatusCode == http.StatusNoContent || res.StatusCode == http.StatusOK:
		return nil
	case res.StatusCode == http.StatusPreconditionFailed && !replace:
		return errExists
	}
	return answered(w.host(), w.doing("naming", at), res, w.d.env.now())
}

// remove takes away what was not finished, also when the delivery was stopped.
func (w *webDAVFiles) remove(ctx context.Context, temp string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.d.env.idle())
	defer cancel()
	if res, err := w.do(ctx, http.MethodDelete, temp, nil, 0); err == nil {
		done(res)
	}
}

// probeWebDAV asks for the properties of the folder.
func probeWebDAV(ctx context.Context, d *delivery, conn *webDAVConnection) (string, error) {
	w, done, err := openWebDAV(ctx, d, conn)
	if err != nil {
		return "", err
	}
	defer done()
	const ask = `<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>`
	res, err := w.do(ctx, "PROPFIND", "", strings.NewReader(ask), int64(len(ask)), "Depth", "0", "Content-Type", "application/xml")
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusMultiStatus:
		return fmt.Sprintf("the folder at %s can be reached", w.host()), nil
	case res.StatusCode == http.StatusOK || res.StatusCode == http.StatusMethodNotAllowed || res.StatusCode == http.StatusNotImplemented:
		return "", permanent("the host %q answers, but not as a WebDAV server; check the address of the connection", w.host())
	}
	return "", answered(w.host(), "looking at the folder", res, d.env.now())
}

package deliver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"unicode/utf16"

	"golang.org/x/oauth2"

	"github.com/quire-reports/quire/report"
)

var dropboxDrive = probed(define("dropbox", "Dropbox", "A folder in Dropbox.", deliverDropbox), probeDropbox)

type dropboxConnection struct {
	cloudApp
	Namespace string `json:"namespace" label:"Namespace" editor:"text" help:"ID of a team's space or of a shared folder that paths begin at. Empty means the member's own folder."`
}

func (c *dropboxConnection) validate(path string) report.Problems { return c.checkSignedIn(path) }

func (*dropboxConnection) provider() (oauth2.Endpoint, []string, []oauth2.AuthCodeOption) {
	endpoint := oauth2.Endpoint{AuthURL: "https://www.dropbox.com/oauth2/authorize", TokenURL: "https://" + dropboxAsk + "/oauth2/token", AuthStyle: oauth2.AuthStyleInParams}
	return endpoint, nil, []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("token_access_type", "offline")}
}

func deliverDropbox(ctx context.Context, d *delivery, conn *dropboxConnection, set *fileSettings) (Receipt, error) {
	x, err := openDropbox(ctx, d, conn)
	if err != nil {
		return Receipt{}, err
	}
	defer x.close()
	return placeFiles(ctx, x, *set, d.docs)
}

// probeDropbox looks for the folder of the connection, which need not be there.
func probeDropbox(ctx context.Context, d *delivery, conn *dropboxConnection) (string, error) {
	x, err := openDropbox(ctx, d, conn)
	if err != nil {
		return "", err
	}
	defer x.close()
	at := ""
	if x.folder != "" {
		at = x.path("")
	}
	res, err := x.ask(ctx, dropboxAsk, "list_folder", map[string]any{"path": at, "limit": 1}, nil, 0)
	if err != nil {
		return "", err
	}
	defer done(res)
	if res.StatusCode != http.StatusOK {
		if failure, tags := x.answer("looking at", "", res); tags != "path/not_found" {
			return "", failure
		}
	}
	return "Dropbox accepts the sign-in of the connection", nil
}

func openDropbox(ctx context.Context, d *delivery, conn *dropboxConnection) (*dropboxFiles, error) {
	endpoint, _, _ := conn.provider()
	c, err := openCloud(ctx, d, "Dropbox", &conn.cloudApp, endpoint)
	return &dropboxFiles{c, conn.Namespace}, err
}

// dropboxFiles keeps files in Dropbox, by path. Folders that are missing are
// made by what is written into them.
type dropboxFiles struct {
	*cloud
	namespace string
}

// The hosts for questions, and for contents.
const (
	dropboxAsk     = "api.dropboxapi.com"
	dropboxContent = "content.dropboxapi.com"
)

func (x *dropboxFiles) path(p string) string { return path.Join("/", x.folder, p) }

// ask makes a request. What it is about goes into the body of questions, and
// into a header where contents are.
func (x *dropboxFiles) ask(ctx context.Context, host, what string, about any, body io.Reader, size int64) (*http.Response, error) {
	text, err := headerJSON(about)
	if err != nil {
		return nil, err
	}
	var headers []string
	switch {
	case host == dropboxAsk:
		headers = []string{"Content-Type", "application/json"}
		body, size = strings.NewReader(text), int64(len(text))
	case what == "download":
		headers = []string{"Dropbox-API-Arg", text}
	default:
		headers = []string{"Dropbox-API-Arg", text, "Content-Type", "application/octet-stream"}
	}
	if x.namespace != "" {
		root, err := headerJSON(map[string]string{".tag": "namespace_id", "namespace_id": x.namespace})
		if err != nil {
			return nil, err
		}
		headers = append(headers, "Dropbox-API-Path-Root", root)
	}
	return x.do(ctx, true, http.MethodPost, "https://"+host+"/2/files/"+what, body, size, headers...)
}

// headerJSON is JSON that can stand in a header: of ASCII alone.
func headerJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range string(text) {
		if r < 0x7f {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String(), nil
}

// answer words an answer that is no success. Its tags are those of the error
// and what is in it, such as path/conflict/file.
func (x *dropboxFiles) answer(doing, p string, res *http.Response) (e *Error, tags string) {
	e, tags, _ = x.fault(doing, p, res)
	return e, tags
}

func (x *dropboxFiles) fault(doing, p string, res *http.Response) (e *Error, tags string, offset int64) {
	e = x.answered(doing, p, res)
	var said struct{ Error json.RawMessage }
	if json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said) != nil {
		return e, "", -1
	}
	tags, offset = dropboxTags(said.Error)
	switch {
	case res.StatusCode == http.StatusUnauthorized && tags != "missing_scope":
		return x.signedOut(tags), tags, offset
	case strings.Contains(tags, "too_many_"):
		e.Permanent, e.RetryAfter = false, retryAfter(res.Header.Get("Retry-After"), x.d.env.now())
	case strings.Contains(tags, "conflict/folder"):
		return permanent("%s is a folder; choose another name", x.place(p)), tags, offset
	case strings.Contains(tags, "conflict/file_ancestor"):
		return permanent("the folder of %s is a file; choose another folder", x.place(p)), tags, offset
	}
	if tags != "" {
		e.Message += "; it says " + plain(tags)
	}
	return e, tags, offset
}

// dropboxTags are the tags of an error from the outside in, and where an upload
// goes on, if it tells; else -1.
func dropboxTags(text json.RawMessage) (tags string, offset int64) {
	var e map[string]json.RawMessage
	if json.Unmarshal(text, &e) != nil {
		_ = json.Unmarshal(text, &tags) // of a version of it without anything inside
		return tags, -1
	}
	_ = json.Unmarshal(e[".tag"], &tags)
	if json.Unmarshal(e["correct_offset"], &offset) != nil {
		offset = -1
	}
	for _, name := range []string{tags, "reason"} {
		if inner, there := e[name]; there {
			more, inside := dropboxTags(inner)
			return strings.Trim(tags+"/"+more, "/"), max(offset, inside)
		}
	}
	return tags, offset
}

func (x *dropboxFiles) look(ctx context.Context, p string) (*foundFile, error) {
	res, err := x.ask(ctx, dropboxAsk, "get_metadata", map[string]any{"path": x.path(p)}, nil, 0)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer done(res)
		failure, tags := x.answer("looking for", p, res)
		if tags == "path/not_found" {
			return nil, nil
		}
		return nil, failure
	}
	var found struct {
		Tag  string `json:".tag"`
		Size int64  `json:"size"`
		Hash string `json:"content_hash"`
	}
	if err := x.readJSON(res, &found); err != nil {
		return nil, err
	}
	if found.Tag == "folder" {
		return nil, permanent("%s is a folder; choose another name", x.place(p))
	}
	return &foundFile{size: found.Size, same: hashed(found.Hash, dropboxHash)}, nil
}

// dropboxHash is the hash of the hashes of blocks of 4 MiB.
func dropboxHash(r io.Reader) (string, error) {
	all := sha256.New()
	for {
		block := sha256.New()
		n, err := io.CopyN(block, r, 4<<20)
		if n > 0 {
			all.Write(block.Sum(nil))
		}
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(all.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
	}
}

func (x *dropboxFiles) read(ctx context.Context, p string) (io.ReadCloser, error) {
	res, err := x.ask(ctx, dropboxContent, "download", map[string]any{"path": x.path(p)}, nil, 0)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer done(res)
		failure, _ := x.answer("reading", p, res)
		return nil, failure
	}
	return res.Body, nil
}

// dropboxChunk is how much is sent at a time: a multiple of 4 MiB.
const dropboxChunk = 8 << 20

func (x *dropboxFiles) write(ctx context.Context, p string, doc *document, replace bool) error {
	about := map[string]any{"path": x.path(p), "mode": "add", "autorename": false}
	if replace {
		about["mode"] = "overwrite"
	}
	if doc.Size > dropboxChunk {
		return x.sendParts(ctx, p, doc, about)
	}
	from, err := doc.open(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	res, err := x.ask(ctx, dropboxContent, "upload", about, from, doc.Size)
	if doc.failed() != nil {
		err = doc.failed()
	}
	if err != nil {
		return err
	}
	return x.written(p, res, doc.Size)
}

// written reads the answer to an upload.
func (x *dropboxFiles) written(p string, res *http.Response, size int64) error {
	if res.StatusCode != http.StatusOK {
		defer done(res)
		failure, tags := x.answer("writing", p, res)
		if strings.HasSuffix(tags, "conflict/file") {
			return errExists
		}
		return failure
	}
	var made struct{ Size int64 }
	if err := x.readJSON(res, &made); err != nil {
		return err
	}
	if made.Size != size {
		return temporary("Dropbox kept %d of %d bytes of %s", made.Size, size, x.place(p))
	}
	return nil
}

// sendParts uploads a large document in a session.
func (x *dropboxFiles) sendParts(ctx context.Context, p string, doc *document, commit map[string]any) error {
	res, err := x.ask(ctx, dropboxContent, "upload_session/start", map[string]any{"close": false}, nil, 0)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		defer done(res)
		failure, _ := x.answer("writing", p, res)
		return failure
	}
	var session struct {
		ID string `json:"session_id"`
	}
	if err := x.readJSON(res, &session); err != nil {
		return err
	}
	u := &dropboxUpload{dropboxFiles: x, session: session.ID, to: p}
	if err := x.d.sendParts(ctx, doc, dropboxChunk, u); err != nil {
		return err
	}
	res, err = x.ask(ctx, dropboxContent, "upload_session/finish", map[string]any{"cursor": u.cursor(doc.Size), "commit": commit}, nil, 0)
	if err != nil {
		return err
	}
	return x.written(p, res, doc.Size)
}

// dropboxUpload is an upload session, which ends by itself when it is not
// finished.
type dropboxUpload struct {
	*dropboxFiles
	session, to string
	at          int64 // where the last part began
}

func (u *dropboxUpload) cursor(offset int64) map[string]any {
	return map[string]any{"session_id": u.session, "offset": offset}
}

func (u *dropboxUpload) part(ctx context.Context, from io.Reader, start, size int64) (int64, error) {
	u.at = start
	res, err := u.ask(ctx, dropboxContent, "upload_session/append_v2", map[string]any{"cursor": u.cursor(start), "close": false}, from, size)
	if err != nil {
		return 0, err
	}
	defer done(res)
	if res.StatusCode == http.StatusOK {
		return start + size, nil
	}
	failure, tags, offset := u.fault("writing", u.to, res)
	if offset >= 0 { // an earlier part arrived, and its answer did not
		return offset, nil
	}
	if tags == "not_found" {
		return 0, lostUpload(u.label, u.place(u.to))
	}
	return 0, failure
}

// next appends nothing, which tells whether something is there already.
func (u *dropboxUpload) next(ctx context.Context) (int64, error) {
	return u.part(ctx, nil, u.at, 0)
}

func (u *dropboxUpload) drop(context.Context) {}

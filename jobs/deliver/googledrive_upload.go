package deliver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

func (g *driveFiles) write(ctx context.Context, p string, doc *document, replace bool) error {
	folder, err := g.findFolder(ctx, path.Dir(g.at(p)), true)
	if err != nil {
		return err
	}
	if replace {
		found, err := g.files(ctx, p)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			_, err := g.send(ctx, p, doc, found[0].ID, map[string]any{"mimeType": doc.ContentType})
			return err
		}
	}
	made, err := g.send(ctx, p, doc, "", map[string]any{"name": path.Base(p), "parents": []string{folder}, "mimeType": doc.ContentType})
	if err != nil {
		return err
	}
	// Somebody may have written the same name meanwhile, of whom one stays.
	all, err := g.files(ctx, p)
	if err != nil || len(all) == 0 || olderItem(all[0], *made) >= 0 || g.trash(ctx, made.ID) != nil {
		return nil // it is there, and that is what counts
	}
	if replace {
		return g.write(ctx, p, doc, true)
	}
	return errExists
}

func (g *driveFiles) trash(ctx context.Context, id string) error {
	return g.ask(ctx, "removing", "", http.MethodPatch, g.address("/drive/v3/files/"+url.PathEscape(id)), map[string]bool{"trashed": true}, &driveItem{})
}

const (
	driveSmall = 5 << 20         // up to this, one request says it all
	driveChunk = 32 * 256 * 1024 // how much is sent at a time: a multiple of 256 KiB
)

// send uploads a document, as a new file or in place of one with an ID.
func (g *driveFiles) send(ctx context.Context, p string, doc *document, id string, about map[string]any) (*driveItem, error) {
	method, at := http.MethodPost, "/upload/drive/v3/files"
	if id != "" {
		method, at = http.MethodPatch, at+"/"+url.PathEscape(id)
	}
	text, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	if doc.Size > driveSmall {
		return g.sendParts(ctx, p, doc, method, at, text)
	}
	from, err := doc.open(ctx)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	boundary := multipart.NewWriter(io.Discard).Boundary()
	head := fmt.Sprintf("--%s\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n%s\r\n--%[1]s\r\nContent-Type: %s\r\n\r\n", boundary, text, doc.ContentType)
	tail := "\r\n--" + boundary + "--\r\n"
	body := io.MultiReader(strings.NewReader(head), from, strings.NewReader(tail))
	res, err := g.do(ctx, true, method, g.address(at, "uploadType", "multipart", "fields", driveFields), body, int64(len(head)+len(tail))+doc.Size, "Content-Type", "multipart/related; boundary="+boundary)
	if doc.failed() != nil {
		err = doc.failed()
	}
	if err != nil {
		return nil, err
	}
	return g.written(p, res, doc.Size)
}

// written reads the answer to an upload.
func (g *driveFiles) written(p string, res *http.Response, size int64) (*driveItem, error) {
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusCreated {
		defer done(res)
		return nil, g.answer("writing", p, res)
	}
	made := &driveItem{}
	if err := g.readJSON(res, made); err != nil {
		return nil, err
	}
	if made.Size != size {
		return nil, temporary("Google Drive kept %d of %d bytes of %s", made.Size, size, g.place(p))
	}
	return made, nil
}

// sendParts uploads a large document in a session.
func (g *driveFiles) sendParts(ctx context.Context, p string, doc *document, method, at string, about []byte) (*driveItem, error) {
	res, err := g.do(ctx, true, method, g.address(at, "uploadType", "resumable", "fields", driveFields), strings.NewReader(string(about)), int64(len(about)),
		"Content-Type", "application/json; charset=UTF-8", "X-Upload-Content-Type", doc.ContentType, "X-Upload-Content-Length", strconv.FormatInt(doc.Size, 10))
	if err != nil {
		return nil, err
	}
	defer done(res)
	session := res.Header.Get("Location")
	switch {
	case res.StatusCode != http.StatusOK:
		return nil, g.answer("writing", p, res)
	case session == "":
		return nil, temporary("Google Drive gave no address to upload %s to", g.place(p))
	}
	g.d.scrub.add(session)                                       // whoever has it can write
	own := strings.HasPrefix(session, "https://"+googleHost+"/") // who else gets no token
	u := &driveUpload{driveFiles: g, address: session, signed: own, to: p, size: doc.Size}
	if err := g.d.sendParts(ctx, doc, driveChunk, u); err != nil {
		return nil, err
	}
	return u.made, nil
}

// driveUpload is an upload session; its address is its secret.
type driveUpload struct {
	*driveFiles
	address string
	signed  bool
	to      string
	size    int64
	made    *driveItem // with the last part
}

func (u *driveUpload) part(ctx context.Context, from io.Reader, start, size int64) (int64, error) {
	return u.put(ctx, from, size, fmt.Sprintf("bytes %d-%d/%d", start, start+size-1, u.size))
}

func (u *driveUpload) next(ctx context.Context) (int64, error) {
	return u.put(ctx, nil, 0, fmt.Sprintf("bytes */%d", u.size))
}

// put sends a part, or asks for the state of the session; both tell where the
// next part begins.
func (u *driveUpload) put(ctx context.Context, from io.Reader, size int64, contentRange string) (int64, error) {
	res, err := u.do(ctx, u.signed, http.MethodPut, u.address, from, size, "Content-Range", contentRange)
	if err != nil {
		return 0, err
	}
	if res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone {
		done(res)
		return 0, lostUpload(u.label, u.place(u.to))
	}
	if res.StatusCode != http.StatusPermanentRedirect { // which means: go on
		u.made, err = u.written(u.to, res, u.size)
		return u.size, err
	}
	defer done(res)
	_, last, found := strings.Cut(res.Header.Get("Range"), "-")
	if !found {
		return 0, nil
	}
	n, err := strconv.ParseInt(last, 10, 64)
	if err != nil || n < 0 || n >= u.size {
		return 0, temporary("Google Drive does not say how to go on")
	}
	return n + 1, nil
}

func (u *driveUpload) drop(ctx context.Context) {
	if res, err := u.do(ctx, u.signed, http.MethodDelete, u.address, nil, 0); err == nil {
		done(res)
	}
}

// findFolder gives the ID of a folder, which is made if it is missing and that
// is wanted; else it is empty.
func (g *driveFiles) findFolder(ctx context.Context, at string, make bool) (string, error) {
	if at == "." {
		at = ""
	}
	if id, known := g.folders[at]; known {
		return id, nil
	}
	above := path.Dir(at)
	parent, err := g.findFolder(ctx, above, make)
	if err != nil || parent == "" {
		return "", err
	}
	id, err := g.folderIn(ctx, parent, path.Base(at))
	if err == nil && id == "" && make {
		id, err = g.makeFolder(ctx, parent, path.Base(at))
	}
	if err == nil && id != "" {
		g.folders[at] = id
	}
	return id, err
}

// folderIn is the folder of a name that counts: the oldest.
func (g *driveFiles) folderIn(ctx context.Context, parent, name string) (string, error) {
	found, err := g.list(ctx, parent, name)
	for _, i := range found {
		if i.isFolder() {
			return i.target(), err
		}
	}
	return "", err
}

// makeFolder makes one. When two workers find none and make one each, both
// would write into their own: the oldest counts, and the worker that made a
// younger one removes it before anything is written into it.
func (g *driveFiles) makeFolder(ctx context.Context, parent, name string) (string, error) {
	var own driveItem
	if err := g.ask(ctx, "making the folder", name, http.MethodPost, g.address("/drive/v3/files", "fields", driveFields), map[string]any{"name": name, "parents": []string{parent}, "mimeType": driveFolder}, &own); err != nil {
		return "", err
	}
	for try := range maxResumed + 1 { // a new folder may be listed late
		found, err := g.list(ctx, parent, name)
		if err != nil {
			return "", err
		}
		found = slices.DeleteFunc(found, func(i driveItem) bool { return !i.isFolder() })
		switch {
		case len(found) > 0 && found[0].ID != own.ID && olderItem(found[0], own) < 0:
			return found[0].target(), g.removeFolder(ctx, found[0].target(), own.ID)
		case slices.ContainsFunc(found, func(i driveItem) bool { return i.ID == own.ID }):
			return own.ID, nil
		case !g.d.pause(ctx, temporary("the new folder %s is not listed", plain(name)), try+1):
			return "", ctx.Err()
		}
	}
	return "", temporary("the new folder %s is not listed", plain(name))
}

// removeFolder removes a folder of ours; should somebody have put something
// into it, that moves into the one that counts.
func (g *driveFiles) removeFolder(ctx context.Context, counts, own string) error {
	inside, err := g.list(ctx, own, "")
	if err != nil {
		return err
	}
	for _, i := range inside {
		move := g.address("/drive/v3/files/"+url.PathEscape(i.ID), "addParents", counts, "removeParents", own)
		if err := g.ask(ctx, "moving", i.Name, http.MethodPatch, move, struct{}{}, &driveItem{}); err != nil {
			return err
		}
	}
	_ = g.trash(ctx, own) // without the right to remove it, an empty folder stays
	return nil
}

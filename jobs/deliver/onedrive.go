package deliver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"golang.org/x/oauth2"

	"github.com/quire-reports/quire/report"
)

var oneDrive = probed(define("onedrive", "OneDrive and SharePoint", "A folder in a drive of Microsoft 365: a person's, or a library of a SharePoint site.", deliverOneDrive), probeOneDrive)

type oneDriveConnection struct {
	cloudApp
	DriveID string `json:"driveId" label:"Drive" editor:"text" required:"true" help:"ID of the drive or document library, as Microsoft Graph tells it."`
	Tenant  string `json:"tenant" leads:"true" label:"Tenant" editor:"text" default:"common" help:"ID of the directory in which the application is registered, if it is for that one only."`
}

func (c *oneDriveConnection) validate(path string) report.Problems { return c.checkSignedIn(path) }

func (c *oneDriveConnection) provider() (oauth2.Endpoint, []string, []oauth2.AuthCodeOption) {
	base := "https://login.microsoftonline.com/" + url.PathEscape(c.Tenant) + "/oauth2/v2.0/"
	return oauth2.Endpoint{AuthURL: base + "authorize", TokenURL: base + "token", AuthStyle: oauth2.AuthStyleInParams}, []string{"offline_access", "Files.ReadWrite.All"}, nil
}

func deliverOneDrive(ctx context.Context, d *delivery, conn *oneDriveConnection, set *fileSettings) (Receipt, error) {
	g, err := openOneDrive(ctx, d, conn)
	if err != nil {
		return Receipt{}, err
	}
	defer g.close()
	return placeFiles(ctx, g, *set, d.docs)
}

// probeOneDrive asks for the drive, with a token that may have to be renewed.
func probeOneDrive(ctx context.Context, d *delivery, conn *oneDriveConnection) (string, error) {
	g, err := openOneDrive(ctx, d, conn)
	if err != nil {
		return "", err
	}
	defer g.close()
	res, err := g.do(ctx, true, http.MethodGet, "https://"+graphHost+"/v1.0/drives/"+url.PathEscape(conn.DriveID), nil, 0)
	if err != nil {
		return "", err
	}
	defer done(res)
	if res.StatusCode != http.StatusOK {
		return "", g.answer("looking at", "", res)
	}
	var drive struct{ Name string }
	_ = json.NewDecoder(res.Body).Decode(&drive) // its name is only for people
	return fmt.Sprintf("the drive %s can be reached", plain(drive.Name)), nil
}

func openOneDrive(ctx context.Context, d *delivery, conn *oneDriveConnection) (*graphFiles, error) {
	endpoint, _, _ := conn.provider()
	c, err := openCloud(ctx, d, "OneDrive", &conn.cloudApp, endpoint)
	return &graphFiles{c, conn.DriveID}, err
}

// graphFiles keeps files in a drive of Microsoft Graph.
type graphFiles struct {
	*cloud
	drive string
}

const graphHost = "graph.microsoft.com"

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

// answer words an answer that is no success.
func (g *graphFiles) answer(doing, p string, res *http.Response) *Error {
	e := g.answered(doing, p, res)
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
	return false, g.d.sendParts(ctx, doc, graphChunk, &graphUpload{g, session.UploadURL, p, doc.Size})
}

// graphUpload is an upload session; its address is its secret.
type graphUpload struct {
	*graphFiles
	address, to string
	size        int64
}

func (u *graphUpload) part(ctx context.Context, from io.Reader, start, size int64) (int64, error) {
	res, err := u.do(ctx, false, http.MethodPut, u.address, from, size, "Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, start+size-1, u.size))
	if err != nil {
		return 0, err
	}
	defer done(res)
	if isLast := start+size == u.size; !isLast && res.StatusCode == http.StatusAccepted {
		return start + size, nil
	}
	if res.StatusCode == http.StatusNotFound {
		return 0, lostUpload(u.label, u.place(u.to))
	}
	_, err = u.written(u.to, res)
	return start + size, err
}

func (u *graphUpload) next(ctx context.Context) (int64, error) {
	res, err := u.do(ctx, false, http.MethodGet, u.address, nil, 0)
	if err != nil {
		return 0, err
	}
	var state struct{ NextExpectedRanges []string }
	if err := u.readJSON(res, &state); err != nil {
		return 0, err
	}
	if len(state.NextExpectedRanges) == 0 {
		return 0, temporary("OneDrive does not say how to go on")
	}
	first, _, _ := strings.Cut(state.NextExpectedRanges[0], "-")
	return strconv.ParseInt(first, 10, 64)
}

func (u *graphUpload) drop(ctx context.Context) {
	if res, err := u.do(ctx, false, http.MethodDelete, u.address, nil, 0); err == nil {
		done(res)
	}
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

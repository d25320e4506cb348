package deliver

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/jwt"

	"github.com/quire-reports/quire/report"
)

var googleDrive = probed(define("googleDrive", "Google Drive", "A folder in Google Drive, a person's or a shared drive.", deliverGoogleDrive), probeGoogleDrive)

type googleConnection struct {
	cloudApp
	ServiceAccount report.Secret `json:"serviceAccount" label:"Service account" editor:"secret-text" help:"The JSON key of a service account, in place of signing in. It sees what is shared with it."`
	FolderID       string        `json:"folderId" label:"ID of the folder" editor:"text" help:"The last part of the folder's address in the browser; the folder above is then taken below it."`
	SharedDrive    string        `json:"sharedDrive" label:"ID of the shared drive" editor:"text"`
}

// serviceAccount is what a key of one holds. Other kinds of such files name
// programs to run and files to read.
type serviceAccount struct {
	Type  string `json:"type"`
	Email string `json:"client_email"`
	ID    string `json:"private_key_id"`
	Key   string `json:"private_key"`
}

func (c *googleConnection) validate(path string) report.Problems {
	if c.ServiceAccount == "" {
		return c.checkSignedIn(path)
	}
	var key serviceAccount
	if json.Unmarshal([]byte(c.ServiceAccount), &key) != nil || key.Type != "service_account" || key.Email == "" {
		return report.Problems{report.Problemf(report.JoinPath(path, "serviceAccount"), "is no key of a service account; paste the whole JSON file")}
	}
	return c.check(path)
}

const (
	googleScope = "https://www.googleapis.com/auth/drive"
	googleToken = "https://oauth2.googleapis.com/token"
	googleHost  = "www.googleapis.com"
)

func (*googleConnection) provider() (oauth2.Endpoint, []string, []oauth2.AuthCodeOption) {
	endpoint := oauth2.Endpoint{AuthURL: "https://accounts.google.com/o/oauth2/v2/auth", TokenURL: googleToken, AuthStyle: oauth2.AuthStyleInParams}
	return endpoint, []string{googleScope}, []oauth2.AuthCodeOption{oauth2.AccessTypeOffline, oauth2.ApprovalForce}
}

func deliverGoogleDrive(ctx context.Context, d *delivery, conn *googleConnection, set *fileSettings) (Receipt, error) {
	g, err := openGoogleDrive(ctx, d, conn)
	if err != nil {
		return Receipt{}, err
	}
	defer g.close()
	return placeFiles(ctx, g, *set, d.docs)
}

// probeGoogleDrive looks at the folder that all paths begin at.
func probeGoogleDrive(ctx context.Context, d *delivery, conn *googleConnection) (string, error) {
	g, err := openGoogleDrive(ctx, d, conn)
	if err != nil {
		return "", err
	}
	defer g.close()
	if _, err := g.item(ctx, g.root); err != nil {
		return "", err
	}
	return "Google Drive accepts the sign-in of the connection", nil
}

func openGoogleDrive(ctx context.Context, d *delivery, conn *googleConnection) (*driveFiles, error) {
	endpoint, _, _ := conn.provider()
	var c *cloud
	var err error
	if conn.ServiceAccount == "" {
		c, err = openCloud(ctx, d, "Google Drive", &conn.cloudApp, endpoint)
	} else {
		c, err = openServiceAccount(ctx, d, conn)
	}
	root := cmp.Or(conn.FolderID, conn.SharedDrive, "root")
	return &driveFiles{cloud: c, root: root, shared: conn.SharedDrive, folders: map[string]string{"": root}}, err
}

// openServiceAccount signs in with the key of a service account (RFC 7523).
func openServiceAccount(ctx context.Context, d *delivery, conn *googleConnection) (*cloud, error) {
	var key serviceAccount
	if err := json.Unmarshal([]byte(conn.ServiceAccount), &key); err != nil || !isPrivateKey(key.Key) {
		return nil, permanent("the key of the service account cannot be read; paste the whole JSON file")
	}
	c, err := newCloud(ctx, d, "Google Drive", conn.Folder, googleToken)
	if err != nil {
		return nil, err
	}
	config := &jwt.Config{Email: key.Email, PrivateKey: []byte(key.Key), PrivateKeyID: key.ID, Scopes: []string{googleScope}, TokenURL: googleToken}
	c.tokens = config.TokenSource(c.signingIn(ctx))
	return c, nil
}

func isPrivateKey(text string) bool {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return false
	}
	_, modern := x509.ParsePKCS8PrivateKey(block.Bytes)
	_, old := x509.ParsePKCS1PrivateKey(block.Bytes)
	return modern == nil || old == nil
}

// driveFiles keeps files in Google Drive, where files and folders have IDs, and
// names need not be different.
type driveFiles struct {
	*cloud
	root, shared string
	folders      map[string]string // IDs of those that are known, by path
}

// driveItem is a file, a folder or a shortcut to one.
type driveItem struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Type     string    `json:"mimeType"`
	Created  time.Time `json:"createdTime"`
	Size     int64     `json:"size,string"`
	SHA256   string    `json:"sha256Checksum"`
	MD5      string    `json:"md5Checksum"`
	Shortcut *struct {
		ID   string `json:"targetId"`
		Type string `json:"targetMimeType"`
	} `json:"shortcutDetails"`
}

const (
	driveFields   = "id,name,mimeType,createdTime,size,sha256Checksum,md5Checksum,shortcutDetails"
	driveFolder   = "application/vnd.google-apps.folder"
	driveShortcut = "application/vnd.google-apps.shortcut"
	driveOwn      = "application/vnd.google-apps." // what Google's own editors keep has no bytes
)

func (i *driveItem) isFolder() bool {
	return i.Type == driveFolder || i.Type == driveShortcut && i.Shortcut != nil && i.Shortcut.Type == driveFolder
}

func (i *driveItem) target() string {
	if i.Shortcut != nil {
		return i.Shortcut.ID
	}
	return i.ID
}

// address is one of the programming interface, with parameters that are not
// empty.
func (g *driveFiles) address(at string, parameters ...string) string {
	values := url.Values{"supportsAllDrives": {"true"}}
	for i := 0; i < len(parameters); i += 2 {
		if parameters[i+1] != "" {
			values.Set(parameters[i], parameters[i+1])
		}
	}
	return "https://" + googleHost + at + "?" + values.Encode()
}

// ask makes a request with a JSON body, or none, and reads the answer.
func (g *driveFiles) ask(ctx context.Context, doing, p, method, address string, body, into any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	res, err := g.do(ctx, true, method, address, strings.NewReader(string(text)), int64(len(text)), "Content-Type", "application/json")
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		defer done(res)
		return g.answer(doing, p, res)
	}
	return g.readJSON(res, into)
}

// answer words an answer that is no success.
func (g *driveFiles) answer(doing, p string, res *http.Response) *Error {
	e := g.answered(doing, p, res)
	var said struct {
		Error struct {
			Message string
			Errors  []struct{ Reason string }
		}
	}
	if json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said) != nil || said.Error.Message == "" {
		return e
	}
	reason := ""
	if len(said.Error.Errors) > 0 {
		reason = said.Error.Errors[0].Reason
	}
	what := plain(strings.TrimPrefix(reason+": "+said.Error.Message, ": "))
	if slices.Contains([]string{"rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "sharingRateLimitExceeded"}, reason) {
		e = temporary("%s %s failed: Google Drive asks to wait: %s", doing, g.place(p), what)
		e.RetryAfter = retryAfter(res.Header.Get("Retry-After"), g.d.env.now())
		return e
	}
	e.Message += "; it says " + what
	return e
}

func (g *driveFiles) item(ctx context.Context, id string) (*driveItem, error) {
	var found driveItem
	err := g.ask(ctx, "looking at", "", http.MethodGet, g.address("/drive/v3/files/"+url.PathEscape(id), "fields", driveFields), nil, &found)
	return &found, err
}

// list gives what has a name in a folder, or all for no name, the oldest first.
func (g *driveFiles) list(ctx context.Context, folder, name string) ([]driveItem, error) {
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	query := fmt.Sprintf("'%s' in parents and trashed=false", quote.Replace(folder))
	if name != "" {
		query += fmt.Sprintf(" and name='%s'", quote.Replace(name))
	}
	corpora := ""
	if g.shared != "" {
		corpora = "drive"
	}
	var found []driveItem
	for next := ""; ; {
		var page struct {
			NextPageToken string
			Files         []driveItem
		}
		address := g.address("/drive/v3/files", "q", query, "fields", "nextPageToken,files("+driveFields+")", "includeItemsFromAllDrives", "true",
			"pageSize", "1000", "pageToken", next, "corpora", corpora, "driveId", g.shared)
		if err := g.ask(ctx, "looking for", name, http.MethodGet, address, nil, &page); err != nil {
			return nil, err
		}
		for _, i := range page.Files {
			if name == "" || i.Name == name { // the question does not tell a from A
				found = append(found, i)
			}
		}
		if next = page.NextPageToken; next == "" {
			break
		}
	}
	slices.SortFunc(found, olderItem)
	return found, nil
}

func olderItem(a, b driveItem) int {
	return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
}

// files gives the files of a path, the oldest first.
func (g *driveFiles) files(ctx context.Context, p string) ([]driveItem, error) {
	folder, err := g.findFolder(ctx, path.Dir(g.at(p)), false)
	if err != nil || folder == "" {
		return nil, err
	}
	all, err := g.list(ctx, folder, path.Base(p))
	var found []driveItem
	for _, i := range all {
		if i.Type == driveShortcut && !i.isFolder() {
			target, err := g.item(ctx, i.target())
			if err != nil {
				continue // it leads nowhere, or where nobody may look
			}
			i = *target
		}
		if !strings.HasPrefix(i.Type, driveOwn) {
			found = append(found, i)
		}
	}
	return found, err
}

func (g *driveFiles) look(ctx context.Context, p string) (*foundFile, error) {
	found, err := g.files(ctx, p)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	size := found[0].Size
	for _, i := range found {
		if i.Size != size {
			size = -1
		}
	}
	return &foundFile{size: size, same: func(ctx context.Context, doc *document) (same, known bool) {
		return anyItem(ctx, found, doc)
	}}, nil
}

// anyItem tells whether one of files has the content of a document.
func anyItem(ctx context.Context, found []driveItem, doc *document) (same, known bool) {
	known = true
	for _, i := range found {
		switch {
		case i.SHA256 != "":
			same = i.SHA256 == doc.sum
		case i.MD5 != "":
			var ok bool
			same, ok = hashed(i.MD5, md5Of)(ctx, doc)
			known = known && ok
		default:
			known = false
		}
		if same {
			return true, true
		}
	}
	return false, known
}

func md5Of(r io.Reader) (string, error) {
	h := md5.New()
	_, err := io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), err
}

func (g *driveFiles) read(ctx context.Context, p string) (io.ReadCloser, error) {
	found, err := g.files(ctx, p)
	if err == nil && len(found) == 0 {
		err = temporary("%s is no longer there", g.place(p))
	}
	if err != nil {
		return nil, err
	}
	res, err := g.do(ctx, true, http.MethodGet, g.address("/drive/v3/files/"+url.PathEscape(found[0].ID), "alt", "media"), nil, 0)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer done(res)
		return nil, g.answer("reading", p, res)
	}
	return res.Body, nil
}

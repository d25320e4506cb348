package ui

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// fileRoutes are the pages of managed files.
func (u *UI) fileRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	reads, writes := access.In(access.Session, store.Files, store.Read), access.In(access.Session, store.Files, store.Full)
	const all = "/ws/{workspaceId}/files"
	return []route{
		{get, all, reads, u.toSignIn, u.filesPage},
		{post, all, writes, u.toSignIn, u.uploadFiles},
		{get, all + "/content/{name:.*}", reads, u.toSignIn, u.fileContent},
		{post, all + "/delete", writes, u.toSignIn, u.deleteFile},
		{get, "/api/ui" + all, access.In(designer, store.Files, store.Read), u.refuse, u.listFiles},
		{post, "/api/ui" + all, access.In(designer, store.Files, store.Full), u.refuse, u.takeFiles},
	}
}

// filesBody is the content of the page of managed files.
type filesBody struct {
	Address string
	Files   []managedFile
	May     bool
	Limit   int64 // of what is sent at once, in bytes
	Fault   fault
}

type managedFile struct {
	store.FileRow
	Address string
	Picture bool
	Kind    string // what a list shows instead of a picture
}

// maxThumbnail is the largest picture that the list loads.
const maxThumbnail = 2 << 20

func (u *UI) filesPage(w http.ResponseWriter, r *http.Request) {
	u.showFiles(w, r, http.StatusOK, fault{})
}

func (u *UI) showFiles(w http.ResponseWriter, r *http.Request, status int, wrong fault) {
	caller := access.Of(r.Context())
	rows, err := u.Store.Files(r.Context(), caller.Workspace.ID)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body := filesBody{Address: u.filesAddress(caller), Limit: u.BodyLimit, May: caller.Require(store.Files, store.Full) == nil, Fault: wrong}
	for _, row := range rows {
		address := body.Address + "/content/" + (&url.URL{Path: row.Name}).EscapedPath()
		body.Files = append(body.Files, managedFile{
			FileRow: row, Address: address + fmt.Sprintf("?v=%x", row.SHA256[:min(6, len(row.SHA256))]),
			Picture: isPicture(row.ContentType) && row.Size <= maxThumbnail, Kind: cmp.Or(kindOf(row.Name), u.t(r, "File")),
		})
	}
	u.show(w, r, status, "files", page{
		Title: u.t(r, "Files of {0}", caller.Workspace.Name), Section: "reports", Tab: tabFiles, Script: len(body.Files) > 0, Body: body,
		Notice: u.notice(r, map[string]string{"uploaded": "The files are stored.", "deleted": "The file was deleted."}),
	})
}

func (u *UI) filesAddress(caller *access.Caller) string {
	return u.workspaceAddress(*caller.Workspace) + "/files"
}

func isPicture(contentType string) bool { return strings.HasPrefix(contentType, "image/") }

// kindOf is the ending of a name, if it is a short one.
func kindOf(name string) string {
	if kind := strings.ToUpper(strings.TrimPrefix(path.Ext(name), ".")); kind != "" && len(kind) <= 5 {
		return kind
	}
	return ""
}

func (u *UI) uploadFiles(w http.ResponseWriter, r *http.Request) {
	caller := access.Of(r.Context())
	err := u.storeForm(r, caller)
	u.finish(w, r, err, u.filesAddress(caller), "uploaded", func(status int, wrong fault) { u.showFiles(w, r, status, wrong) })
}

// fileAnswer is a managed file as the designer offers it.
type fileAnswer struct {
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
}

// listFiles lists the managed files for the designer.
func (u *UI) listFiles(w http.ResponseWriter, r *http.Request) {
	rows, err := u.Store.Files(r.Context(), access.Of(r.Context()).Workspace.ID)
	if err != nil {
		u.refuse(w, r, err)
		return
	}
	files := make([]fileAnswer, len(rows))
	for i, row := range rows {
		files[i] = fileAnswer{row.Name, row.ContentType}
	}
	answer.JSON(w, http.StatusOK, files)
}

// takeFiles stores the files of a form for the designer.
func (u *UI) takeFiles(w http.ResponseWriter, r *http.Request) {
	if err := u.storeForm(r, access.Of(r.Context())); err != nil {
		u.refuse(w, r, err)
		return
	}
	u.listFiles(w, r)
}

// storeForm stores the files of a form, as many as have room in one.
func (u *UI) storeForm(r *http.Request, caller *access.Caller) error {
	stored := 0
	tooLarge, err := within(r, u.BodyLimit, func() (err error) {
		stored, err = u.storeParts(r, caller)
		return err
	})
	if tooLarge {
		err = &report.Problem{Kind: report.TooLarge, Path: "file", Message: fmt.Sprintf("the files are larger than %s together", showSize(say, u.BodyLimit))}
	}
	if problems := answer.ProblemsIn(err); len(problems) > 0 && stored > 0 {
		problems[0].Message += fmt.Sprintf("; stored before it: %d", stored)
	}
	return err
}

// storeParts stores the files of a form one after the other, as they come.
func (u *UI) storeParts(r *http.Request, caller *access.Caller) (stored int, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return 0, report.Problemf("file", "choose a file")
	}
	for {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF) && stored == 0:
			return 0, report.Problemf("file", "choose a file")
		case errors.Is(err, io.EOF):
			return stored, nil
		case err != nil:
			return stored, unreadable(err)
		case part.FormName() != "file" || part.FileName() == "":
			continue // the form's own fields, or a field without a file
		}
		if err := u.storePart(r, caller, part); err != nil {
			return stored, err
		}
		stored++
	}
}

func (u *UI) storePart(r *http.Request, caller *access.Caller, part *multipart.Part) error {
	name := part.FileName()
	if !utf8.ValidString(name) {
		return report.Problemf("file", "the name of a file is no text")
	}
	content := bufio.NewReader(part)
	begin, err := content.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return unreadable(err)
	}
	// The type is ours to tell: one that a browser claims could make a page of
	// what is shown as a picture.
	_, err = u.Store.PutFile(r.Context(), caller.Workspace.ID, name, report.ContentTypeOf(name, begin), content)
	return err
}

// unreadable is an error of reading a form, but for one that is too large.
func unreadable(err error) error {
	var tooLarge *tooLargeError
	if errors.As(err, &tooLarge) {
		return err
	}
	return report.Problemf("file", "what was sent could not be read; try again")
}

// tooLargeError is a body that is larger than it may be.
type tooLargeError struct{}

func (*tooLargeError) Error() string { return "the body is too large" }

// bounded is a body that ends with an error after so many bytes. Unlike that of
// net/http it leaves the connection open, so that the answer arrives.
type bounded struct {
	io.ReadCloser
	left int64
}

// Read reads what may be read.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, &tooLargeError{}
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, &tooLargeError{}
	}
	return n, err
}

// within reads a form of at most so many bytes. Of a larger one it reads the rest,
// too: browsers show an answer only when what they send is read.
func within(r *http.Request, most int64, read func() error) (tooLarge bool, err error) {
	whole := r.Body
	r.Body = &bounded{ReadCloser: whole, left: most}
	err = read()
	var over *tooLargeError
	if tooLarge = errors.As(err, &over); tooLarge {
		_, _ = io.Copy(io.Discard, io.LimitReader(whole, 8*most))
	}
	return tooLarge, err
}

// fileContent is a managed file: pictures to be shown, all else to be saved.
func (u *UI) fileContent(w http.ResponseWriter, r *http.Request) {
	name := pathVar(r, "name")
	if !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
		u.Error(w, r, report.NotFoundf("there is no such file"))
		return
	}
	row, content, err := u.Store.OpenFile(r.Context(), access.Of(r.Context()).Workspace.ID, name)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	defer content.Close()
	h := w.Header()
	h.Set("Cache-Control", "private, max-age=86400")
	h.Set("ETag", fmt.Sprintf(`"%x"`, row.SHA256))                                             // the file may be replaced between two parts of it
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox") // an SVG opened by itself runs nothing
	_ = answer.File(w, r, answer.Download{Name: path.Base(name), ContentType: row.ContentType, Size: row.Size, Inline: isPicture(row.ContentType), Kept: true}, content)
}

func (u *UI) deleteFile(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	caller := access.Of(r.Context())
	if err == nil {
		err = u.Store.DeleteFile(r.Context(), caller.Workspace.ID, sent.Get("name"))
	}
	u.finish(w, r, err, u.filesAddress(caller), "deleted", func(int, fault) { u.Error(w, r, err) })
}

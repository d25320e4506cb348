package ui

import (
	"archive/zip"
	"bytes"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// bundleRoutes take workspaces out and in as files. A bundle holds all reports
// and queries, whoever may see them, so it is for root users.
func (u *UI) bundleRoutes() []route {
	root := access.RootOnly(access.Session)
	return []route{
		{http.MethodGet, "/ws/{workspaceId}/bundle", root, u.toSignIn, u.bundle},
		{http.MethodPost, "/workspaces/import", root, u.toSignIn, u.importBundle},
	}
}

// bundle is a workspace as a ZIP file, as quire workspace export writes it.
func (u *UI) bundle(w http.ResponseWriter, r *http.Request) {
	ws := access.Of(r.Context()).Workspace
	content, err := u.Store.ExportWorkspace(r.Context(), ws.Code)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.Store.Note(r.Context(), store.WorkspaceTaken(ws))
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": ws.Code + ".zip"}))
	h.Set("Cache-Control", "no-store")
	z := zip.NewWriter(w)
	err = report.WriteWorkspace(content, func(name string, content []byte) error {
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: u.Clock()})
		if err == nil {
			_, err = to.Write(content)
		}
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		u.Logger.Info("a bundle was not sent whole", "workspace", ws.Code, "error", err) // its end is missing, which every reader notices
	}
}

// importBundle makes or updates the workspace of a bundle.
func (u *UI) importBundle(w http.ResponseWriter, r *http.Request) {
	content, err := u.sentBundle(r)
	address := ""
	if err == nil {
		imported, failed := u.Store.ImportWorkspace(r.Context(), *content)
		if err = failed; err == nil {
			address = u.workspaceAddress(imported.Workspace)
		}
	}
	u.finish(w, r, err, address, "", func(status int, wrong fault) {
		u.showNewWorkspace(w, r, status, workspaceBody{Defaults: true, Wrong: wrong})
	})
}

// sentBundle is the workspace of the ZIP file of a form.
func (u *UI) sentBundle(r *http.Request) (*report.Workspace, error) {
	tooLarge, err := within(r, u.BodyLimit, func() error { return r.ParseMultipartForm(u.BodyLimit) })
	switch {
	case tooLarge:
		return nil, &report.Problem{Kind: report.TooLarge, Path: "bundle", Message: u.t(r, "the bundle is larger than {0}", showSize(say, u.BodyLimit))}
	case err != nil:
		return nil, report.Problemf("bundle", "choose the ZIP file of a bundle")
	}
	file, _, err := r.FormFile("bundle")
	if err != nil {
		return nil, report.Problemf("bundle", "choose the ZIP file of a bundle")
	}
	defer file.Close()
	packed, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, report.Problemf("bundle", "the file is no ZIP file")
	}
	ws, problems := report.ReadWorkspace(z)
	if ws != nil {
		for i := range ws.Reports {
			for _, p := range u.Export.Check(&ws.Reports[i].Report) {
				problems = append(problems, report.Problemf("reports/"+ws.Reports[i].Code+".json: "+p.Path, "%s", p.Message))
			}
		}
	}
	if len(problems) > 0 {
		return nil, u.wrongBundle(r, problems)
	}
	if code := strings.TrimSpace(r.PostForm.Get("code")); code != "" {
		ws.Code = code
	}
	return ws, nil
}

// mostFaults are how many faults of a bundle are said at once.
const mostFaults = 5

// wrongBundle says where a bundle is wrong.
func (u *UI) wrongBundle(r *http.Request, problems report.Problems) error {
	var said []string
	for _, p := range problems[:min(mostFaults, len(problems))] {
		said = append(said, strings.TrimPrefix(p.Path+": ", ": ")+u.told(r, p.Message))
	}
	if more := len(problems) - len(said); more > 0 {
		said = append(said, u.t(r, "and {0} more", more))
	}
	return report.Problemf("bundle", "%s", u.t(r, "the bundle is not as it must be: {0}", strings.Join(said, "; ")))
}

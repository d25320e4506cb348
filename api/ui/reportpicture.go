package ui

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/htmlgen/picture"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// pictureRoutes are the page on which the picture of a report is chosen.
func (u *UI) pictureRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	changes := access.In(access.Session, store.Reports, store.Write).OrOwn()
	const one = "/ws/{workspaceId}/reports/{report:[0-9]+}/picture"
	return []route{
		{get, one, changes, u.toSignIn, u.picturePage},
		{post, one, changes, u.toSignIn, u.choosePicturePage},
		{post, one + "/upload", changes, u.toSignIn, u.uploadPicture},
	}
}

// Lists show pictures this large, in pixels.
const (
	listPictureWidth  = 520
	listPictureHeight = 1040
	maxPicturePage    = 9999
)

// pictureBody is the content of that page.
type pictureBody struct {
	Name, Address, Back string
	Image               string
	Page                int // 0: it was uploaded
	Limit               int64
	Fault, Wrong        fault // of the page, and of the file
}

func (u *UI) picturePage(w http.ResponseWriter, r *http.Request) {
	u.showPicture(w, r, http.StatusOK, fault{}, fault{})
}

func (u *UI) showPicture(w http.ResponseWriter, r *http.Request, status int, wrongPage, wrongFile fault) {
	definition, err := u.owned(r, store.Write)
	caller := access.Of(r.Context())
	body := pictureBody{Back: u.workspaceAddress(*caller.Workspace), Limit: maxPicture, Fault: wrongPage, Wrong: wrongFile}
	if err == nil {
		body.Page, err = u.Store.PicturePage(r.Context(), caller.Workspace.ID, definition.ID)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	card := u.card(body.Back, definition.Row)
	body.Name, body.Address, body.Image = card.Name, card.Address+"/picture", card.Image
	u.show(w, r, status, "picture", page{
		Title: u.t(r, "Picture of {0}", body.Name), Section: "reports", Tab: tabReports, Body: body,
		Notice: u.notice(r, map[string]string{"made": "Lists show this picture.", "kept": "Lists show your picture."}),
	})
}

// choosePicturePage makes the picture of a page, at once: who chose it sees it.
func (u *UI) choosePicturePage(w http.ResponseWriter, r *http.Request) {
	definition, err := u.ofList(w, r, store.Write)
	caller := access.Of(r.Context())
	var made *export.Picture
	if err == nil {
		if wanted := number(r.PostForm.Get("page")); wanted < 1 || wanted > maxPicturePage {
			err = report.Problemf("page", "the page is a number from 1")
		} else {
			made, err = waitForRoom(r.Context(), func() (*export.Picture, error) {
				return u.Export.Picture(r.Context(), export.PictureRequest{Request: export.Request{Workspace: caller.Workspace.ID, Report: itoa(definition.ID)}, Page: wanted})
			})
		}
	}
	if err == nil {
		err = u.Store.SetPicturePage(r.Context(), caller.Workspace.ID, definition.ID, made.Page, definition.Row.Revision)
	}
	if err == nil {
		err = u.Store.SetPreviewImage(r.Context(), caller.Workspace.ID, definition.ID, made.ContentType, bytes.NewReader(made.Content))
	}
	u.pictureChosen(w, r, err, "made", func(status int, wrong fault) { u.showPicture(w, r, status, wrong, fault{}) })
}

// uploadPicture gives a report a picture of its own.
func (u *UI) uploadPicture(w http.ResponseWriter, r *http.Request) {
	definition, err := u.owned(r, store.Write)
	caller := access.Of(r.Context())
	var content []byte
	if err == nil {
		content, err = pictureOf(r)
	}
	var contentType string
	if err == nil {
		content, contentType, err = u.develop(r, content)
	}
	if err == nil {
		err = u.Store.SetPicturePage(r.Context(), caller.Workspace.ID, definition.ID, store.OwnPicture, 0)
	}
	if err == nil {
		err = u.Store.SetPreviewImage(r.Context(), caller.Workspace.ID, definition.ID, contentType, bytes.NewReader(content))
	}
	u.pictureChosen(w, r, err, "kept", func(status int, wrong fault) { u.showPicture(w, r, status, fault{}, wrong) })
}

// develop makes what lists show of a picture, one at a time.
func (u *UI) develop(r *http.Request, content []byte) (made []byte, contentType string, err error) {
	select {
	case u.darkroom <- struct{}{}:
	case <-r.Context().Done():
		return nil, "", r.Context().Err()
	}
	defer func() { <-u.darkroom }()
	made, contentType, err = picture.Fit(content, listPictureWidth, listPictureHeight)
	return made, contentType, unfit(err)
}

// unfit is why a file is no picture for us, in words for its sender.
func unfit(err error) error {
	switch {
	case errors.Is(err, picture.ErrTooManyPixels):
		return report.Problemf("picture", "the picture has more than 16 million pixels; make it smaller")
	case errors.Is(err, picture.ErrNoPicture):
		return report.Problemf("picture", "the file is no picture that can be read; accepted: PNG, JPEG and WebP")
	}
	return err
}

func (u *UI) pictureChosen(w http.ResponseWriter, r *http.Request, err error, what string, again func(status int, wrong fault)) {
	address := u.workspaceAddress(*access.Of(r.Context()).Workspace) + "/reports/" + pathVar(r, "report") + "/picture"
	u.finish(w, r, err, address, what, again)
}

package ui

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/htmlgen/picture"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Profiles is what people decide about their own account.
type Profiles interface {
	SourceOf(ctx context.Context, userID int) (source string, err error)
	ChangeProfile(ctx context.Context, userID int, p store.Profile) error
	SetUserPicture(ctx context.Context, userID int, p store.UserPicture) error
	DropUserPicture(ctx context.Context, userID int) error
	UserPicture(ctx context.Context, hash string) (*store.UserPicture, error)
}

const (
	// maxPicture is the largest file that a picture is made of.
	maxPicture = 5 << 20
	// pictureSide is how wide and high a picture is kept: sharp on every screen
	// at the size that the pages show.
	pictureSide = 256
)

// profileRoutes are the page of one's own profile, and the pictures of people.
func (u *UI) profileRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	known := access.Known(access.Session)
	return []route{
		{get, "/profile", known, u.toSignIn, u.profilePage},
		{post, "/profile", known, u.toSignIn, u.saveProfile},
		{post, "/profile/picture", known, u.toSignIn, u.takePicture},
		{post, "/profile/picture/remove", known, u.toSignIn, u.removePicture},
		{get, "/pictures/{hash}", known, u.Error, u.userPicture},
	}
}

// profileBody is the content of the page of one's own profile.
type profileBody struct {
	User     *store.User
	From     string // who decides the name; empty: the user
	Name     string // what was entered, as the others
	Language string
	TimeZone string
	Zones    []string // those that are offered without scripts
	Now      time.Time
	Limit    int64
	Fault    fault
	Wrong    fault // of the picture
}

// usualZones are offered where a browser cannot list all.
var usualZones = []string{
	"UTC", "Africa/Johannesburg", "Africa/Lagos", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/New_York", "America/Sao_Paulo",
	"Asia/Dubai", "Asia/Kolkata", "Asia/Shanghai", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney", "Europe/Belgrade", "Europe/Berlin", "Europe/Istanbul",
	"Europe/London", "Europe/Madrid", "Europe/Paris", "Europe/Vienna", "Europe/Zurich", "Pacific/Auckland",
}

func (u *UI) profilePage(w http.ResponseWriter, r *http.Request) {
	user := access.Of(r.Context()).User
	u.showProfile(w, r, http.StatusOK, profileBody{Name: user.DisplayName, Language: user.Language, TimeZone: user.TimeZone})
}

func (u *UI) showProfile(w http.ResponseWriter, r *http.Request, status int, body profileBody) {
	body.User = access.Of(r.Context()).User
	source, err := u.Store.SourceOf(r.Context(), body.User.ID)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body.From, body.Zones, body.Now, body.Limit = u.sourceName(source), usualZones, u.Clock(), maxPicture
	u.show(w, r, status, "profile", page{Title: u.t(r, "Profile"), Section: "profile", Script: true, Body: body, Notice: u.notice(r, map[string]string{
		"saved": "Your profile was saved.", "picture": "The picture is stored.", "removed": "The picture was removed.",
	})})
}

func (u *UI) saveProfile(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	user := access.Of(r.Context()).User
	body := profileBody{Name: user.DisplayName, Language: sent.Get("language"), TimeZone: strings.TrimSpace(sent.Get("timeZone"))}
	change := store.Profile{Language: body.Language, TimeZone: body.TimeZone}
	if sent.Has("name") {
		body.Name = sent.Get("name")
		change.DisplayName = &body.Name
	}
	if body.Language != "" && !u.texts.has(body.Language) {
		err = report.Problemf("language", "choose a language")
	} else {
		err = u.Store.ChangeProfile(r.Context(), user.ID, change)
	}
	u.finish(w, r, err, u.PathBase+"/profile", "saved", func(status int, wrong fault) {
		body.Fault = wrong
		u.showProfile(w, r, status, body)
	})
}

func (u *UI) takePicture(w http.ResponseWriter, r *http.Request) {
	user := access.Of(r.Context()).User
	content, err := pictureOf(r)
	if err == nil {
		err = u.keepPicture(r.Context(), user.ID, content)
	}
	u.pictureDone(w, r, err, "picture")
}

func (u *UI) removePicture(w http.ResponseWriter, r *http.Request) {
	u.pictureDone(w, r, u.Store.DropUserPicture(r.Context(), access.Of(r.Context()).User.ID), "removed")
}

func (u *UI) pictureDone(w http.ResponseWriter, r *http.Request, err error, what string) {
	user := access.Of(r.Context()).User
	u.finish(w, r, err, u.PathBase+"/profile", what, func(status int, wrong fault) {
		u.showProfile(w, r, status, profileBody{Name: user.DisplayName, Language: user.Language, TimeZone: user.TimeZone, Wrong: wrong})
	})
}

// pictureOf is the file of a form that has one.
func pictureOf(r *http.Request) ([]byte, error) {
	var content []byte
	tooLarge, err := within(r, maxPicture+maxForm, func() (err error) {
		if content, err = firstFile(r); err == nil && len(content) > maxPicture {
			err = &tooLargeError{}
		}
		return err
	})
	if tooLarge {
		return nil, &report.Problem{Kind: report.TooLarge, Path: "picture", Message: say("the picture is larger than 5 MB")}
	}
	return content, err
}

func firstFile(r *http.Request) ([]byte, error) {
	none := report.Problemf("picture", "choose a picture")
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, none
	}
	for {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil, none
		case err != nil:
			return nil, unreadable(err)
		case part.FormName() != "picture" || part.FileName() == "":
			continue
		}
		content, err := io.ReadAll(io.LimitReader(part, maxPicture+1))
		if err != nil {
			return nil, unreadable(err)
		}
		return content, nil
	}
}

// keepPicture makes what is shown of a picture. One is decoded at a time, as
// its pixels take much more room than its file.
func (u *UI) keepPicture(ctx context.Context, userID int, content []byte) error {
	select {
	case u.darkroom <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	made, contentType, err := picture.Portrait(content, pictureSide)
	<-u.darkroom
	if err != nil {
		return unfit(err)
	}
	return u.Store.SetUserPicture(ctx, userID, store.UserPicture{ContentType: contentType, Content: made})
}

// userPicture is the picture of a user, for signed-in users. Its address
// changes with it.
func (u *UI) userPicture(w http.ResponseWriter, r *http.Request) {
	hash := pathVar(r, "hash")
	if !isHash(hash) {
		u.Error(w, r, report.NotFoundf("there is no such picture"))
		return
	}
	found, err := u.Store.UserPicture(r.Context(), hash)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", found.ContentType)
	h.Set("Content-Length", itoa(len(found.Content)))
	h.Set("Cache-Control", "private, max-age=86400")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	_, _ = w.Write(found.Content) // fails only when the client is gone
}

// isHash tells whether a text is a SHA-256 sum as addresses have it.
func isHash(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// initials stand for users without a picture: the first letters of the first
// and of the last word of a name.
func initials(name string) string {
	words := strings.Fields(norm.NFC.String(name))
	if len(words) == 0 {
		return ""
	}
	first := initial(words[0])
	if len(words) == 1 {
		return first
	}
	return first + initial(words[len(words)-1])
}

func initial(word string) string {
	first, _ := utf8.DecodeRuneInString(word)
	if at := strings.IndexFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }); at >= 0 {
		first, _ = utf8.DecodeRuneInString(word[at:])
	}
	return string(unicode.ToUpper(first))
}

// face is what shows somebody in a list.
type face struct{ Picture, Initials string }

func faceOf(hash, name string) face { return face{hash, cmp.Or(initials(name), "?")} }

package ui

import (
	"net/http"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// shownDevices is how many sessions a page shows, those used last.
const shownDevices = 100

// device is a session as a list shows it.
type device struct {
	store.Session
	Name    string // such as Firefox on Windows
	Current bool
}

// devicesBody is the content of the page of one's sessions.
type devicesBody struct {
	Devices []device
	Others  bool
}

func (u *UI) devicesPage(w http.ResponseWriter, r *http.Request) {
	u.showDevices(w, r, http.StatusOK, fault{})
}

func (u *UI) showDevices(w http.ResponseWriter, r *http.Request, status int, wrong fault) {
	current, err := u.Sessions.Current(r)
	var body devicesBody
	if err == nil {
		body.Devices, err = u.devicesOf(r, access.Of(r.Context()).User.ID, current)
	}
	if err != nil {
		u.Error(w, r, err)
		return
	}
	body.Others = len(body.Devices) > 1
	u.show(w, r, status, "devices", page{Title: u.t(r, "Devices"), Section: "devices", Fault: wrong, Body: body, Notice: u.notice(r, map[string]string{
		"ended": "The device is signed out.", "others": "All other devices are signed out.",
	})})
}

// devicesOf are the sessions of a user, this one first.
func (u *UI) devicesOf(r *http.Request, userID int, current string) ([]device, error) {
	sessions, err := u.Store.SessionsOf(r.Context(), userID)
	var first, rest []device
	for _, s := range sessions[:min(shownDevices, len(sessions))] {
		d := device{s, u.browserName(r, s.Browser), s.Ref == current}
		if d.Current {
			first = append(first, d)
		} else {
			rest = append(rest, d)
		}
	}
	return append(first, rest...), err
}

// endSession signs a device out. It is a stranger then, too.
func (u *UI) endSession(w http.ResponseWriter, r *http.Request) {
	user := access.Of(r.Context()).User.ID
	err := u.Store.EndSessionOf(r.Context(), user, pathVar(r, "session"))
	if isNotFound(err) {
		err = nil // it has ended meanwhile, as it should
	}
	if err == nil {
		err = u.Store.ForgetDevices(r.Context(), user, access.Devices(r))
	}
	u.finish(w, r, err, u.PathBase+"/devices", "ended", func(status int, wrong fault) { u.showDevices(w, r, status, wrong) })
}

func (u *UI) endOtherSessions(w http.ResponseWriter, r *http.Request) {
	err := u.Sessions.EndOthers(r, access.Of(r.Context()).User.ID)
	u.finish(w, r, err, u.PathBase+"/devices", "others", func(status int, wrong fault) { u.showDevices(w, r, status, wrong) })
}

// browserName is what people call a browser, from what it says of itself. Names
// that others put into theirs come last.
func (u *UI) browserName(r *http.Request, agent string) string {
	name := firstIn(agent, [][2]string{
		{"Edg/", "Edge"},
		{"EdgA/", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"HeadlessChrome/", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	})
	system := firstIn(agent, [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	})
	switch {
	case name != "" && system != "":
		return u.t(r, "{0} on {1}", name, system)
	case name != "":
		return name
	case agent != "":
		word, _, _ := strings.Cut(agent, " ")
		return strings.ToValidUTF8(word[:min(60, len(word))], "")
	}
	return u.t(r, "Unknown browser")
}

// firstIn is the name beside the first sign that a text holds.
func firstIn(text string, signs [][2]string) string {
	for _, sign := range signs {
		if strings.Contains(text, sign[0]) {
			return sign[1]
		}
	}
	return ""
}

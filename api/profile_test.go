package api

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime/multipart"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// plainPicture is a PNG file of one colour.
func plainPicture(t *testing.T, c color.Color, w, h int) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// showsPicture sends a picture to the profile of somebody.
func (h *house) showsPicture(t *testing.T, who, name, content string) *httptest.ResponseRecorder {
	t.Helper()
	return h.sendsPicture(t, who, "/profile/picture", name, content)
}

// sendsPicture sends a picture to a form that takes one.
func (h *house) sendsPicture(t *testing.T, who, path, name, content string) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = must[int](t)(io.WriteString(must[io.Writer](t)(form.CreateFormFile("picture", name)), content))
	_ = form.Close()
	return h.post(path, body.String(), "Content-Type", form.FormDataContentType(), "Cookie", h.session(who))
}

var pictureAddress = regexp.MustCompile(`/pictures/[0-9a-f]{64}`)

// testProfile checks what people decide about their own account.
func testProfile(t *testing.T, open opener) {
	h := open(t)
	h.opened(t, "viewer", "/profile", `aria-current="page">Profile</a>`, `name="name"`, `placeholder="UTC"`, " UTC there now.", `src="/ui/profile.js?v=`)
	leads(t, h.sent(t, "viewer", "/profile", 303, "name", " Ana Jović ", "language", "", "timeZone", "Asia/Kolkata"), "/profile?done=saved")
	h.opened(t, "viewer", "/profile?done=saved", "Your profile was saved.", `value="Ana Jović"`, `value="Asia/Kolkata"`, " IST there now.", `<span class="face" aria-hidden="true">AJ</span><span class="who">Ana Jović</span>`)
	h.opened(t, "root", "/users", ">Ana Jović</a>")
	leads(t, h.sent(t, "viewer", "/profile", 303, "name", "Ana Jović", "language", "de", "timeZone", "America/New_York"), "/profile?done=saved")
	h.opened(t, "viewer", "/profile", `<html lang="de">`, "Zeitzone")
	leads(t, h.sent(t, "viewer", "/profile", 303, "name", "Ana Jović", "language", "", "timeZone", ""), "/profile?done=saved")
	h.opened(t, "viewer", "/profile", ` UTC there now.`)

	for name, c := range map[string]struct{ name, language, zone, says string }{
		"a zone of nowhere":   {"Ana", "", "Europe/Atlantis", "That is no time zone"},
		"a path":              {"Ana", "", "../../etc/passwd", "That is no time zone"},
		"the machine's":       {"Ana", "", "Local", "That is no time zone"},
		"a long one":          {"Ana", "", strings.Repeat("Europe/", 2000), "That is no time zone"},
		"markup":              {"Ana", "", `"><script>`, "&#34;&gt;&lt;script&gt;"},
		"a language of none":  {"Ana", "tlh", "", "Choose a language."},
		"what turns writing":  {"A\u202ena", "", "", "The name has characters that cannot be seen"},
		"no name":             {" ", "", "", "You need a name."},
		"a name without end":  {strings.Repeat("a", 5000), "", "", "characters; at most"},
		"a name of two lines": {"Ana\nJović", "", "", "aria-invalid"},
	} {
		w := h.sent(t, "viewer", "/profile", 422, "name", c.name, "language", c.language, "timeZone", c.zone)
		if !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: the page lacks %q", name, c.says)
		}
	}
	h.opened(t, "viewer", "/profile", `value="Ana Jović"`, ` UTC there now.`)
	changes := 0
	for _, e := range must[[]store.AuditEvent](t)(h.store.AuditEvents(t.Context(), store.AuditQuery{Action: string(store.AuditUserChanged), Limit: 100})) {
		if e.Actor == h.users["viewer"].Email {
			changes++
		}
	}
	if changes != 3 {
		t.Errorf("%d changes are recorded; want 3", changes)
	}
	testZonesOfManyAtOnce(t, h)
	testProvisionedProfile(t, h)
}

// testZonesOfManyAtOnce: nobody gets times in the zone of somebody else.
func testZonesOfManyAtOnce(t *testing.T, h *house) {
	zones := map[string]string{"administrator": "Asia/Tokyo", "author": "Asia/Kolkata", "viewer": ""}
	says := map[string]string{"administrator": " JST there now.", "author": " IST there now.", "viewer": " UTC there now."}
	cookies := map[string]string{}
	for who, zone := range zones {
		h.sent(t, who, "/profile", 303, "name", who, "language", "", "timeZone", zone)
		cookies[who] = h.session(who)
	}
	var all sync.WaitGroup
	for range 8 {
		for who := range zones {
			all.Go(func() {
				for range 4 {
					w := h.do(scenario{path: "/profile", header: header("Cookie", cookies[who])})
					if !strings.Contains(w.Body.String(), says[who]) {
						t.Errorf("%s does not see%s", who, says[who])
					}
				}
			})
		}
	}
	all.Wait()
}

// testProvisionedProfile: the name is the source's, all else is theirs.
func testProvisionedProfile(t *testing.T, h *house) {
	by := &store.Provisioner{Name: "Directory", Source: store.SourceSCIM, Adopt: true}
	must[*store.ProvisionedUser](t)(h.store.Provision(t.Context(), by, store.Person{UserName: h.users["guest"].Email, DisplayName: "Gast Given", Active: true}))
	page := h.opened(t, "guest", "/profile", "Gast Given", "decides your name and address; that is changed there.")
	if strings.Contains(page, `name="name"`) {
		t.Error("the name can be entered")
	}
	h.sent(t, "guest", "/profile", 409, "name", "Somebody Else", "language", "", "timeZone", "Europe/Berlin")
	h.opened(t, "guest", "/profile", "Gast Given", " UTC there now.")
	leads(t, h.sent(t, "guest", "/profile", 303, "language", "", "timeZone", "Asia/Tokyo"), "/profile?done=saved")
	h.opened(t, "guest", "/profile", "Gast Given", " JST there now.")
	leads(t, h.showsPicture(t, "guest", "me.png", plainPicture(t, color.White, 9, 9)), "/profile?done=picture")
}

// testPictures checks the pictures of people: what becomes one, and who sees it.
func testPictures(t *testing.T, open opener) {
	h := open(t)
	for name, c := range map[string]struct {
		content string
		status  int
		says    string
	}{
		"a drawing":     {`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, 422, "The file is no picture that can be read; accepted: PNG, JPEG and WebP."},
		"a page":        {"<!doctype html><script>alert(1)</script>", 422, "The file is no picture"},
		"nothing":       {"", 422, "The file is no picture"},
		"a bomb":        {plainPicture(t, color.White, 1, 1)[:16] + "\x00\x00\x40\x00\x00\x00\x40\x00" + plainPicture(t, color.White, 1, 1)[24:], 422, "The file is no picture"},
		"a large bomb":  {bombOf(t, 5000, 5000), 422, "The picture has more than 16 million pixels; make it smaller."},
		"a large file":  {plainPicture(t, color.White, 1, 1) + strings.Repeat("x", 5<<20), 413, "The picture is larger than 5 MB."},
		"a larger file": {strings.Repeat("x", 9<<20), 413, "The picture is larger than 5 MB."},
	} {
		w := h.showsPicture(t, "viewer", "me.png", c.content)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d; want %d and %q", name, w.Code, c.status, c.says)
		}
	}
	h.sent(t, "viewer", "/profile/picture", 422, "picture", "text")

	leads(t, h.showsPicture(t, "viewer", "me.png", plainPicture(t, color.NRGBA{200, 20, 20, 255}, 600, 400)+"GPS 44.8 N"), "/profile?done=picture")
	first := pictureAddress.FindString(h.opened(t, "viewer", "/profile?done=picture", "The picture is stored.", "Remove the picture"))
	if first == "" {
		t.Fatal("the page shows no picture")
	}
	for who, path := range map[string]string{"root": "/users", "administrator": "/ws/demo/members", "viewer": "/"} {
		h.opened(t, who, path, `src="`+first+`"`)
	}
	for who := range map[string]bool{"viewer": true, "stranger": true, "root": true} { // colleagues
		w := h.check(t, scenario{path: first, header: header("Cookie", h.session(who)), status: 200, answer: map[string]string{
			"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private",
		}})
		made, kind, err := image.DecodeConfig(bytes.NewReader(w.Body.Bytes()))
		if err != nil || kind != "jpeg" || made.Width != 256 || made.Height != 256 || strings.Contains(w.Body.String(), "GPS") {
			t.Errorf("%s: %s %v %v", who, kind, made, err)
		}
	}
	// Nobody else, by no other way.
	h.check(t, scenario{path: first, status: 401})
	h.check(t, scenario{path: first, status: 401, header: header("Authorization", "Bearer "+h.tokens["viewer"])})
	h.check(t, scenario{path: first, status: 401, header: header("Cookie", h.previewCookie("viewer"))})
	for _, path := range []string{"/pictures/" + strings.Repeat("0", 64), "/pictures/" + strings.ToUpper(first[10:]), "/pictures/%00", "/pictures/x'"} {
		h.check(t, scenario{path: path, status: 404, header: header("Cookie", h.session("root"))})
	}

	// The same picture of two people; one of them takes theirs away.
	same := plainPicture(t, color.NRGBA{20, 20, 200, 255}, 300, 300)
	leads(t, h.showsPicture(t, "viewer", "me.png", same), "/profile?done=picture")
	leads(t, h.showsPicture(t, "author", "me.png", same), "/profile?done=picture")
	second := pictureAddress.FindString(h.opened(t, "author", "/profile"))
	h.opened(t, "viewer", "/profile", second)
	root := header("Cookie", h.session("root"))
	h.check(t, scenario{path: first, status: 404, header: root}) // it was replaced
	leads(t, h.sent(t, "viewer", "/profile/picture/remove", 303), "/profile?done=removed")
	leads(t, h.sent(t, "viewer", "/profile/picture/remove", 303), "/profile?done=removed")
	if page := h.opened(t, "viewer", "/profile"); pictureAddress.MatchString(page) {
		t.Error("the picture is still shown")
	}
	h.check(t, scenario{path: second, status: 200, header: root})
	if err := h.store.DeleteUser(t.Context(), h.users["author"].ID); err != nil {
		t.Fatal(err)
	}
	h.check(t, scenario{path: second, status: 404, header: root})
}

// bombOf is the beginning of a picture of so many pixels.
func bombOf(t *testing.T, w, h int) string {
	t.Helper()
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, flat{w, h}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// flat is a white picture that takes no memory.
type flat struct{ w, h int }

// ColorModel is that of grays.
func (flat) ColorModel() color.Model { return color.GrayModel }

// Bounds are its sides.
func (f flat) Bounds() image.Rectangle { return image.Rect(0, 0, f.w, f.h) }

// At is white.
func (flat) At(int, int) color.Color { return color.Gray{255} }

// TestTimesFollowTheZone: days and times are those of who looks, where the sun
// of UTC is on another day.
func TestTimesFollowTheZone(t *testing.T) {
	late := time.Date(2026, 6, 30, 22, 30, 0, 0, time.UTC)
	h := open(t, func(c *Config) { c.Clock = func() time.Time { return late } })
	h.opened(t, "root", "/profile", "It is 30 Jun 2026, 22:30 UTC there now.")
	for zone, says := range map[string]string{"Europe/Berlin": "1 Jul 2026, 00:30 CEST", "America/New_York": "30 Jun 2026, 18:30 EDT", "Asia/Kathmandu": "1 Jul 2026, 04:15 &#43;0545"} {
		h.sent(t, "root", "/profile", 303, "name", "Root", "language", "", "timeZone", zone)
		h.opened(t, "root", "/profile", "It is "+says+" there now.")
	}
}

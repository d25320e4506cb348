package api

import (
	"image/color"
	"strings"
	"testing"
)

// TestPicturesOfReports: who may change a report chooses the picture that lists
// show, of a page or their own.
func TestPicturesOfReports(t *testing.T) {
	h := open(t)
	const at = "/ws/demo/reports/2/picture"
	for who, status := range map[string]int{"viewer": 403, "operator": 403, "guest": 404, "stranger": 404} {
		h.check(t, scenario{path: at, header: header("Cookie", h.session(who)), status: status})
		h.sent(t, who, at, status, "page", "1")
		if w := h.sendsPicture(t, who, at+"/upload", "shot.png", plainPicture(t, color.White, 4, 4)); w.Code != status {
			t.Errorf("an upload by %s: %d", who, w.Code)
		}
	}
	h.opened(t, "author", at, "It is made of page 1", `class="no-picture"`)
	leads(t, h.sent(t, "author", at, 303, "page", "3"), at+"?done=made")
	h.opened(t, "author", at+"?done=made", "Lists show this picture.", "It is made of page 3", `src="/ws/demo/reports/2/preview-image?v=`)
	h.check(t, scenario{path: "/ws/demo/reports/2/preview-image", who: "viewer", status: 200, has: []string{"page 3"}, answer: map[string]string{"Content-Type": "image/webp"}})
	for _, wrong := range []string{"", "0", "-1", "x", "10000"} {
		h.sent(t, "author", at, 422, "page", wrong)
	}

	if w := h.sendsPicture(t, "author", at+"/upload", "shot.png", plainPicture(t, color.White, 1200, 600)); w.Code != 303 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	h.opened(t, "author", at+"?done=kept", "Lists show your picture.", "It was uploaded")
	got := h.check(t, scenario{path: "/ws/demo/reports/2/preview-image", who: "viewer", status: 200})
	if size := got.Body.Len(); size == 0 || size > 200_000 || !strings.HasPrefix(got.Header().Get("Content-Type"), "image/") {
		t.Errorf("%d bytes of %s", size, got.Header().Get("Content-Type"))
	}
	for name, content := range map[string]string{"no picture": "<svg/>", "too large": strings.Repeat("x", 6<<20)} {
		if w := h.sendsPicture(t, "author", at+"/upload", "shot.png", content); w.Code != 422 && w.Code != 413 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	if page := must[int](t)(h.store.PicturePage(t.Context(), h.demo.ID, 2)); page != 0 {
		t.Errorf("page %d", page)
	}
}

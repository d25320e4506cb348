package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gocloud.dev/blob"

	"github.com/quire-reports/quire/report"
)

func readAll(t testing.TB, c *Content) string {
	t.Helper()
	defer func() { _ = c.Close() }()
	return string(ok[[]byte](t)(io.ReadAll(c)))
}

// keys lists everything in the contents; on a folder, its files on disk.
func (f *fixture) keys() []string {
	f.t.Helper()
	keys := []string{}
	if f.storage == "" {
		f.must(f.contents.list(f.ctx(), "", func(objects []*blob.ListObject) error {
			for _, o := range objects {
				if o.Key != markKey {
					keys = append(keys, o.Key)
				}
			}
			return nil
		}))
		return keys
	}
	f.must(filepath.WalkDir(f.storage, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != markKey {
			keys = append(keys, strings.TrimPrefix(path, f.storage+"/"))
		}
		return err
	}))
	return keys
}

func testTempData(f *fixture) {
	acme, other := f.workspace("acme"), f.workspace("other")
	content := `{"customers":[{"name":"Ђорђе","total":12345678901234567890.10}]}`
	id, expires, err := f.PutTempData(f.ctx(), acme.ID, f.root.ID, upload(content, nil))
	f.must(err)
	if want := f.clock.Now().Add(24 * time.Hour); !expires.Equal(want) {
		f.t.Errorf("expires %v, want %v", expires, want)
	}
	if read := f.tempData(acme.ID, f.root.ID, id); read != content {
		f.t.Error("temporary data changed")
	}
	ana := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "ana@example.com"}))
	for _, c := range [][3]int{{other.ID, f.root.ID, id}, {acme.ID, f.root.ID, id + 1}, {acme.ID, ana.ID, id}, {acme.ID, 0, id}} {
		_, err = f.TempData(f.ctx(), c[0], c[1], c[2])
		f.isKind(err, report.NotFound)
	}

	_, _, err = f.PutTempData(f.ctx(), 999, f.root.ID, upload("{}", nil))
	f.isKind(err, report.NotFound)
	if keys := f.keys(); len(keys) != 1 {
		f.t.Errorf("contents after a refused upload: %v", keys)
	}
}

func testTempDataExpiry(f *fixture) {
	w := f.workspace("acme")
	put := func(after time.Duration) (int, time.Time) {
		asked := f.clock.Now().Add(after)
		id, expires, err := f.PutTempData(f.ctx(), w.ID, f.root.ID, upload(`{"a":[]}`, &asked))
		f.must(err)
		return id, expires
	}
	soon, _ := put(time.Hour)
	later, expires := put(90 * 24 * time.Hour)
	if want := f.clock.Now().Add(30 * 24 * time.Hour); !expires.Equal(want) {
		f.t.Errorf("after 90 days asked for: %v, want %v", expires, want)
	}
	past := f.clock.Now()
	_, _, err := f.PutTempData(f.ctx(), w.ID, f.root.ID, upload("{}", &past))
	f.isKind(err, report.Invalid)

	f.clock.Advance(time.Hour - time.Millisecond)
	f.tempData(w.ID, f.root.ID, soon)
	f.clock.Advance(time.Millisecond)
	_, err = f.TempData(f.ctx(), w.ID, f.root.ID, soon)
	f.isKind(err, report.NotFound)

	if swept := ok[Swept](f.t)(f.Sweep(f.ctx())); swept != (Swept{Contents: 1}) {
		f.t.Errorf("swept %+v", swept)
	}
	if keys := f.keys(); len(keys) != 1 {
		f.t.Errorf("left: %v", keys)
	}
	f.tempData(w.ID, f.root.ID, later)
	if swept := ok[Swept](f.t)(f.Sweep(f.ctx())); swept != (Swept{}) {
		f.t.Errorf("swept again %+v", swept)
	}
	f.clock.Advance(31 * 24 * time.Hour)
	ok[Swept](f.t)(f.Sweep(f.ctx()))
	if keys := f.keys(); len(keys) != 0 {
		f.t.Errorf("left in the end: %v", keys)
	}
}

// testRandomIDs: nobody guesses the numbers of uploads and exports, and one that
// is taken is not given out again.
func testRandomIDs(f *fixture) {
	w := f.workspace("acme")
	upload := func() int {
		id, _, err := f.PutTempData(f.ctx(), w.ID, f.root.ID, upload("{}", nil))
		f.must(err)
		return id
	}
	for name, make := range map[string]func() int{"upload": upload, "export": func() int { return f.newExport(w, "{}") }} {
		seen := map[int]bool{}
		for range 200 {
			id := make()
			if id < firstRandomID || id >= lastRandomID || seen[id] || seen[id-1] || seen[id+1] {
				f.t.Errorf("%s: the number %d after %v", name, id, seen)
			}
			seen[id] = true
		}
		taken, draws := make(), 0
		f.randomID = func() int {
			if draws++; draws <= 3 {
				return taken
			}
			return taken + draws
		}
		if id := make(); id != taken+4 || draws != 4 {
			f.t.Errorf("%s: %d after %d draws; want %d after 4", name, id, draws, taken+4)
		}
		f.randomID = randomID
	}
}

// testOrphans: contents that a crash left without a row go, once they are old.
func testOrphans(f *fixture) {
	w := f.workspace("acme")
	ok[*FileRow](f.t)(f.PutFile(f.ctx(), w.ID, "logo.svg", "", strings.NewReader("<svg/>")))
	_, _, err := f.PutTempData(f.ctx(), w.ID, f.root.ID, upload("{}", ptr(f.clock.Now().Add(48*time.Hour))))
	f.must(err)
	kept := f.keys()
	for _, folder := range []string{fileContents, tempContents, previewContents} {
		_, err := f.contents.Put(f.ctx(), contentKey(folder), "text/plain", strings.NewReader("lost"))
		f.must(err)
	}
	if swept := ok[Swept](f.t)(f.SweepOrphans(f.ctx())); swept != (Swept{}) {
		f.t.Errorf("young orphans swept: %+v", swept)
	}
	f.clock.Advance(orphanAge + time.Minute)
	if swept := ok[Swept](f.t)(f.SweepOrphans(f.ctx())); swept != (Swept{Orphans: 3}) {
		f.t.Errorf("swept: %+v", swept)
	}
	if diff := cmp.Diff(kept, f.keys()); diff != "" {
		f.t.Error(diff)
	}
}

func testFiles(f *fixture) {
	w := f.workspace("acme")
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MB
	for _, c := range []struct{ name, given, contentType, content string }{
		{"logo.svg", "", "image/svg+xml", "<svg/>"},
		{"brand/логотип (1).png", "image/png", "image/png", string(big)},
		{"notes", "", "application/octet-stream", ""},
		{"نامه\u200cها.txt", "", "text/plain; charset=utf-8", "a letter"},
		{"logo.svg", "image/svg+xml", "image/svg+xml", "<svg viewBox='0 0 1 1'/>"}, // replaced
	} {
		put := ok[*FileRow](f.t)(f.PutFile(f.ctx(), w.ID, c.name, c.given, strings.NewReader(c.content)))
		row, content, err := f.OpenFile(f.ctx(), w.ID, c.name)
		f.must(err)
		if diff := cmp.Diff(put, row); diff != "" {
			f.t.Errorf("%s: %s", c.name, diff)
		}
		if row.ContentType != c.contentType || content.ContentType != c.contentType || row.Size != int64(len(c.content)) {
			f.t.Errorf("%s: %+v", c.name, row)
		}
		if readAll(f.t, content) != c.content {
			f.t.Errorf("%s changed", c.name)
		}
	}
	files := ok[[]FileRow](f.t)(f.Files(f.ctx(), w.ID))
	if len(files) != 4 || len(f.keys()) != 4 {
		f.t.Errorf("files %+v, contents %v", files, f.keys())
	}
	for _, name := range []string{"", "../x", "/x", "a//b", "a/.", "a\\b", "a\x00b", "a\u202egnp.exe", "a\u2066b\u2069.png", "zero\u200bwidth", "line\u2028", strings.Repeat("x", 201)} {
		_, err := f.PutFile(f.ctx(), w.ID, name, "", strings.NewReader("x"))
		f.isKind(err, report.Invalid)
	}
	_, err := f.PutFile(f.ctx(), 999, "x", "", strings.NewReader("x"))
	f.isKind(err, report.NotFound)
	_, err = f.PutFile(f.ctx(), w.ID, "broken", "", io.MultiReader(bytes.NewReader(big), faultyReader{}))
	if !errors.Is(err, errFaulty) {
		f.t.Errorf("a reader's fault: %v", err)
	}
	f.must(f.DeleteFile(f.ctx(), w.ID, "notes"))
	f.isKind(f.DeleteFile(f.ctx(), w.ID, "notes"), report.NotFound)
	if len(f.keys()) != 3 {
		f.t.Errorf("left: %v", f.keys())
	}
}

var errFaulty = errors.New("the sender went away")

type faultyReader struct{}

func (faultyReader) Read([]byte) (int, error) { return 0, errFaulty }

func testPreviewImages(f *fixture) {
	w := ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), sampleBundle())).Workspace
	row := func() ReportRow { return ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, ReportQuery{}))[0] }
	before := len(f.keys())
	id := row().ID
	if row().PreviewImage != nil {
		f.t.Error("a preview image from nowhere")
	}
	_, err := f.PreviewImage(f.ctx(), w.ID, id)
	f.isKind(err, report.NotFound)
	f.must(f.SetPreviewImage(f.ctx(), w.ID, id, "image/png", strings.NewReader("one")))
	first := *row().PreviewImage
	f.must(f.SetPreviewImage(f.ctx(), w.ID, id, "image/webp", strings.NewReader("two")))
	if *row().PreviewImage == first {
		f.t.Error("the version did not change with the image")
	}
	image := ok[*Content](f.t)(f.PreviewImage(f.ctx(), w.ID, id))
	if image.ContentType != "image/webp" || readAll(f.t, image) != "two" {
		f.t.Errorf("image %+v", image)
	}
	f.isKind(f.SetPreviewImage(f.ctx(), w.ID, 999, "image/png", strings.NewReader("x")), report.NotFound)
	f.must(f.DeletePreviewImage(f.ctx(), w.ID, id))
	if row().PreviewImage != nil || len(f.keys()) != before {
		f.t.Errorf("left: %v", f.keys())
	}
}

// testPictureTasks: each revision has a picture made by one process, once
// nobody saves any more; a picture that was uploaded stays.
func testPictureTasks(f *fixture) {
	w := ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), report.Workspace{Name: "Pictures", Code: "pictures", Reports: []report.NamedReport{{Code: "one", Report: report.Report{Version: 1, Name: "One"}}}})).Workspace
	row := func() ReportRow { return ok[[]ReportRow](f.t)(f.Reports(f.ctx(), w.ID, ReportQuery{}))[0] }
	id := row().ID
	claim := func(settled time.Duration) *PictureTask {
		return ok[*PictureTask](f.t)(f.ClaimPicture(f.ctx(), settled))
	}
	if task := claim(time.Minute); task != nil {
		f.t.Errorf("a picture of what was just saved: %+v", task)
	}
	task := claim(0)
	if task == nil || *task != (PictureTask{WorkspaceID: w.ID, ReportID: id, Page: 1, Revision: row().Revision}) {
		f.t.Fatalf("got %+v", task)
	}
	if again := claim(0); again != nil {
		f.t.Errorf("claimed twice: %+v", again)
	}
	f.must(f.KeepPicture(f.ctx(), *task, "image/webp", []byte("made"), VersionPicture{"image/webp", []byte("made")}))
	f.must(f.SetPicturePage(f.ctx(), w.ID, id, 3, 0))
	if page := ok[int](f.t)(f.PicturePage(f.ctx(), w.ID, id)); page != 3 {
		f.t.Errorf("page %d", page)
	}
	f.isKind(f.KeepPicture(f.ctx(), *task, "image/webp", []byte("of the page before"), VersionPicture{"image/webp", []byte("of the page before")}), report.NotFound)
	if task = claim(0); task == nil || task.Page != 3 {
		f.t.Errorf("another page is no reason: %+v", task)
	}
	f.must(f.ReleasePicture(f.ctx(), *task))
	if again := claim(0); again == nil || *again != *task {
		f.t.Errorf("what was not made is not made again: %+v", again)
	}
	f.must(f.SetPicturePage(f.ctx(), w.ID, id, 2, row().Revision))
	f.must(f.ReleasePicture(f.ctx(), PictureTask{ReportID: id, Revision: task.Revision - 1}))
	if again := claim(0); again != nil {
		f.t.Errorf("a picture that was made at once is made again: %+v", again)
	}
	f.must(f.SetPicturePage(f.ctx(), w.ID, id, OwnPicture, 0))
	f.must(f.SetPreviewImage(f.ctx(), w.ID, id, "image/png", strings.NewReader("mine")))
	f.must(f.KeepPicture(f.ctx(), PictureTask{WorkspaceID: w.ID, ReportID: id, Page: OwnPicture}, "image/png", []byte("mine"), VersionPicture{"image/png", []byte("mine")}))
	ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, id, row().Revision, f.root.ID, &report.Report{Version: 1, Name: "One"}))
	if task := claim(0); task != nil {
		f.t.Errorf("a picture instead of one that was uploaded: %+v", task)
	}
	f.isKind(f.SetPicturePage(f.ctx(), w.ID, 999, 1, 0), report.NotFound)
	f.must(f.DeleteReport(f.ctx(), w.ID, id))
	f.must(f.DeletePreviewImage(f.ctx(), w.ID, id))
}

// testUploadedVersions: what is brought in is a version as soon as it has a picture,
// the first time and each time after, and saving it makes no second one.
func testUploadedVersions(f *fixture) {
	bring := func(title string) (w Workspace, task *PictureTask) {
		one := report.NamedReport{Code: "one", Report: report.Report{Version: 1, Name: "One", Title: title}}
		w = ok[*Imported](f.t)(f.ImportWorkspace(f.ctx(), report.Workspace{Name: "Uploads", Code: "uploads", Reports: []report.NamedReport{one}})).Workspace
		task = ok[*PictureTask](f.t)(f.ClaimPicture(f.ctx(), 0))
		f.must(f.KeepPicture(f.ctx(), *task, "image/webp", []byte(title), VersionPicture{"image/webp", []byte(title)}))
		return w, task
	}
	history := func(w Workspace, id int) string {
		list := ""
		for _, v := range ok[[]Version](f.t)(f.ReportVersions(f.ctx(), w.ID, id)) {
			picture, err := f.VersionPicture(f.ctx(), w.ID, id, v.Revision)
			if err != nil {
				picture = &VersionPicture{Content: []byte("none")}
			}
			list += fmt.Sprintf("%d %s %s; ", v.Revision, picture.Content, v.User)
		}
		return list
	}
	w, task := bring("first")
	if got := history(w, task.ReportID); got != "1 first ; " {
		f.t.Errorf("brought in: %s", got)
	}
	_, task = bring("second")
	f.must(f.KeepPicture(f.ctx(), *task, "image/webp", []byte("again"), VersionPicture{"image/webp", []byte("again")}))
	if got := history(w, task.ReportID); got != "2 again ; 1 first ; " {
		f.t.Errorf("brought in again: %s", got)
	}
	read := ok[*ReportDefinition](f.t)(f.ReportByIDOrType(f.ctx(), w.ID, strconv.Itoa(task.ReportID)))
	_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, task.ReportID, 2, f.root.ID, read.Report))
	if got := history(w, task.ReportID); !strings.HasSuffix(got, "; 2 again ; 1 first ; ") || strings.Count(got, ";") != 3 {
		f.t.Errorf("saved: %s", got)
	}
}

// testVersionPictures: the picture that is made after a save is that of its version, and
// goes with it.
func testVersionPictures(f *fixture) {
	w := f.workspace("shop")
	r := ok[*ReportDefinition](f.t)(f.CreateReport(f.ctx(), w.ID, NewReport{Name: "Sums"}))
	save := func(revision int) PictureTask {
		_ = ok[int](f.t)(f.SaveReport(f.ctx(), w.ID, r.ID, revision, f.root.ID, r.Report))
		return PictureTask{WorkspaceID: w.ID, ReportID: r.ID, Page: 1, Revision: revision + 1}
	}
	pictured := func() (list []int) {
		for _, v := range ok[[]Version](f.t)(f.ReportVersions(f.ctx(), w.ID, r.ID)) {
			if v.Pictured {
				list = append(list, v.Revision)
			}
		}
		return list
	}
	first := PictureTask{WorkspaceID: w.ID, ReportID: r.ID, Page: 1, Revision: 1}
	f.must(f.KeepPicture(f.ctx(), first, "image/webp", []byte("large"), VersionPicture{"image/jpeg", []byte("first")}))
	if got := fmt.Sprint(pictured()); got != "[1]" {
		f.t.Errorf("pictures of %s", got)
	}
	second := save(1)
	f.must(f.KeepPicture(f.ctx(), second, "image/webp", []byte("second"), VersionPicture{"image/webp", []byte("second")}))
	f.clock.Advance(time.Hour)
	third := save(2)
	f.must(f.KeepPicture(f.ctx(), second, "image/webp", []byte("of what came later"), VersionPicture{"image/webp", []byte("of what came later")}))
	if p := ok[*VersionPicture](f.t)(f.VersionPicture(f.ctx(), w.ID, r.ID, 2)); string(p.Content) != "second" || p.ContentType != "image/webp" {
		f.t.Errorf("%s %q", p.ContentType, p.Content)
	}
	f.must(f.KeepPicture(f.ctx(), third, "image/webp", make([]byte, MostVersionPicture+1), VersionPicture{"image/webp", make([]byte, MostVersionPicture+1)}))
	if got := fmt.Sprint(pictured()); got != "[2 1]" {
		f.t.Errorf("pictures of %s", got)
	}
	f.must(f.KeepPicture(f.ctx(), third, "image/webp", []byte("third"), VersionPicture{"image/webp", []byte("third")}))
	_ = save(3) // in the same sitting
	if got := fmt.Sprint(pictured()); got != "[2 1]" {
		f.t.Errorf("pictures of %s", got)
	}
	_, err := f.VersionPicture(f.ctx(), w.ID, r.ID, 3)
	f.isKind(err, report.NotFound)
	_, err = f.VersionPicture(f.ctx(), f.workspace("elsewhere").ID, r.ID, 2)
	f.isKind(err, report.NotFound)
}

// TestSweeperRuns: the loop removes what expired, and Close ends it.
func TestSweeperRuns(t *testing.T) {
	f := sqliteFixture(t)
	w := f.workspace("acme")
	_, _, err := f.PutTempData(t.Context(), w.ID, f.root.ID, upload("{}", nil))
	f.must(err)
	f.clock.Advance(25 * time.Hour)
	f.StartSweeping(10 * time.Millisecond)
	// Not until the content is gone: its row goes after it.
	for deadline := time.Now().Add(time.Minute); f.Sweeps().Done < 2; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing swept in a minute")
		}
	}
	f.must(f.Close())
	if s := f.Sweeps(); len(f.keys()) > 0 || s.Removed.Contents != 1 || s.Failed != 0 || !s.Last.Equal(f.clock.Now()) {
		t.Errorf("sweeps are counted as %+v", s)
	}
}

// TestPutIsStreamed: a cancelled upload leaves nothing, and a large one is not
// held in memory.
func TestPutIsStreamed(t *testing.T) {
	f := sqliteFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.contents.Put(ctx, "temp/1/x", "", strings.NewReader("x")); err == nil {
		t.Error("a cancelled upload was kept")
	}
	if keys := f.keys(); len(keys) != 0 {
		t.Errorf("left: %v", keys)
	}
	allocated := testing.AllocsPerRun(1, func() {
		_, err := f.contents.Put(t.Context(), "temp/1/big", "", io.LimitReader(zeroes{}, 64<<20))
		f.must(err)
	})
	if allocated > 10_000 {
		t.Errorf("%v allocations for 64 MB", allocated)
	}
	if info := ok[os.FileInfo](t)(os.Stat(filepath.Join(f.storage, "temp/1/big"))); info.Size() != 64<<20 {
		t.Errorf("size %d", info.Size())
	}
	const small = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range small {
		ok[int64](t)(f.contents.Put(t.Context(), fmt.Sprintf("temp/1/%d", i), "", strings.NewReader("x")))
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > small*copyBuffer {
		t.Errorf("%d bytes of memory for a content of one", (after.TotalAlloc-before.TotalAlloc)/small)
	}
}

type zeroes struct{}

func (zeroes) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func testSeal(f *fixture) {
	sealed := f.Seal("connections/12", "pässword")
	if strings.Contains(sealed, "ssword") || !strings.HasPrefix(sealed, "v1.") {
		f.t.Errorf("sealed %q", sealed)
	}
	if sealed == f.Seal("connections/12", "pässword") {
		f.t.Error("sealing twice gives the same text")
	}
	if plain := ok[report.Secret](f.t)(f.Unseal("connections/12", sealed)); plain.Reveal() != "pässword" {
		f.t.Errorf("unsealed %q", plain.Reveal())
	}
	for name, c := range map[string]struct{ place, text string }{
		"another place": {"connections/13", sealed},
		"cut":           {"connections/12", sealed[:len(sealed)-2]},
		"no version":    {"connections/12", sealed[3:]},
		"empty":         {"connections/12", ""},
		"version only":  {"connections/12", "v1."},
	} {
		if _, err := f.Unseal(c.place, c.text); !errors.Is(err, errSealed) {
			f.t.Errorf("%s: %v", name, err)
		}
	}
}

// TestListingWhileFilesComeAndGo: what is written meanwhile has a name for a moment
// that is gone when the list looks at it.
func TestListingWhileFilesComeAndGo(t *testing.T) {
	t.Parallel()
	c := ok[*Contents](t)(OpenContents(t.Context(), "Storage__Url", "file://"+t.TempDir()))
	for i := range 300 {
		ok[int64](t)(c.Put(t.Context(), "there/"+strings.Repeat("x", i%7+1)+strings.Repeat("y", i/7), "text/plain", strings.NewReader("a")))
	}
	before := len(listed(t, c))
	done := make(chan error)
	go func() {
		var err error
		for range 300 {
			if _, e := c.Put(t.Context(), "written", "text/plain", strings.NewReader("b")); e != nil {
				err = e
			}
		}
		done <- err
	}()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		default:
			if n := len(listed(t, c)); n < before {
				t.Fatalf("%d of %d are listed", n, before)
			}
		}
	}
}

func listed(t *testing.T, c *Contents) (keys []string) {
	t.Helper()
	if err := c.List(t.Context(), "", func(l Listed) error { keys = append(keys, l.Key); return nil }); err != nil {
		t.Fatal(err)
	}
	return keys
}

package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestSpool(t *testing.T) {
	for _, size := range []int{0, 10, 11, 5000} {
		dir := t.TempDir()
		s := &spool{dir: dir, limit: 10}
		want := strings.Repeat("x", size)
		for i := 0; i < size; i += 7 {
			if _, err := io.WriteString(s, want[i:min(i+7, size)]); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.finish(); err != nil {
			t.Fatal(err)
		}
		part := Part{spool: s, Size: s.size}
		for range 2 { // it can be read more than once
			r, err := part.Open()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			r.Close()
			if err != nil || string(got) != want || part.Size != int64(size) {
				t.Errorf("%d bytes: got %d, %v", size, len(got), err)
			}
		}
		files, _ := os.ReadDir(dir)
		if onDisk := len(files) == 1; onDisk != (size > 10) {
			t.Errorf("%d bytes: on disk %t", size, onDisk)
		}
		res := &Result{Parts: []Part{part}}
		if err := errors.Join(res.Close(), res.Close()); err != nil {
			t.Error(err)
		}
		if files, _ := os.ReadDir(dir); len(files) != 0 {
			t.Errorf("%d bytes: a file is left", size)
		}
	}
}

func TestWorkDirIsMadeAgain(t *testing.T) {
	d := &workDir{base: t.TempDir()}
	first, err := d.get()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := d.get(); again != first {
		t.Error("another folder each time")
	}
	os.RemoveAll(first)
	second, err := d.get()
	if err != nil || second == first {
		t.Errorf("after it was removed: %q, %v", second, err)
	}
	d.remove()
	if files, _ := os.ReadDir(d.base); len(files) != 0 {
		t.Errorf("left: %v", files)
	}
}

func TestWorkDirCleansUpAfterTheDead(t *testing.T) {
	base := t.TempDir()
	dead := filepath.Join(base, dirPrefix+"1")
	other := filepath.Join(base, "another-program")
	for _, dir := range []string{dead, other} {
		if err := os.MkdirAll(filepath.Join(dir, "browser-1", "Default"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	alive := &workDir{base: base}
	path, err := alive.get()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.remove()
	next := &workDir{base: base}
	if _, err := next.get(); err != nil {
		t.Fatal(err)
	}
	defer next.remove()
	for dir, want := range map[string]bool{dead: false, other: true, path: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %t", filepath.Base(dir), err == nil)
		}
	}
}

// TestWorkDirsAreMadeAtOnce: cleaning up never takes a folder from who has it,
// however close the two are.
func TestWorkDirsAreMadeAtOnce(t *testing.T) {
	base := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				d := &workDir{base: base}
				path, err := d.get()
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(path, "part-1.pdf"), nil, 0o600); err != nil {
					t.Error("taken away: ", err)
				}
				d.remove()
			}
		})
	}
	all.Wait()
	if files, _ := os.ReadDir(base); len(files) != 0 {
		t.Errorf("left: %v", files)
	}
}

func TestTranslate(t *testing.T) {
	lostTab, cancel := context.WithCancelCause(context.Background())
	cancel(errTabCrashed)
	late, stop := context.WithTimeout(context.Background(), 0)
	defer stop()
	<-late.Done()
	gone, leave := context.WithCancel(context.Background())
	leave()
	bg := context.Background()
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		want error
	}{
		{"nothing", bg, nil, nil},
		{"connection lost", bg, fmt.Errorf("printing: %w", errLost), ErrCrashed},
		{"tab died", lostTab, context.Canceled, ErrCrashed},
		{"too late", late, context.DeadlineExceeded, ErrTimeout},
		{"caller left", gone, context.Canceled, context.Canceled},
		{"caller left while the browser complained", gone, &protocolError{Message: "Target closed"}, context.Canceled},
		{"refused by the browser", bg, &protocolError{Code: -32000, Message: "Printing failed"}, ErrPageFailed},
		{"our own verdict", bg, fail(ErrPageFailed, "x"), ErrPageFailed},
		{"anything else", bg, io.ErrUnexpectedEOF, ErrPageFailed},
	}
	for _, text := range lostTexts {
		tests = append(tests, struct {
			name string
			ctx  context.Context
			err  error
			want error
		}{text, bg, &protocolError{Code: -32000, Message: text + "."}, ErrCrashed})
	}
	for _, tt := range tests {
		got := translate(tt.ctx, tt.err)
		if !errors.Is(got, tt.want) || (tt.want == nil) != (got == nil) {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestServedFiles(t *testing.T) {
	font, logo := []byte("font"), []byte("logo")
	give := func(files map[string]string) Resources {
		return func(path string) (string, []byte, bool) {
			b, ok := files[path]
			return "", []byte(b), ok
		}
	}
	var s servedFiles
	s.add("fonts/a.woff2", servedFile{harmless: true, body: font})
	s.add("files/my%20logo.png", servedFile{body: logo})
	html := `<style>url(https://quire.invalid/fonts/a.woff2)</style><img src="https://quire.invalid/files/my%20logo.png">`
	tests := []struct {
		name  string
		html  string
		files Resources
		want  bool
	}{
		{"the same", html, give(map[string]string{"fonts/a.woff2": "font", "files/my logo.png": "logo"}), true},
		{"another logo", html, give(map[string]string{"fonts/a.woff2": "font", "files/my logo.png": "LOGO"}), false},
		{"another font", html, give(map[string]string{"fonts/a.woff2": "tnof", "files/my logo.png": "logo"}), false},
		{"no logo any more", html, give(map[string]string{"fonts/a.woff2": "font"}), false},
		{"no files at all", html, nil, false},
		{"an image that is not named may still be meant", "<p>", give(nil), false},
	}
	for _, tt := range tests {
		if got := s.usable([]byte(tt.html), tt.files); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
	s.clear()
	s.add("fonts/a.woff2", servedFile{harmless: true, body: font})
	if !s.usable([]byte("<p>"), nil) {
		t.Error("a font that is not named does no harm")
	}
	s.add("files/big.png", servedFile{body: make([]byte, servedBytes)})
	if s.usable([]byte(html), give(nil)) {
		t.Error("too much to remember")
	}
	s.clear()
	if !s.usable([]byte(html), nil) {
		t.Error("an empty tab is usable")
	}
}

func TestAnAddressMayBeItsContent(t *testing.T) {
	logo := []byte("logo")
	sum := sha256.Sum256(logo)
	for path, want := range map[string]bool{
		"image/" + hex.EncodeToString(sum[:12]): true,
		hex.EncodeToString(sum[:12]):            false,
		"image/" + hex.EncodeToString(sum[:11]): false,
		"image/0123456789abcdef01234567":        false,
		"image/logo.png":                        false,
	} {
		if got := addressedByContent(path, logo); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

func TestPieceEnd(t *testing.T) {
	text := []byte("abcдеф")
	for size := utf8Max; size <= len(text)+1; size++ {
		n := pieceEnd(text, size)
		if n > size || n < size-1 && n != len(text) || strings.Contains(string(text[:n]), "\ufffd") {
			t.Errorf("size %d: %d", size, n)
		}
	}
}

const utf8Max = 4

func TestIDTakesNumbersAndStrings(t *testing.T) {
	for in, want := range map[string]ID{`"12"`: "12", `12`: "12", `null`: "", `"a\"b"`: `a"b`} {
		var id ID
		if err := id.UnmarshalJSON([]byte(in)); err != nil || id != want {
			t.Errorf("%s: %q, %v", in, id, err)
		}
	}
	var id ID
	if id.UnmarshalJSON([]byte(`{}`)) == nil {
		t.Error("an object is no identifier")
	}
}

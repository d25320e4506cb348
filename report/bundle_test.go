package report

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// folderWith is a bundle in a folder, with links: where they are, and where
// they lead.
func folderWith(t *testing.T, links map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"files", "reports"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"workspace.json": `{"name":"Z","code":"zz"}`, "files/plain.txt": "plain"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		at := filepath.Join(folder, name)
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at); err != nil {
			t.Skip("no links here:", err)
		}
	}
	return folder
}

func TestLinksOfBundlesAreNotFollowed(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	secret := filepath.Join(outside, "keys.json")
	if err := os.WriteFile(secret, []byte(`{"name":"Z","code":"secret"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, links := range map[string]map[string]string{
		"files/k.txt":       {"files/k.txt": secret},
		"files/inside.txt":  {"files/inside.txt": "plain.txt"},
		"reports/r.json":    {"reports/r.json": secret},
		"files":             {"files": outside},
		"workspace.json":    {"workspace.json": secret},
		"files/nowhere.txt": {"files/nowhere.txt": "missing"},
	} {
		folder := folderWith(t, links)
		root, err := os.OpenRoot(folder)
		if err != nil {
			t.Fatal(err)
		}
		for kind, bundle := range map[string]fs.FS{"folder": os.DirFS(folder), "root": root.FS()} {
			ws, problems := ReadWorkspace(bundle)
			if problems == nil || !strings.HasPrefix(problems.Error(), name+": ") || !strings.Contains(problems.Error(), "links are not followed") && !strings.Contains(problems.Error(), "it is a link") {
				t.Errorf("%s, %s: got %v, %+v", name, kind, problems, ws)
			}
		}
		_ = root.Close()
	}
}

func zipOf(t *testing.T, files int, each []byte) fs.FS {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	put := func(name string, content []byte) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put("workspace.json", []byte(`{"name":"Z","code":"z2"}`))
	for i := range files {
		put(fmt.Sprintf("files/%d.txt", i), each)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	bundle, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return bundle
}

func TestBundlesOfManyFilesAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	bundle := zipOf(t, 2*maxFiles, []byte("x"))
	began := time.Now()
	ws, problems := ReadWorkspace(bundle)
	if problems == nil || !strings.Contains(problems.Error(), "files: cannot be listed: the bundle has more than 20000 files") || len(ws.Files) > 0 {
		t.Errorf("got %v", problems)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("refused after %v", took)
	}
}

func TestLargeBundlesAreRefused(t *testing.T) {
	t.Parallel()
	bundle := zipOf(t, 3, bytes.Repeat([]byte("x"), 1000))
	reader := bundleReader{bundle: bundle, files: maxFiles, bytes: 2500}
	if files := reader.managed(); len(files) != 2 || reader.problems == nil || !strings.Contains(reader.problems.Error(), "files/2.txt: cannot be read: the bundle is larger than 1024 MB") {
		t.Errorf("got %d files, %v", len(files), reader.problems)
	}
}

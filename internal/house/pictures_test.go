package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shownPicture is a picture of a page in Markdown, with what it says to those who do
// not see it.
var shownPicture = regexp.MustCompile(`!\[([^\]]*)\]\(([^)\s]+)\)`)

// Pages show pictures that there are and say what is on them, and each picture is
// shown.
func TestPagesShowPicturesThatThereAre(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, picture := range shownPicture.FindAllStringSubmatch(string(text), -1) {
			path := filepath.Join(filepath.Dir(page), picture[2])
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			if strings.TrimSpace(picture[1]) == "" {
				t.Errorf("%s does not say what is on %s", page, picture[2])
			}
			shown[path] = true
		}
	}
	made, err := filepath.Glob(filepath.Join(root, "docs", "pictures", "*.png"))
	if err != nil || len(made) < 4 {
		t.Fatalf("%d pictures, %v", len(made), err)
	}
	inside, err := filepath.Glob(filepath.Join(root, "docs", "pictures", "*", "*.png"))
	if err != nil {
		t.Fatal(err)
	}
	for _, picture := range append(made, inside...) {
		if !shown[picture] {
			t.Errorf("%s is on no page", picture)
		}
	}
}

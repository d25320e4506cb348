package store

import (
	"strings"
	"testing"
)

func TestAFontThatCannotBeUsedIsNoManagedFile(t *testing.T) {
	err := checkFont("brand.woff2", []byte("wOF2 and then nothing of it"))
	if err == nil || !strings.Contains(err.Error(), `the font "brand.woff2" cannot be used: its WOFF2 data are damaged`) {
		t.Errorf("%v", err)
	}
	if err := checkFont("notes.txt", []byte("no font")); err != nil {
		t.Errorf("%v", err)
	}
}

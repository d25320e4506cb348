package font_test

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/report/font"
)

// TestPackAndUnpack takes every font of the program out of its form and packs it
// again: what comes out of that is what went in, byte for byte.
func TestPackAndUnpack(t *testing.T) {
	t.Parallel()
	n := 0
	err := fs.WalkDir(assets.Fonts(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".woff2") {
			return err
		}
		n++
		content, err := fs.ReadFile(assets.Fonts(), name)
		if err != nil {
			return err
		}
		plain, err := font.Unpack(content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		packed, err := font.Pack(plain)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		again, err := font.Unpack(packed)
		if err != nil {
			t.Errorf("%s, packed again: %v", name, err)
			return nil
		}
		// but for the flag that says so
		if !bytes.Equal(plain, again) {
			if at := firstDifference(plain, again); at >= 0 {
				t.Errorf("%s: other bytes from %d of %d on", name, at, len(plain))
			}
		}
		if n == 1 {
			t.Logf("%s: %d bytes, unpacked %d, packed again %d", name, len(content), len(plain), len(packed))
		}
		return nil
	})
	if err != nil || n < 50 {
		t.Errorf("%d fonts: %v", n, err)
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

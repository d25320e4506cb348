package assets_test

import (
	"compress/gzip"
	"io/fs"
	"testing"

	"github.com/quire-reports/quire/assets"
)

// TestTheDesignerIsSmall bounds what a browser loads before the first page can be
// touched; editors of code and formatted text come later.
func TestTheDesignerIsSmall(t *testing.T) {
	const most = 150 << 10
	script, err := fs.ReadFile(assets.Dist(), "designer.js")
	must(t, err)
	var size written
	packed := gzip.NewWriter(&size)
	_, err = packed.Write(script)
	must(t, err)
	must(t, packed.Close())
	t.Logf("designer.js: %d bytes, %d compressed", len(script), size)
	if size > most {
		t.Errorf("designer.js is %d bytes compressed; accepted: at most %d", size, most)
	}
}

// written counts bytes.
type written int

func (n *written) Write(p []byte) (int, error) {
	*n += written(len(p))
	return len(p), nil
}

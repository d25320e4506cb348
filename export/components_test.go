package export

import (
	"io/fs"
	"testing"

	"github.com/quire-reports/quire/assets"
)

// TestEveryComponentIsDrawn looks for the drawing of each component among those
// that are built in.
func TestEveryComponentIsDrawn(t *testing.T) {
	for _, c := range Components() {
		if _, err := fs.Stat(assets.Icons(), c.Icon+".svg"); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

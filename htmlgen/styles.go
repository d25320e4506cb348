package htmlgen

import (
	"embed"
	"io/fs"

	"github.com/quire-reports/quire/internal/live"
)

//go:embed *.css
var embedded embed.FS

// ownStyle is a style sheet of this package.
func ownStyle(name string) string {
	text, err := fs.ReadFile(live.FS(embedded, "htmlgen"), name)
	if err != nil {
		panic(err) // the first test finds a name that is wrong
	}
	return string(text)
}

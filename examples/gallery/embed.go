// Package gallery holds the reports of this folder: they show what every
// component can do, and new reports begin with them.
package gallery

import (
	"embed"

	"github.com/quire-reports/quire/internal/live"
)

//go:embed workspace.json reports templates themes dictionaries files
var embedded embed.FS

// Files is the workspace as report.ReadWorkspace takes it.
var Files = live.FS(embedded, "examples/gallery")

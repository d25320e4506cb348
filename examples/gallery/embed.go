// Package gallery holds the reports of this folder: they show what every
// component can do, and new reports begin with them.
package gallery

import "embed"

// Files is the workspace as report.ReadWorkspace takes it.
//
//go:embed workspace.json reports templates themes dictionaries files
var Files embed.FS

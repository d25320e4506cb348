package input

import "github.com/quire-reports/quire/export"

// Components are all element types, for the designer.
func Components() []export.Component { return export.Components() }

// SourceTypes are all types of data sources, for the designer.
func SourceTypes() []export.SourceType { return export.SourceTypes() }

// What the decoder of this package makes is what export takes.
type (
	// Request asks for one export.
	Request = export.Request
	// PreviewRequest asks for a report as a page for people.
	PreviewRequest = export.PreviewRequest
	// File is a finished export.
	File = export.File
	// Preview is a report as a page for people.
	Preview = export.Preview
	// Asked is a parameter as a form asks for it.
	Asked = export.Asked
)

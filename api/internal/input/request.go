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
	// SourceRequest asks for the rows of one data source.
	SourceRequest = export.SourceRequest
	// SourceRun is what a data source gave.
	SourceRun = export.SourceRun
	// Asked is a parameter as a form asks for it.
	Asked = export.Asked
)

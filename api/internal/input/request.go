package input

import (
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
)

// Schema is everything the designer's forms are drawn from.
func Schema() export.DesignSchema { return export.Schema() }

// Settings describes fields as forms are drawn from them.
func Settings(fields []report.Field) []Setting { return export.Settings(fields) }

// What the decoder of this package makes is what export takes.
type (
	// DesignSchema is what the designer draws its forms from.
	DesignSchema = export.DesignSchema
	// Setting is one field of a form.
	Setting = export.Setting
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

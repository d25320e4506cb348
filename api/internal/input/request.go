package input

import "github.com/quire-reports/quire/export"

// Schema is everything the designer's forms are drawn from.
func Schema() export.DesignSchema { return export.Schema() }

// What the decoder of this package makes is what export takes.
type (
	// DesignSchema is what the designer draws its forms from.
	DesignSchema = export.DesignSchema
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

package input

import (
	"bytes"
	"io"

	"github.com/quire-reports/quire/report"
)

type Request struct {
	Workspace  int
	UserID     int
	Report     string
	Params     *report.Object
	Data       *report.Object
	TempDataID int
	Lang       string
	Timezone   string
	Format     string
	Template   string
	Theme      string

	IncludeAttachments bool
	Accessible         bool
	Password           report.Secret
	AllowPrinting      bool
	AllowCopying       bool
	ExcludePages       []int
}

type File struct {
	Name        string
	ContentType string
	Size        int64
	Warnings    report.Problems
	Content     []byte
}

func (f *File) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.Content)), nil }
func (f *File) Close() error                 { return nil }

type PreviewRequest struct {
	Request
	AssetBase       string
	HidePrintButton bool
}

type Preview struct {
	HTML     []byte
	CSP      string
	Warnings report.Problems
}

package render

import (
	"encoding/json"
	"io"
	"time"
)

// ResourceHost is the host under which a document finds its images and fonts:
// https://quire.invalid/<path> is answered by Job.Resources, everything else is
// refused.
const ResourceHost = "quire.invalid"

// ResourceBase is what the address of every resource of a document begins with.
const ResourceBase = "https://" + ResourceHost + "/"

// Resources answers for the files a document loads. The path is what follows
// ResourceBase, unescaped, with its query if there is one. It is called from
// several goroutines.
type Resources func(path string) (contentType string, body []byte, ok bool)

// Priority says which of the waiting jobs go first.
type Priority int

// The priorities. Three normal jobs go before each background job, so neither
// starves.
const (
	Normal Priority = iota
	Background
)

// Job is one document to print.
type Job struct {
	// HTML is the whole document. It must not change until the job is done.
	HTML []byte
	// Resources answers for images and fonts; nil means there are none.
	Resources Resources
	// Paginate runs the paginator over the document before it is printed.
	// Without it the document is printed as the browser breaks it.
	Paginate bool
	// Tagged asks for the structure a screen reader needs. It costs two to
	// three times the time.
	Tagged bool
	// Bleed is how much larger than the pages the paper is, at each edge, in whole CSS
	// pixels: what reaches the edge of a page goes on there.
	Bleed int
	// Fields makes links of the places of form fields, of which package pdf makes fields
	// that can be filled in.
	Fields bool
	// Seek are characters whose places Result.Found tells.
	Seek string
	// Outline asks the browser for an outline from the headings. Usually the
	// outline is made from Result.Anchors instead.
	Outline bool
	// Key is whose job it is, for instance a workspace: waiting jobs of
	// different keys take turns.
	Key string
	// Priority is Normal unless somebody can wait.
	Priority Priority
	// Timeout limits the time in the browser; zero means Config.Timeout.
	// The time in the queue is limited by the context.
	Timeout time.Duration
	// HTMLOut asks for the finished HTML in Result.HTML.
	HTMLOut bool
}

// PageInfo is one page of the result. Sizes are in CSS pixels, 96 to the inch.
type PageInfo struct {
	Number     int     `json:"number"`
	Width      float64 `json:"width"`
	Height     float64 `json:"height"`
	Name       string  `json:"name"`
	SourcePage ID      `json:"sourcePage"`
	// Attached says what stands in the place of the page in the finished PDF, as
	// the document said it; empty for the page itself.
	Attached string `json:"attached"`
}

// Anchor is a place in the document that links or the outline can point at.
// X and Y are CSS pixels from the upper left corner of its page.
type Anchor struct {
	ID    string  `json:"id"`
	Page  int     `json:"page"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Level int     `json:"level"` // of a heading; 0 for other anchors
	Text  string  `json:"text"`
}

// Warning is something that happened to an element while the pages were made,
// such as having been scaled down to fit.
type Warning struct {
	ID      string `json:"id"`
	Message string `json:"message"`
}

// Found is where some of the characters of Job.Seek stand.
type Found struct {
	ID   string `json:"id"`   // of the element; empty for none
	Page int    `json:"page"` // from 1
	Text string `json:"text"` // each of the characters once
}

// ID is an identifier that scripts write as a string or as a number.
type ID string

// UnmarshalJSON takes a string, a number or null.
func (id *ID) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var s string
		err := json.Unmarshal(b, &s)
		*id = ID(s)
		return err
	}
	if string(b) == "null" {
		return nil
	}
	var n json.Number
	err := json.Unmarshal(b, &n)
	*id = ID(n)
	return err
}

// Timings says where the time of a job went.
type Timings struct {
	Queue    time.Duration // until a slot took it
	Fill     time.Duration // parsing and, if asked for, pagination, fonts and images included
	Print    time.Duration // the browser's printing and fetching its output
	Total    time.Duration
	Attempts int // more than one when a browser was lost under it
	Helpers  int // chunks that other tabs printed
}

// Result is a printed document. Close it when it is no longer needed.
type Result struct {
	// Parts are PDF files with consecutive pages; together they are the
	// document. A small document has one part.
	Parts []Part
	// Pages, Anchors, Warnings and Found come from the paginator; they are empty
	// without Job.Paginate.
	Pages    []PageInfo
	Anchors  []Anchor
	Warnings []Warning
	Found    []Found
	// HTML is the finished document, when Job.HTMLOut asked for it.
	HTML    []byte
	Timings Timings

	drawings []Drawing
	picture  *Picture
	read     *Read
}

// Size is the number of bytes of all parts.
func (r *Result) Size() int64 {
	var n int64
	for i := range r.Parts {
		n += r.Parts[i].Size
	}
	return n
}

// Close removes what the parts occupy. It may be called more than once.
func (r *Result) Close() error {
	if r == nil {
		return nil
	}
	var first error
	for i := range r.Parts {
		if err := r.Parts[i].spool.remove(); err != nil && first == nil {
			first = err
		}
	}
	r.Parts = nil
	return first
}

// Part is one PDF file of a result, in memory or, when it is large, on disk.
type Part struct {
	// First and Last are the numbers of its pages, from 1; both are zero when
	// the document was not paginated.
	First, Last int
	Size        int64
	spool       *spool
}

// Open returns the bytes of the part from their beginning.
func (p Part) Open() (io.ReadCloser, error) { return p.spool.open() }

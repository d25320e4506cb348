package export

import (
	"context"
	"fmt"
	"strconv"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
)

// documents are the PDF files attached to one run; each is read once.
type documents struct {
	find func(ctx context.Context, name string) (*report.File, error)
	list []document
}

type document struct {
	name    string
	content []byte
	pdf     *pdf.Document
	err     error
}

// Document implements htmlgen.Documents. The key is the document's place in the
// list.
func (d *documents) Document(ctx context.Context, name string) (string, []htmlgen.PageSize, error) {
	at := d.index(ctx, name)
	if err := d.list[at].err; err != nil {
		return "", nil, err
	}
	sizes := d.list[at].pdf.Pages()
	pages := make([]htmlgen.PageSize, len(sizes))
	for i, s := range sizes {
		pages[i] = htmlgen.PageSize(s)
	}
	return strconv.Itoa(at), pages, nil
}

func (d *documents) index(ctx context.Context, name string) int {
	for i := range d.list {
		if d.list[i].name == name {
			return i
		}
	}
	content, read, err := d.read(ctx, name)
	d.list = append(d.list, document{name, content, read, err})
	return len(d.list) - 1
}

func (d *documents) read(ctx context.Context, name string) ([]byte, *pdf.Document, error) {
	file, err := d.find(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	read, err := pdf.OpenDocument(file.Content)
	if err != nil {
		return nil, nil, fmt.Errorf("%s cannot be attached: %w", name, err)
	}
	return file.Content, read, nil
}

// warnings say what is wrong with documents that were attached all the same.
func (d *documents) warnings() report.Problems {
	var list report.Problems
	for _, doc := range d.list {
		if doc.pdf != nil && doc.pdf.Damage() != "" {
			list = append(list, report.Problemf(doc.name, "the file is attached, but %s", doc.pdf.Damage()))
		}
	}
	return list
}

// attached are the printed pages that pages of the documents take the places of:
// those that say "key#page".
func (d *documents) attached(pages []render.PageInfo) []pdf.Attached {
	var list []pdf.Attached
	for i := range pages {
		if at, page, ok := d.page(pages[i].Attached); ok {
			list = append(list, pdf.Attached{At: i + 1, Document: d.list[at].pdf, Page: page})
		}
	}
	return list
}

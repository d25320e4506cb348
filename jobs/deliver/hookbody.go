package deliver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"

	"github.com/quire-reports/quire/report"
)

// hookBody is the body of a webhook's request. It is written twice, once to be
// signed and once to be sent, and never held.
type hookBody struct {
	contentType string
	size        int64 // known once it is signed
	head        []byte
	boundary    string // of the form; empty when the body is the head alone
	docs        []*document
}

// hookHead is the JSON that tells what is delivered.
type hookHead struct {
	Origin
	Documents []hookDocument `json:"documents"`
}

type hookDocument struct {
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Size        int64  `json:"size"`
	SHA256      string `json:"sha256"`
	Link        string `json:"link,omitempty"`
}

func newHookBody(ctx context.Context, d *delivery, secret report.Secret, form bool) (*hookBody, error) {
	head := hookHead{Origin: d.origin}
	for _, doc := range d.docs {
		sum, err := doc.hash(ctx)
		if err != nil {
			return nil, err
		}
		head.Documents = append(head.Documents, hookDocument{doc.name, doc.ContentType, doc.Size, sum, doc.Link})
	}
	text, err := json.Marshal(head)
	if err != nil {
		return nil, permanent("the request cannot be written: %s", err)
	}
	b := &hookBody{contentType: "application/json", head: text}
	if form {
		// The same in every attempt, and nothing that the author of the
		// documents could guess.
		mac := hmac.New(sha256.New, []byte(secret.Reveal()))
		_, _ = io.WriteString(mac, "boundary "+d.tag)
		b.boundary = "quire-" + hex.EncodeToString(mac.Sum(nil)[:24])
		b.contentType = mime.FormatMediaType("multipart/form-data", map[string]string{"boundary": b.boundary})
		b.docs = d.docs
	}
	return b, nil
}

// write writes the whole body.
func (b *hookBody) write(ctx context.Context, to io.Writer) error {
	if b.boundary == "" {
		_, err := to.Write(b.head)
		return err
	}
	form := multipart.NewWriter(to)
	if err := form.SetBoundary(b.boundary); err != nil {
		return err
	}
	part, err := form.CreatePart(partHeader("delivery", "", "application/json"))
	if err == nil {
		_, err = part.Write(b.head)
	}
	for _, doc := range b.docs {
		if err != nil {
			return err
		}
		err = writeDocument(ctx, form, doc)
	}
	if err != nil {
		return err
	}
	return form.Close()
}

func writeDocument(ctx context.Context, form *multipart.Writer, doc *document) error {
	part, err := form.CreatePart(partHeader("document", doc.name, doc.ContentType))
	if err != nil {
		return err
	}
	from, err := doc.open(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(part, from)
	return err
}

// partHeader is the head of a part of a form. Names of files are as portable as
// SafeName makes them: no quotes, no line breaks.
func partHeader(field, file, contentType string) textproto.MIMEHeader {
	disposition := `form-data; name="` + field + `"`
	if file != "" {
		disposition += `; filename="` + file + `"` // UTF-8, as browsers send it
	}
	return textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {contentType}}
}

// stream gives the body to be sent.
func (b *hookBody) stream(ctx context.Context) io.ReadCloser {
	r, w := io.Pipe()
	go func() { w.CloseWithError(b.write(ctx, w)) }() // ends when either end is closed
	return r
}

// failed is why a document could not be read while it was sent.
func (b *hookBody) failed() error {
	for _, doc := range b.docs {
		if doc.failed() != nil {
			return doc.failed()
		}
	}
	return nil
}

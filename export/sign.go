package export

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"

	"github.com/quire-reports/quire/export/signing"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/render/pdf"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// Signed is a signature that was made.
type Signed struct {
	Request     *Request
	Certificate *x509.Certificate // of who signed
}

// signer is the key that a request names; nil where the file is not signed.
func (s *Service) signer(ctx context.Context, r *run) (*signing.Signer, error) {
	name := r.req.Signature
	if name == "" {
		return nil, nil
	}
	if s.cfg.Connections == nil {
		return nil, report.Problemf("signature", "there are no connections here, and so no key to sign with")
	}
	conn, err := s.cfg.Connections.Connection(ctx, r.req.Workspace, name)
	if err != nil {
		var p *report.Problem
		if errors.As(err, &p) && p.Kind == report.NotFound {
			return nil, report.Problemf("signature", "there is no connection %q in this workspace", name)
		}
		return nil, err
	}
	if conn.Type != signing.TypeName {
		return nil, report.Problemf("signature", "the connection %q is of type %s, and one of type %s is needed", name, conn.Type, signing.TypeName)
	}
	made, err := signing.OpenSealed(&signing.Env{Guard: s.cfg.Guard, Clock: s.cfg.Clock}, conn.Address)
	if err != nil {
		return nil, unsigned(ctx, name, err)
	}
	return made, nil
}

// unsigned says why there is no signature: then there is no file.
func unsigned(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return err
	}
	var p *report.Problem
	message := err.Error()
	if errors.As(err, &p) {
		message = p.Message
	}
	return &report.Problem{Kind: report.Failed, Path: "signature", Message: fmt.Sprintf("the file is not signed by the connection %q: %s", name, message)}
}

// signature is what the document says of it.
func signature(s *signing.Signer) *pdf.Signature {
	if s == nil {
		return nil
	}
	changes := map[string]pdf.Changes{"none": pdf.NoChange, "filling": pdf.Filling}
	return &pdf.Signature{Signer: s.Name(), Reason: s.Reason, Location: s.Location, Contact: s.Contact, Changes: changes[s.Changes], Room: s.Room()}
}

// shownSigner is what a signature field shows: the time as the report writes times, with
// how far it is from UTC.
func shownSigner(s *signing.Signer, r *run) *htmlgen.Signer {
	if s == nil {
		return nil
	}
	when := text.ParseFormat("dt").Append(nil, r.now, &text.Env{Locale: r.locale, Zone: r.found.zone, Now: r.now}, text.Raw)
	return &htmlgen.Signer{Field: s.Field, Lines: s.Lines(string(when) + r.now.In(r.found.zone).Format(" -07:00"))}
}

// sign puts the signature into a file that is finished but for it.
func (s *Service) sign(ctx context.Context, r *run, by *signing.Signer, f *spool, u *pdf.Unsigned) (report.Problems, error) {
	if u == nil {
		return nil, nil
	}
	err := u.Sign(f, func(signed io.Reader) ([]byte, error) { return by.Sign(ctx, signed) })
	if err != nil {
		return nil, unsigned(ctx, r.req.Signature, err)
	}
	if s.cfg.Signed != nil {
		s.cfg.Signed(ctx, Signed{&r.req, by.Certificate()})
	}
	if by.Field != "" && !u.Seen() {
		return report.Problems{report.Problemf("signature", "there is no signature field %q; the file is signed, and no page shows it", by.Field)}, nil
	}
	return nil, nil
}

// ReadAt and WriteAt are for what is written already.
func (f *spool) ReadAt(p []byte, at int64) (int, error) {
	if f.file != nil {
		return f.file.ReadAt(p, at)
	}
	return bytes.NewReader(f.memory.Bytes()).ReadAt(p, at)
}

func (f *spool) WriteAt(p []byte, at int64) (int, error) {
	if f.file != nil {
		n, err := f.file.WriteAt(p, at)
		return n, unwritten(err)
	}
	return copy(f.memory.Bytes()[at:], p), nil
}

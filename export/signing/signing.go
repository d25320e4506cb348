// Package signing makes electronic signatures for PDF files: PAdES B-B, and B-T with a
// time stamp. The key comes from a connection of a workspace.
package signing

import (
	"cmp"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// TypeName is what connections with a key are of.
const TypeName = "signature"

// Connection is a key with its certificates, and what is said with it.
type Connection struct {
	Key        report.Secret `json:"key" stays:"true" label:"Key and certificates" editor:"secret-file" required:"true" help:"A PKCS #12 file (.p12 or .pfx), or PEM text: the private key, its certificate and those of its issuers."`
	Passphrase report.Secret `json:"passphrase" stays:"true" label:"Passphrase of the key" editor:"secret"`
	Field      string        `json:"field" label:"Signature field" editor:"text" help:"Name of the form field of a report that shows the signature. Default: its first signature field. Without one the signature is not seen on paper."`
	Reason     string        `json:"reason" label:"Reason" editor:"text" help:"Such as: Invoice approved."`
	Location   string        `json:"location" label:"Place" editor:"text"`
	Contact    string        `json:"contact" label:"Contact" editor:"text" help:"How the signer is reached by those who doubt."`
	Padding    string        `json:"padding" label:"Padding of RSA" enum:"pkcs1,pss" default:"pkcs1" help:"How keys of RSA sign: pkcs1 is known to every reader; pss (RSASSA-PSS) is what newer rules ask for, and gives other bytes each time. Keys of ECDSA have none."`
	Changes    string        `json:"changes" label:"Changes afterwards" enum:"any,filling,none" default:"any" help:"What may be changed without the signature becoming invalid: any says nothing of it, filling allows form fields and further signatures, none nothing."`
	StampURL   string        `json:"stampUrl" leads:"true" label:"Time stamp authority" editor:"text" help:"Address of one that speaks RFC 3161, such as https://timestamp.example.com. Without one nobody but the signer vouches for the time."`
	StampUser  string        `json:"stampUser" leads:"true" label:"User name there" editor:"text"`
	StampPass  report.Secret `json:"stampPassword" label:"Password there" editor:"secret"`
}

// Env is what signing works with.
type Env struct {
	Guard *egress.Guard // asks time stamp authorities
	Clock func() time.Time
}

// ConnectionType is the type of connections with a key. They are tested from the
// environment; without one they are not.
func ConnectionType(env *Env) report.ConnectionType {
	t := report.ConnectionType{
		Name: TypeName, Label: "Signature", Category: report.SigningConnection, Fields: report.Fields[Connection](),
		Check: func(settings map[string]any, path string) report.Problems {
			_, problems := open(settings, path)
			return problems
		},
	}
	if env != nil {
		t.Probe = func(ctx context.Context, settings map[string]any, _ func(string, report.Secret)) (string, error) {
			return probe(ctx, env, settings)
		}
	}
	return t
}

// Signer signs with the key of a connection.
type Signer struct {
	Connection
	key   crypto.Signer
	chain []*x509.Certificate // of the key first
	stamp *authority          // nil without time stamps
}

// Open reads the settings of a connection and makes sure that its key can be used now.
func Open(env *Env, settings map[string]any) (*Signer, error) {
	s, problems := open(settings, "")
	if len(problems) > 0 {
		return nil, problems
	}
	if err := s.valid(env.Clock()); err != nil {
		return nil, err
	}
	if s.StampURL != "" {
		s.stamp = &authority{guard: env.Guard, address: s.StampURL, username: s.StampUser, password: s.StampPass.Reveal()}
	}
	return s, nil
}

// OpenSealed is Open for settings as the store keeps them.
func OpenSealed(env *Env, sealed report.Secret) (*Signer, error) {
	var settings map[string]any
	if err := json.Unmarshal([]byte(sealed.Reveal()), &settings); err != nil {
		return nil, errors.New("its settings cannot be read; save it again")
	}
	return Open(env, settings)
}

// open reads settings and finds what is wrong with them at any time.
func open(settings map[string]any, path string) (*Signer, report.Problems) {
	conn, problems := report.DecodeProps[Connection](settings, path)
	if len(problems) > 0 {
		return nil, problems
	}
	fail := func(field, format string, args ...any) {
		problems = append(problems, report.Problemf(report.JoinPath(path, field), format, args...))
	}
	s := &Signer{Connection: conn}
	var err error
	s.key, s.chain, err = readKey(conn.Key.Reveal(), conn.Passphrase.Reveal())
	switch {
	case errors.Is(err, errPassphraseMissing) || errors.Is(err, errPassphraseWrong):
		fail("passphrase", "%s", err)
	case err != nil:
		fail("key", "%s", err)
	case s.chain[0].KeyUsage != 0 && s.chain[0].KeyUsage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) == 0:
		fail("key", "the certificate of %s is not for signatures: its key usage has neither digitalSignature nor nonRepudiation; ask its issuer for one that has", s.Name())
	}
	u, err := url.Parse(conn.StampURL)
	if conn.StampURL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil) {
		fail("stampUrl", "is no address; write one such as https://timestamp.example.com, with the user name in its own field")
	}
	if conn.StampURL == "" && conn.StampUser != "" {
		fail("stampUrl", "is missing, and there is a user name for it")
	}
	if u != nil && u.Scheme == "http" && conn.StampPass != "" {
		fail("stampUrl", "must begin with https:// as a password is sent there")
	}
	return s, problems
}

// valid tells whether the certificates are at a time.
func (s *Signer) valid(now time.Time) error {
	for _, c := range s.chain {
		switch {
		case now.After(c.NotAfter):
			return report.Problemf("key", "the certificate of %s expired on %s; put a new one into the connection", nameOf(c), day(c.NotAfter))
		case now.Before(c.NotBefore):
			return report.Problemf("key", "the certificate of %s is not valid before %s", nameOf(c), day(c.NotBefore))
		}
	}
	return nil
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Certificate is the one of who signs.
func (s *Signer) Certificate() *x509.Certificate { return s.chain[0] }

// Name is who signs, for people.
func (s *Signer) Name() string { return nameOf(s.chain[0]) }

func nameOf(c *x509.Certificate) string {
	return cmp.Or(c.Subject.CommonName, strings.Join(c.Subject.Organization, ", "), c.Subject.String(), "serial number "+c.SerialNumber.String())
}

// Lines are what a page shows of the signature; when is its time in words.
func (s *Signer) Lines(when string) []string {
	lines := []string{s.Name(), when}
	if more := strings.Join(slices.DeleteFunc([]string{s.Reason, s.Location}, func(text string) bool { return text == "" }), " · "); more != "" {
		lines = append(lines, more)
	}
	return lines
}

// Room is how many bytes a signature has at most.
func (s *Signer) Room() int {
	room := 2 << 10 // attributes, and the signature of the largest key
	for _, c := range s.chain {
		room += len(c.Raw)
	}
	if s.stamp != nil {
		room += mostToken
	}
	return room
}

// Sign signs what there is to read. A time stamp that there should be and is not is an
// error: whoever gets the file could not tell.
func (s *Signer) Sign(ctx context.Context, signed io.Reader) ([]byte, error) {
	made, _, err := s.sign(ctx, signed)
	return made, err
}

func (s *Signer) sign(ctx context.Context, signed io.Reader) (made []byte, stamped *stampInfo, err error) {
	how, _ := suiteOf(s.key.Public(), s.Padding)
	h := how.options.HashFunc().New()
	if _, err := io.Copy(h, signed); err != nil {
		return nil, nil, err
	}
	made, err = message(s.key, how, s.chain, h.Sum(nil), func(signature []byte) (token []byte, err error) {
		if s.stamp != nil {
			token, stamped, err = s.stamp.stamp(ctx, signature)
		}
		return token, err
	})
	return made, stamped, err
}

// probe signs something and says what it found.
func probe(ctx context.Context, env *Env, settings map[string]any) (string, error) {
	s, err := Open(env, settings)
	if err != nil {
		return "", err
	}
	_, stamped, err := s.sign(ctx, strings.NewReader("a test"))
	if err != nil {
		return "", &report.Problem{Kind: report.Failed, Message: err.Error()}
	}
	found := fmt.Sprintf("%s signs with %s until %s", s.Name(), keyName(s.key), day(s.chain[0].NotAfter))
	if root := s.chain[len(s.chain)-1]; len(s.chain) == 1 && string(root.RawIssuer) == string(root.RawSubject) {
		found += "; nobody else has signed the certificate, so readers do not trust it unasked"
	} else if string(root.RawIssuer) != string(root.RawSubject) {
		found += "; the certificates end at one of " + root.Issuer.CommonName
	}
	if stamped != nil {
		found += "; the time stamp says " + stamped.Time.UTC().Format(time.DateTime) + " UTC"
	}
	return found, nil
}

func keyName(key crypto.Signer) string {
	switch public := key.Public().(type) {
	case *rsa.PublicKey:
		return fmt.Sprintf("RSA, %d bits,", public.N.BitLen())
	case *ecdsa.PublicKey:
		return "ECDSA, " + public.Curve.Params().Name + ","
	}
	return "a key"
}

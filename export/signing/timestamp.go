package signing

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/smallstep/pkcs7"

	"github.com/quire-reports/quire/data/egress"
)

// A time stamp (RFC 3161) is what an authority signs: that there was a hash at a time.

var (
	oidSHA256  = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	oidTSTInfo = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
)

type imprint struct {
	Hash   pkix.AlgorithmIdentifier
	Digest []byte
}

type stampRequest struct {
	Version      int
	Imprint      imprint
	Nonce        *big.Int
	Certificates bool
}

type stampResponse struct {
	Status struct {
		Status int
		Text   []asn1.RawValue `asn1:"optional"`
		Fault  asn1.BitString  `asn1:"optional"`
	}
	Token asn1.RawValue `asn1:"optional"`
}

// stampInfo is what an authority has signed.
type stampInfo struct {
	Version  int
	Policy   asn1.ObjectIdentifier
	Imprint  imprint
	Serial   *big.Int
	Time     time.Time `asn1:"generalized"`
	Accuracy struct {
		Seconds int `asn1:"optional"`
		Millis  int `asn1:"optional,tag:0"`
		Micros  int `asn1:"optional,tag:1"`
	} `asn1:"optional"`
	Ordering   bool          `asn1:"optional"`
	Nonce      *big.Int      `asn1:"optional"`
	Authority  asn1.RawValue `asn1:"optional,explicit,tag:0"`
	Extensions asn1.RawValue `asn1:"optional,tag:1"`
}

// authority is where time stamps come from.
type authority struct {
	guard              *egress.Guard
	address            string
	username, password string
}

// mostToken bounds a time stamp; those with all certificates of their issuers have about
// 8 KB.
const mostToken = 24 << 10

// stamp asks for the time stamp of some bytes and makes sure that it is one of these.
func (a *authority) stamp(ctx context.Context, of []byte) (token []byte, info *stampInfo, err error) {
	digest := sha256.Sum256(of)
	nonce := new(big.Int).SetBytes(randomBytes(8))
	ask, err := asn1.Marshal(stampRequest{1, imprint{pkix.AlgorithmIdentifier{Algorithm: oidSHA256, Parameters: asn1.NullRawValue}, digest[:]}, nonce, true})
	if err != nil {
		return nil, nil, err
	}
	req, err := http.NewRequest(http.MethodPost, a.address, bytes.NewReader(ask))
	if err != nil || a.guard == nil {
		return nil, nil, errors.New("the time stamp authority cannot be asked from here")
	}
	req.Header.Set("Content-Type", "application/timestamp-query")
	req.Header.Set("Accept", "application/timestamp-reply")
	if a.username != "" {
		req.SetBasicAuth(a.username, a.password)
	}
	answer, err := a.guard.Fetch(ctx, req)
	if err != nil {
		return nil, nil, fmt.Errorf("there is no time stamp: %w", err)
	}
	switch {
	case answer.Status == http.StatusUnauthorized || answer.Status == http.StatusForbidden:
		return nil, nil, fmt.Errorf("the time stamp authority %q does not let us in (status %d); see to the user name and password of the connection", answer.URL.Hostname(), answer.Status)
	case answer.Status != http.StatusOK:
		return nil, nil, fmt.Errorf("the time stamp authority %q answered with status %d", answer.URL.Hostname(), answer.Status)
	}
	token, info, err = readStamp(answer.Body, digest[:], nonce)
	if err != nil {
		return nil, nil, fmt.Errorf("the time stamp authority %q: %w", answer.URL.Hostname(), err)
	}
	return token, info, nil
}

// readStamp takes the time stamp out of an answer. It is not trusted to be what was
// asked for, nor to be signed.
func readStamp(answer, digest []byte, nonce *big.Int) ([]byte, *stampInfo, error) {
	var r stampResponse
	if rest, err := asn1.Unmarshal(answer, &r); err != nil || len(rest) > 0 {
		return nil, nil, errors.New("the answer is no time stamp (RFC 3161); see to the address")
	}
	if r.Status.Status > 1 { // 0 is granted, 1 with changes
		return nil, nil, fmt.Errorf("it refuses (status %d): %s", r.Status.Status, clip(strings.Join(append(texts(r.Status.Text), reasons(r.Status.Fault)...), "; ")))
	}
	token := r.Token.FullBytes
	if len(token) > mostToken {
		return nil, nil, fmt.Errorf("the time stamp has %d bytes; at most %d are taken", len(token), mostToken)
	}
	p7, err := pkcs7.Parse(token)
	if err != nil || len(p7.Signers) != 1 || p7.GetOnlySigner() == nil {
		return nil, nil, errors.New("the time stamp cannot be read")
	}
	var kind asn1.ObjectIdentifier
	if err := p7.UnmarshalSignedAttribute(oidContentType, &kind); err != nil || !kind.Equal(oidTSTInfo) {
		return nil, nil, errors.New("what was signed is no time stamp")
	}
	if err := p7.Verify(); err != nil {
		return nil, nil, errors.New("the signature of the time stamp is wrong or of an unknown kind")
	}
	if !slices.Contains(p7.GetOnlySigner().ExtKeyUsage, x509.ExtKeyUsageTimeStamping) {
		return nil, nil, errors.New("the certificate that signed the time stamp is not for time stamps")
	}
	info := &stampInfo{}
	if rest, err := asn1.Unmarshal(p7.Content, info); err != nil || len(rest) > 0 {
		return nil, nil, errors.New("the time stamp cannot be read")
	}
	switch {
	case !info.Imprint.Hash.Algorithm.Equal(oidSHA256) || !bytes.Equal(info.Imprint.Digest, digest):
		return nil, nil, errors.New("the time stamp is of something else than what was sent")
	case info.Nonce == nil || info.Nonce.Cmp(nonce) != 0:
		return nil, nil, errors.New("the time stamp answers another request: its nonce is not the one that was sent")
	}
	return token, info, nil
}

func texts(values []asn1.RawValue) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v.Bytes)
	}
	return list
}

// reasons are the bits of a refusal, as RFC 3161 words them.
func reasons(bits asn1.BitString) []string {
	var list []string
	for _, r := range []struct {
		bit  int
		text string
	}{
		{0, "unknown algorithm"},
		{2, "bad request"},
		{5, "bad data format"},
		{14, "its clock is not available"},
		{15, "unknown policy"},
		{16, "unknown extension"},
		{17, "additional information is not available"},
		{25, "system failure"},
	} {
		if bits.At(r.bit) == 1 {
			list = append(list, r.text)
		}
	}
	return list
}

// clip bounds what a stranger says.
func clip(text string) string {
	const most = 200
	text = strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text), "")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return b
}

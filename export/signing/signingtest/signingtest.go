// Package signingtest makes keys, certificates and a time stamp authority for tests.
package signingtest

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
)

// Identity is a key with its certificate and that of its issuer.
type Identity struct {
	Key  crypto.Signer
	Cert *x509.Certificate
	Root *x509.Certificate
}

var roots sync.Map // the issuer of each test, by its name

// New makes an identity, whose certificate change may make a special one.
func New(t testing.TB, key crypto.Signer, change func(*x509.Certificate)) Identity {
	t.Helper()
	type issuer struct {
		key  crypto.Signer
		cert *x509.Certificate
	}
	made, known := roots.Load(t.Name())
	if !known {
		root := &x509.Certificate{
			SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Root of tests", Organization: []string{"Quire"}},
			NotBefore: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2050, 1, 1, 0, 0, 0, 0, time.UTC),
			IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		}
		rootKey := ECDSA(t, elliptic.P256())
		made = issuer{rootKey, certify(t, root, root, rootKey.Public(), rootKey)}
		roots.Store(t.Name(), made)
	}
	by := made.(issuer)
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "Ágnes Büttner", Organization: []string{"Example GmbH"}},
		NotBefore: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2049, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment,
	}
	if change != nil {
		change(leaf)
	}
	return Identity{key, certify(t, leaf, by.cert, key.Public(), by.key), by.cert}
}

func certify(t testing.TB, c, by *x509.Certificate, public crypto.PublicKey, key crypto.Signer) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, by, public, key)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// RSA makes a key.
func RSA(t testing.TB, bits int) crypto.Signer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// ECDSA makes a key.
func ECDSA(t testing.TB, curve elliptic.Curve) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// PEM is the key with the certificates as text.
func (i Identity) PEM(t testing.TB) string {
	t.Helper()
	return i.KeyPEM(t) + i.CertPEM() + CertPEM(i.Root)
}

// KeyPEM is the key as text.
func (i Identity) KeyPEM(t testing.TB) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(i.Key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// CertPEM is the certificate as text.
func (i Identity) CertPEM() string { return CertPEM(i.Cert) }

// CertPEM is a certificate as text.
func CertPEM(c *x509.Certificate) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}))
}

// OpenSSL runs openssl in a folder.
func OpenSSL(t testing.TB, dir string, args ...string) []byte {
	t.Helper()
	out, err := openSSL(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func openSSL(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("openssl", args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("openssl %q: %w: %s", args, err, &said)
	}
	return out, nil
}

// Authority is a time stamp authority that openssl is behind. Its root is that of the
// other identities of the test.
type Authority struct {
	dir string
	// Change may spoil an answer; may be nil.
	Change func(ask, answer []byte) []byte
	// Asked counts the requests.
	Asked int
}

// NewAuthority makes one, with the extended key usage of its certificate.
func NewAuthority(t testing.TB, usage x509.ExtKeyUsage) *Authority {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		judges.Missing(t, "needs openssl")
	}
	own := New(t, RSA(t, 2048), func(c *x509.Certificate) {
		c.Subject.CommonName = "Clock of tests"
		c.KeyUsage = x509.KeyUsageDigitalSignature
		if usage == x509.ExtKeyUsageTimeStamping { // openssl wants it critical
			c.ExtraExtensions = []pkix.Extension{{Id: []int{2, 5, 29, 37}, Critical: true, Value: []byte{0x30, 0x0a, 0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x08}}}
		}
	})
	a := &Authority{dir: t.TempDir()}
	for name, content := range map[string]string{
		"key.pem": own.KeyPEM(t), "cert.pem": own.CertPEM(), "root.pem": CertPEM(own.Root), "serial": "01\n",
		"tsa.cnf": "[tsa]\ndefault_tsa=own\n[own]\nserial=serial\nsigner_cert=cert.pem\ncerts=root.pem\nsigner_key=key.pem\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\naccuracy=secs:1,millisecs:500\nordering=yes\ntsa_name=yes\ness_cert_id_chain=no\ness_cert_id_alg=sha256\n",
	} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// ServeHTTP answers one request.
func (a *Authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var ask bytes.Buffer
	_, err := ask.ReadFrom(r.Body)
	a.Asked++
	if err == nil {
		err = os.WriteFile(filepath.Join(a.dir, "ask.tsq"), ask.Bytes(), 0o600)
	}
	var answer []byte
	if err == nil {
		answer, err = openSSL(a.dir, "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "ask.tsq")
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if a.Change != nil {
		answer = a.Change(ask.Bytes(), answer)
	}
	w.Header().Set("Content-Type", "application/timestamp-reply")
	_, _ = w.Write(answer)
}

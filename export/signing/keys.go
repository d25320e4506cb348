package signing

import (
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"

	"github.com/youmark/pkcs8"
	"software.sslmate.com/src/go-pkcs12"
)

// errors of keys say what to do.
var (
	errUnreadable = errors.New("cannot be read; choose a PKCS #12 file (.p12 or .pfx), or paste PEM text: the private key, its certificate and those of its issuers, each from -----BEGIN to END-----")
	errNoKey      = errors.New("has no private key; export it together with its certificate")
	errNoCert     = errors.New("has no certificate; add the one of the key, and those of its issuers")
	errOtherKey   = errors.New("has a private key that belongs to none of its certificates")
	errCostly     = errors.New("takes too long to open: its key was derived with more than 10 million rounds; export it again with fewer")
	errKind       = errors.New("has a key that cannot sign here; use RSA with 2048 bits or more, or ECDSA with the curve P-256, P-384 or P-521")

	errPassphraseMissing = errors.New("the private key needs its passphrase")
	errPassphraseWrong   = errors.New("the passphrase does not fit the private key")
)

// readKey reads a key with its certificates: PEM, or PKCS #12 as base64. The certificate
// of the key comes first, then those of its issuers, as far as they are there.
func readKey(text, passphrase string) (crypto.Signer, []*x509.Certificate, error) {
	read := readPKCS12
	if strings.Contains(text, "-----BEGIN ") {
		read = readPEM
	}
	key, certs, err := read(text, passphrase)
	if err != nil {
		return nil, nil, err
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, nil, errKind
	}
	if _, ok := suiteOf(signer.Public(), ""); !ok {
		return nil, nil, errKind
	}
	if r, ok := signer.Public().(*rsa.PublicKey); ok && r.N.BitLen() < 2048 {
		return nil, nil, errKind
	}
	chain, err := chainOf(signer, certs)
	return signer, chain, err
}

func readPKCS12(text, passphrase string) (any, []*x509.Certificate, error) {
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, nil, errUnreadable
	}
	if costly(der, 0) {
		return nil, nil, errCostly
	}
	key, first, others, err := pkcs12.DecodeChain(der, passphrase)
	switch {
	case errors.Is(err, pkcs12.ErrIncorrectPassword):
		return nil, nil, wrongPassphrase(passphrase)
	case err != nil && strings.Contains(err.Error(), "private key missing"):
		return nil, nil, errNoKey
	case err != nil && strings.Contains(err.Error(), "certificate missing"):
		return nil, nil, errNoCert
	case err != nil:
		return nil, nil, errUnreadable
	}
	return key, append([]*x509.Certificate{first}, others...), nil
}

func readPEM(text, passphrase string) (key any, certs []*x509.Certificate, err error) {
	rest := []byte(text)
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		var found any
		switch block.Type {
		case "CERTIFICATE":
			c, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return nil, nil, errUnreadable
			}
			certs = append(certs, c)
			continue
		case "PRIVATE KEY":
			found, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case "RSA PRIVATE KEY", "EC PRIVATE KEY":
			if block.Headers["DEK-Info"] != "" {
				return nil, nil, errors.New("has a private key that is encrypted in an old way; write it anew by: openssl pkcs8 -topk8 -in key.pem -out new.pem")
			}
			if found, err = x509.ParsePKCS1PrivateKey(block.Bytes); err != nil {
				found, err = x509.ParseECPrivateKey(block.Bytes)
			}
		case "ENCRYPTED PRIVATE KEY":
			if costly(block.Bytes, 0) {
				return nil, nil, errCostly
			}
			if passphrase == "" {
				return nil, nil, wrongPassphrase("")
			}
			if found, _, err = pkcs8.ParsePrivateKey(block.Bytes, []byte(passphrase)); err != nil {
				return nil, nil, wrongPassphrase(passphrase)
			}
		default:
			continue
		}
		if err != nil || key != nil {
			return nil, nil, errUnreadable
		}
		key = found
	}
	switch {
	case key == nil && certs == nil:
		return nil, nil, errUnreadable
	case key == nil:
		return nil, nil, errNoKey
	case certs == nil:
		return nil, nil, errNoCert
	}
	return key, certs, nil
}

func wrongPassphrase(given string) error {
	if given == "" {
		return errPassphraseMissing
	}
	return errPassphraseWrong
}

// mostCertificates bounds a chain.
const mostCertificates = 10

// chainOf puts the certificate of a key first, and after each that of its issuer.
func chainOf(key crypto.Signer, certs []*x509.Certificate) ([]*x509.Certificate, error) {
	public, _ := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	var chain []*x509.Certificate
	for _, c := range certs {
		if public.Equal(c.PublicKey) {
			chain = []*x509.Certificate{c}
			break
		}
	}
	if chain == nil {
		return nil, errOtherKey
	}
	for last := chain[0]; len(chain) < mostCertificates && string(last.RawIssuer) != string(last.RawSubject); {
		var issuer *x509.Certificate
		for _, c := range certs {
			if string(c.RawSubject) == string(last.RawIssuer) && last.CheckSignatureFrom(c) == nil {
				issuer = c
				break
			}
		}
		if issuer == nil {
			break
		}
		chain, last = append(chain, issuer), issuer
	}
	return chain, nil
}

// mostRounds bounds how long a passphrase is worked at.
const mostRounds = 10_000_000

// costly tells whether an encoded value asks for very many rounds in making a key of a
// passphrase: a number behind a salt.
func costly(der []byte, depth int) bool {
	salted := false
	for len(der) > 0 && depth < 12 {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(der, &v)
		if err != nil {
			return false
		}
		der = rest
		var n int64
		if salted && v.Class == asn1.ClassUniversal && v.Tag == asn1.TagInteger {
			if _, err := asn1.Unmarshal(v.FullBytes, &n); err != nil || n > mostRounds {
				return true
			}
		}
		salted = v.Class == asn1.ClassUniversal && v.Tag == asn1.TagOctetString
		if (v.IsCompound || salted) && costly(v.Bytes, depth+1) {
			return true
		}
	}
	return false
}

package signing

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	_ "crypto/sha512" // of ECDSA with larger curves
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"io"
	"math/big"
	"slices"
)

// The message is CMS (RFC 5652) as PAdES wants it: what is signed stands elsewhere, the
// certificate of the signer is named by its hash (RFC 5035), and the time is none of the
// signed attributes, as it stands in the PDF file or in a time stamp.

var (
	oidData        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidSignedData  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidContentType = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidDigest      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidCertificate = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47} // signing-certificate-v2
	oidTimeStamp   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 14}
	oidPSS         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 10}
	oidMask        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 8} // MGF1
	oidRSA         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
)

// suite is how a key signs.
type suite struct {
	options   crypto.SignerOpts
	digest    asn1.ObjectIdentifier
	signature pkix.AlgorithmIdentifier
}

// pssParameters say how RSASSA-PSS signs (RFC 4055).
type pssParameters struct {
	Hash pkix.AlgorithmIdentifier `asn1:"explicit,tag:0"`
	Mask pkix.AlgorithmIdentifier `asn1:"explicit,tag:1"`
	Salt int                      `asn1:"explicit,tag:2"`
}

// pss is RSASSA-PSS with SHA-256 for all, and as much salt.
func pss(digest asn1.ObjectIdentifier) suite {
	hash := pkix.AlgorithmIdentifier{Algorithm: digest, Parameters: asn1.NullRawValue}
	encoded := func(value any) asn1.RawValue {
		b, err := asn1.Marshal(value)
		if err != nil {
			panic(err) // it is always the same
		}
		return asn1.RawValue{FullBytes: b}
	}
	parameters := pssParameters{hash, pkix.AlgorithmIdentifier{Algorithm: oidMask, Parameters: encoded(hash)}, crypto.SHA256.Size()}
	return suite{&rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256}, digest, pkix.AlgorithmIdentifier{Algorithm: oidPSS, Parameters: encoded(parameters)}}
}

// suiteOf is how a key signs; false for keys that do not.
func suiteOf(key crypto.PublicKey, padding string) (suite, bool) {
	sha2 := func(n int) asn1.ObjectIdentifier { return asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, n} }
	switch key := key.(type) {
	case *rsa.PublicKey:
		if padding == "pss" {
			return pss(sha2(1)), true
		}
		return suite{crypto.SHA256, sha2(1), pkix.AlgorithmIdentifier{Algorithm: oidRSA, Parameters: asn1.NullRawValue}}, true
	case *ecdsa.PublicKey:
		withSHA := func(n int) pkix.AlgorithmIdentifier {
			return pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, n}}
		}
		switch key.Curve {
		case elliptic.P256():
			return suite{crypto.SHA256, sha2(1), withSHA(2)}, true
		case elliptic.P384():
			return suite{crypto.SHA384, sha2(2), withSHA(3)}, true
		case elliptic.P521():
			return suite{crypto.SHA512, sha2(3), withSHA(4)}, true
		}
	}
	return suite{}, false
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

type signerID struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

type signerInfo struct {
	Version            int
	ID                 signerID
	Digest             pkix.AlgorithmIdentifier
	Signed             asn1.RawValue
	SignatureAlgorithm pkix.AlgorithmIdentifier
	Signature          []byte
	Unsigned           asn1.RawValue `asn1:"optional"`
}

type signedData struct {
	Version      int
	Digests      []pkix.AlgorithmIdentifier `asn1:"set"`
	Content      struct{ Type asn1.ObjectIdentifier }
	Certificates asn1.RawValue
	Signers      []signerInfo `asn1:"set"`
}

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue // tagged
}

// tagged is a set of encoded values in place of its own tag.
func tagged(tag int, values ...[]byte) asn1.RawValue {
	return asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tag, IsCompound: true, Bytes: bytes.Join(values, nil)}
}

// attributes encodes attributes in the order of their bytes, as a set needs it.
func attributes(list ...attribute) ([][]byte, error) {
	encoded := make([][]byte, len(list))
	for i, a := range list {
		var err error
		if encoded[i], err = asn1.Marshal(a); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(encoded, bytes.Compare)
	return encoded, nil
}

// attributeOf has one value.
func attributeOf(kind asn1.ObjectIdentifier, value any) (attribute, error) {
	b, err := asn1.Marshal(value)
	return attribute{kind, []asn1.RawValue{{FullBytes: b}}}, err
}

// message signs a digest; stamp gives the time stamp of a signature, or nothing. The same
// digest gives the same message, but for the stamp and the salt of RSASSA-PSS.
func message(key crypto.Signer, how suite, chain []*x509.Certificate, digest []byte, stamp func(signature []byte) ([]byte, error)) ([]byte, error) {
	type certificateID struct{ Hash []byte } // by SHA-256, the default
	own := sha256.Sum256(chain[0].Raw)
	var signed []attribute
	for _, a := range []struct {
		kind  asn1.ObjectIdentifier
		value any
	}{
		{oidContentType, oidData},
		{oidDigest, digest},
		{oidCertificate, struct{ Certificates []certificateID }{[]certificateID{{own[:]}}}},
	} {
		made, err := attributeOf(a.kind, a.value)
		if err != nil {
			return nil, err
		}
		signed = append(signed, made)
	}
	encoded, err := attributes(signed...)
	if err != nil {
		return nil, err
	}
	set, err := asn1.Marshal(asn1.RawValue{Tag: asn1.TagSet, IsCompound: true, Bytes: bytes.Join(encoded, nil)})
	if err != nil {
		return nil, err
	}
	h := how.options.HashFunc().New()
	h.Write(set)
	var random io.Reader // without: the same bytes again (RFC 6979)
	if how.signature.Algorithm.Equal(oidPSS) {
		random = rand.Reader
	}
	signature, err := key.Sign(random, h.Sum(nil), how.options)
	if err != nil {
		return nil, err
	}
	s := signerInfo{
		Version: 1, ID: signerID{asn1.RawValue{FullBytes: chain[0].RawIssuer}, chain[0].SerialNumber},
		Digest: pkix.AlgorithmIdentifier{Algorithm: how.digest}, Signed: tagged(0, encoded...),
		SignatureAlgorithm: how.signature, Signature: signature,
	}
	token, err := stamp(signature)
	if err != nil {
		return nil, err
	}
	if token != nil {
		unsigned, err := attributes(attribute{oidTimeStamp, []asn1.RawValue{{FullBytes: token}}})
		if err != nil {
			return nil, err
		}
		s.Unsigned = tagged(1, unsigned...)
	}
	d := signedData{Version: 1, Digests: []pkix.AlgorithmIdentifier{s.Digest}, Certificates: tagged(0, certificates(chain)...), Signers: []signerInfo{s}}
	d.Content.Type = oidData
	inner, err := asn1.Marshal(d)
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(contentInfo{oidSignedData, tagged(0, inner)})
}

// certificates are the encoded certificates in the order of their bytes.
func certificates(chain []*x509.Certificate) [][]byte {
	list := make([][]byte, len(chain))
	for i, c := range chain {
		list[i] = c.Raw
	}
	slices.SortFunc(list, bytes.Compare)
	return list
}

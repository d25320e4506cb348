package sso

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/beevik/etree"
	xrv "github.com/mattermost/xml-roundtrip-validator"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// What a message may be. Signatures take time and memory by depth, elements and
// names, and a stranger may send anything.
const (
	mostMessage  = 256 << 10
	mostDepth    = 24
	mostElements = 8000
	mostNames    = 200 // declarations of namespaces
)

// readMessage reads a message, and refuses what nobody needs and others have
// been fooled by: document types, instructions, comments, IDs that come twice.
func readMessage(text []byte, tag string) (*etree.Element, error) {
	if len(text) > mostMessage {
		return nil, fmt.Errorf("the message is larger than %d bytes", mostMessage)
	}
	if err := xrv.Validate(bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("the message is no proper XML: %w", err)
	}
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(text); err != nil {
		return nil, fmt.Errorf("the message is no proper XML: %w", err)
	}
	root := doc.Root()
	if root == nil || root.Tag != tag || root.NamespaceURI() != nsProtocol {
		return nil, fmt.Errorf("the message is no %s of SAML 2.0", tag)
	}
	s := survey{ids: map[string]bool{}}
	if err := s.look(doc.Child, 0); err != nil {
		return nil, err
	}
	if v := root.SelectAttrValue("Version", ""); v != "2.0" {
		return nil, fmt.Errorf("the message is of version %q", short(v))
	}
	return root, nil
}

// survey walks through a message.
type survey struct {
	elements, names int
	ids             map[string]bool
}

func (s *survey) look(tokens []etree.Token, depth int) error {
	if depth > mostDepth {
		return fmt.Errorf("the message is more than %d elements deep", mostDepth)
	}
	for _, token := range tokens {
		switch token := token.(type) {
		case *etree.Directive:
			return errors.New("the message has a document type")
		case *etree.Comment:
			return errors.New("the message has a comment")
		case *etree.ProcInst:
			if token.Target != "xml" {
				return errors.New("the message has a processing instruction")
			}
		case *etree.Element:
			if s.elements++; s.elements > mostElements {
				return fmt.Errorf("the message has more than %d elements", mostElements)
			}
			if err := s.attributes(token); err != nil {
				return err
			}
			if err := s.look(token.Child, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *survey) attributes(e *etree.Element) error {
	for _, a := range e.Attr {
		switch {
		case a.Space == "xmlns" || a.Space == "" && a.Key == "xmlns":
			if s.names++; s.names > mostNames {
				return fmt.Errorf("the message declares more than %d namespaces", mostNames)
			}
		case a.Key == "ID" || a.Key == "Id" || a.Key == "id":
			if s.ids[a.Value] {
				return fmt.Errorf("the ID %q comes twice", short(a.Value))
			}
			s.ids[a.Value] = true
		}
	}
	return nil
}

// inside lists the elements of a name in a namespace below an element.
func inside(e *etree.Element, space, tag string) (found []*etree.Element) {
	for _, c := range e.ChildElements() {
		if c.Tag == tag && c.NamespaceURI() == space {
			found = append(found, c)
		}
		found = append(found, inside(c, space, tag)...)
	}
	return found
}

// children lists those directly below.
func children(e *etree.Element, space, tag string) (found []*etree.Element) {
	for _, c := range e.ChildElements() {
		if c.Tag == tag && c.NamespaceURI() == space {
			found = append(found, c)
		}
	}
	return found
}

// only is the one child of a name; nil when there is none or several.
func only(e *etree.Element, space, tag string) *etree.Element {
	if found := children(e, space, tag); len(found) == 1 {
		return found[0]
	}
	return nil
}

// The algorithms of signatures that are taken: none with SHA-1.
func signatureMethods() []string {
	return []string{
		dsig.RSASHA256SignatureMethod, dsig.RSASHA384SignatureMethod, dsig.RSASHA512SignatureMethod,
		dsig.ECDSASHA256SignatureMethod, dsig.ECDSASHA384SignatureMethod, dsig.ECDSASHA512SignatureMethod,
	}
}

func digestMethods() []string {
	return []string{"http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmldsig-more#sha384", "http://www.w3.org/2001/04/xmlenc#sha512"}
}

// errUnsigned is an element that lacks a signature.
var errUnsigned = errors.New("is not signed")

// errSignature is a signature by none of the keys of the provider.
var errSignature = errors.New("the signature is by no key of the provider's metadata, or what it signs was changed")

// signed gives what the signature of an element signs, as it was signed: who
// reads only this reads nothing that somebody has put beside it.
func signed(e *etree.Element, certificates []*x509.Certificate, now time.Time) (*etree.Element, error) {
	signature := only(e, nsSignature, "Signature")
	if signature == nil {
		return nil, errUnsigned
	}
	if err := checkSignature(signature, e.SelectAttrValue("ID", "")); err != nil {
		return nil, err
	}
	context, err := etreeutils.NSBuildParentContext(e)
	if err == nil {
		context, err = context.SubContext(e)
	}
	if err != nil {
		return nil, err
	}
	apart, err := etreeutils.NSDetatch(context, e)
	if err != nil {
		return nil, err
	}
	// Which key it was the sender may not say.
	in := only(apart, nsSignature, "Signature")
	for _, info := range children(in, nsSignature, "KeyInfo") {
		in.RemoveChild(info)
	}
	why := errSignature
	for _, c := range certificates {
		check := dsig.NewDefaultValidationContext(&dsig.MemoryX509CertificateStore{Roots: []*x509.Certificate{c}})
		check.IdAttribute, check.Clock = "ID", dsig.NewFakeClockAt(now)
		if found, err := check.Validate(apart); err == nil {
			return found, nil
		}
		if now.After(c.NotAfter) {
			why = fmt.Errorf("%w; of the keys there one has expired on %s", errSignature, c.NotAfter.Format(time.DateOnly))
		}
	}
	return nil, why
}

// checkSignature accepts the shape that SAML prescribes: one reference to the
// element that the signature stands in, by its ID, and no transforms but those
// that leave the signature out and bring it into canonical form.
func checkSignature(signature *etree.Element, id string) error {
	wrong := func(what string) error { return fmt.Errorf("the signature is not as SAML has it: %s", what) }
	info := only(signature, nsSignature, "SignedInfo")
	if info == nil || len(inside(signature, nsSignature, "Signature")) > 0 {
		return wrong("its form")
	}
	reference := only(info, nsSignature, "Reference")
	if reference == nil || id == "" || reference.SelectAttrValue("URI", "") != "#"+id {
		return wrong("it is of something else")
	}
	if method := methodOf(info, "SignatureMethod"); !slices.Contains(signatureMethods(), method) {
		return wrong("its algorithm is " + short(method))
	}
	if method := methodOf(reference, "DigestMethod"); !slices.Contains(digestMethods(), method) {
		return wrong("its digest is " + short(method))
	}
	canonical := []string{string(dsig.CanonicalXML10ExclusiveAlgorithmId), string(dsig.CanonicalXML10ExclusiveWithCommentsAlgorithmId)}
	if method := methodOf(info, "CanonicalizationMethod"); !slices.Contains(canonical, method) {
		return wrong("its canonical form is " + short(method))
	}
	var transforms []string
	for _, t := range inside(reference, nsSignature, "Transform") {
		transforms = append(transforms, t.SelectAttrValue("Algorithm", ""))
	}
	if len(transforms) != 2 || transforms[0] != string(dsig.EnvelopedSignatureAltorithmId) || !slices.Contains(canonical, transforms[1]) {
		return wrong("its transforms")
	}
	return nil
}

func methodOf(e *etree.Element, tag string) string {
	if found := only(e, nsSignature, tag); found != nil {
		return found.SelectAttrValue("Algorithm", "")
	}
	return ""
}

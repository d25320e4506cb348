package sso

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/beevik/etree"
	"github.com/crewjam/saml"
	dsig "github.com/russellhaering/goxmldsig"
)

// logoutRequest is what is read of one.
type logoutRequest struct {
	XMLName  xml.Name `xml:"urn:oasis:names:tc:SAML:2.0:protocol LogoutRequest"`
	ID       string   `xml:"ID,attr"`
	Issued   string   `xml:"IssueInstant,attr"`
	To       string   `xml:"NotOnOrAfter,attr"`
	Target   string   `xml:"Destination,attr"`
	Issuer   string   `xml:"urn:oasis:names:tc:SAML:2.0:assertion Issuer"`
	NameID   nameID   `xml:"urn:oasis:names:tc:SAML:2.0:assertion NameID"`
	Sessions []string `xml:"urn:oasis:names:tc:SAML:2.0:protocol SessionIndex"`
}

// LoggedOut reads the request of a provider to end sessions of ours, as a form or
// in an address, from the provider itself or by way of a browser. Sessions are
// found by what it names, so that no cookie is needed.
func (p *samlProvider) LoggedOut(ctx context.Context, sent Sent, to Redirects) (*Ended, error) {
	idp, err := p.metadata.read(ctx)
	if err != nil {
		return nil, err
	}
	if !p.answers.AllowN(p.clock(), 1) {
		return nil, refuse(Busy, "")
	}
	request, err := p.logoutRequestOf(idp, sent)
	if errors.Is(err, errSignature) {
		if newer := p.metadata.newer(ctx, idp); newer != nil {
			idp = newer
			request, err = p.logoutRequestOf(idp, sent)
		}
	}
	if errors.Is(err, errUnsigned) {
		err = errors.New("the request to end sessions is not signed")
	}
	if err != nil {
		return nil, badMessage(err)
	}
	until, err := p.checkLogout(idp, request, to)
	if err != nil {
		return nil, err
	}
	ended := &Ended{Issuer: idp.issuer, Subject: request.NameID.Value, ID: request.ID, Until: until}
	if len(request.Sessions) == 1 { // several: then all, which are no fewer
		ended.Session = strings.TrimSpace(request.Sessions[0])
	}
	if idp.signOutAnswer != "" {
		response := saml.LogoutResponse{
			ID: messageID(), InResponseTo: request.ID, Version: "2.0", IssueInstant: p.clock().UTC(), Destination: idp.signOutAnswer,
			Issuer: &saml.Issuer{Value: p.us(to)}, Status: saml.Status{StatusCode: saml.StatusCode{Value: saml.StatusSuccess}},
		}
		if ended.Back, err = p.redirect(ctx, idp.signOutAnswer, "SAMLResponse", response.Element(), sent.Values.Get("RelayState")); err != nil {
			return nil, err
		}
	}
	return ended, nil
}

// logoutRequestOf reads what was signed of a request.
func (p *samlProvider) logoutRequestOf(idp *identityProvider, sent Sent) (*logoutRequest, error) {
	encoded, err := sent.Values.Get("SAMLRequest"), error(nil)
	if sent.Query != "" {
		encoded, err = signedQuery(sent.Query, idp.certificates)
	}
	if err != nil {
		return nil, err
	}
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(encoded), ""))
	if err == nil && sent.Query != "" {
		text, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(text)), mostMessage+1))
	}
	if err != nil {
		return nil, errors.New("the message is not encoded as it should be")
	}
	root, err := readMessage(text, "LogoutRequest")
	if err == nil && sent.Query == "" {
		root, err = signed(root, idp.certificates, p.clock())
	}
	if err != nil {
		return nil, err
	}
	doc := etree.NewDocument()
	doc.SetRoot(root.Copy())
	if text, err = doc.WriteToBytes(); err != nil {
		return nil, err
	}
	var found logoutRequest
	return &found, xml.Unmarshal(text, &found)
}

// signedQuery gives the message of an address whose signature is right: it is of
// the text of the query as it came, in the order that the binding prescribes.
func signedQuery(query string, certificates []*x509.Certificate) (message string, err error) {
	parts := map[string]string{}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if _, twice := parts[name]; twice {
			return "", errors.New("the address names " + short(name) + " twice")
		}
		parts[name] = value
	}
	plain := map[string]string{}
	var covered []string
	for _, name := range []string{"SAMLRequest", "RelayState", "SigAlg", "Signature"} {
		value, there := parts[name]
		if plain[name], err = url.QueryUnescape(value); err != nil {
			return "", err
		}
		if there && name != "Signature" {
			covered = append(covered, name+"="+value)
		}
	}
	if plain["SigAlg"] == "" || plain["Signature"] == "" {
		return "", errUnsigned
	}
	algorithm, known := map[string]x509.SignatureAlgorithm{
		dsig.RSASHA256SignatureMethod: x509.SHA256WithRSA, dsig.RSASHA384SignatureMethod: x509.SHA384WithRSA, dsig.RSASHA512SignatureMethod: x509.SHA512WithRSA,
		dsig.ECDSASHA256SignatureMethod: x509.ECDSAWithSHA256, dsig.ECDSASHA384SignatureMethod: x509.ECDSAWithSHA384, dsig.ECDSASHA512SignatureMethod: x509.ECDSAWithSHA512,
	}[plain["SigAlg"]]
	if !known {
		return "", errors.New("the signature is not as SAML has it: its algorithm is " + short(plain["SigAlg"]))
	}
	signature, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(plain["Signature"]), ""))
	if err != nil {
		return "", errSignature
	}
	for _, c := range certificates {
		if c.CheckSignature(algorithm, []byte(strings.Join(covered, "&")), signature) == nil {
			return plain["SAMLRequest"], nil
		}
	}
	return "", errSignature
}

// checkLogout tells whether a request is for us and of now.
func (p *samlProvider) checkLogout(idp *identityProvider, r *logoutRequest, to Redirects) (until time.Time, err error) {
	now := p.clock()
	issued, err := samlTime(r.Issued)
	switch {
	case strings.TrimSpace(r.Issuer) != idp.issuer:
		return until, refuse(OtherIssuer, short(r.Issuer))
	case r.Target != to.LogOut:
		return until, refuse(BadToken, "the request is for "+short(r.Target)+", not for "+to.LogOut)
	case r.ID == "" || r.NameID.Value == "":
		return until, refuse(BadToken, "the request names nobody")
	case err != nil || now.Sub(issued) > logoutAge || now.Add(skew).Before(issued):
		return until, refuse(BadToken, "the request is not of now")
	}
	if _, err := (window{To: r.To}).check(now); err != nil {
		return until, refuse(BadToken, "the request "+err.Error())
	}
	return issued.Add(2 * logoutAge), nil
}

package ssotest

import (
	"strings"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// Forgery is an answer of a provider that somebody has changed to be taken for
// somebody else.
type Forgery struct {
	Name string
	Text []byte
}

// Forgeries makes of an answer whose assertion is signed what attackers of
// other products have made: it names evil instead of the user who signed in.
func Forgeries(genuine []byte, evil string) (list []Forgery) {
	add := func(name string, change func(root *etree.Element) *etree.Element) {
		if root := change(parse(genuine)); root != nil {
			list = append(list, Forgery{name, written(root)})
		}
	}
	text := func(name string, change func(text string) string) {
		if changed := change(string(genuine)); changed != string(genuine) {
			list = append(list, Forgery{name, []byte(changed)})
		}
	}
	of := func(root *etree.Element) *etree.Element { return root.FindElement("./Assertion") }
	// forged is a copy of the assertion that names evil, unsigned.
	forged := func(root *etree.Element) *etree.Element {
		e := of(root).Copy()
		e.RemoveChild(e.FindElement("./Signature"))
		e.CreateAttr("ID", "_evil")
		name(e, evil)
		return e
	}
	add("without its signature", func(root *etree.Element) *etree.Element {
		replace(root, of(root), forged(root))
		return root
	})
	add("without any signature", func(root *etree.Element) *etree.Element {
		replace(root, of(root), forged(root))
		if s := root.FindElement("./Signature"); s != nil {
			root.RemoveChild(s)
		}
		return root
	})
	add("the name is changed", func(root *etree.Element) *etree.Element {
		name(of(root), evil)
		return root
	})
	add("a group is added", func(root *etree.Element) *etree.Element {
		for _, v := range root.FindElements("//AttributeValue") {
			v.SetText(evil)
		}
		return root
	})
	wrapped(add, of, forged)
	comments(text, of, parse(genuine))
	signatures(add, of, forged)
	text("a document type with an entity", func(t string) string {
		return `<!DOCTYPE r [<!ENTITY evil "` + evil + `">]>` + strings.TrimPrefix(t, `<?xml version="1.0" encoding="UTF-8"?>`)
	})
	text("a processing instruction", func(t string) string { return strings.Replace(t, "NameID>", "NameID><?evil?>", 1) })
	text("a colon for a name", func(t string) string { return strings.Replace(t, "Subject>", "Subject><:x/>", 1) })
	return list
}

func name(assertion *etree.Element, evil string) {
	assertion.FindElement("./Subject/NameID").SetText(evil)
}

// wrapped are the ways of signature wrapping: the signed element stays in the
// answer, where only the signature is looked for.
func wrapped(add func(string, func(*etree.Element) *etree.Element), of, forged func(*etree.Element) *etree.Element) {
	bare := func(root *etree.Element) *etree.Element { // the signed assertion without its signature, and that
		e := of(root).Copy()
		e.RemoveChild(e.FindElement("./Signature"))
		return e
	}
	signature := func(root *etree.Element) *etree.Element { return of(root).FindElement("./Signature").Copy() }
	object := func(inside *etree.Element) *etree.Element {
		o := etree.NewElement("Object")
		o.CreateAttr("xmlns", "http://www.w3.org/2000/09/xmldsig#")
		o.AddChild(inside)
		return o
	}
	add("wrapped: the answer in its signature", func(root *etree.Element) *etree.Element {
		whole := root.Copy()
		replace(root, of(root), forged(root))
		root.CreateAttr("ID", "_evil-answer")
		s := root.FindElement("./Signature")
		if s == nil {
			s = signature(whole)
			root.InsertChildAt(1, s)
		}
		s.AddChild(object(whole))
		return root
	})
	add("wrapped: the answer beside its signature", func(root *etree.Element) *etree.Element {
		whole := root.Copy()
		replace(root, of(root), forged(root))
		root.CreateAttr("ID", "_evil-answer")
		root.InsertChildAt(1, whole)
		return root
	})
	add("wrapped: another assertion before", func(root *etree.Element) *etree.Element {
		root.InsertChildAt(of(root).Index(), forged(root))
		return root
	})
	add("wrapped: another assertion after", func(root *etree.Element) *etree.Element {
		root.AddChild(forged(root))
		return root
	})
	add("wrapped: inside another assertion", func(root *etree.Element) *etree.Element {
		e, whole := forged(root), of(root).Copy()
		replace(root, of(root), e)
		e.AddChild(whole)
		return root
	})
	add("wrapped: another with the signature, the signed one after", func(root *etree.Element) *etree.Element {
		e, s, rest := forged(root), signature(root), bare(root)
		e.InsertChildAt(1, s)
		replace(root, of(root), e)
		root.AddChild(rest)
		return root
	})
	add("wrapped: the signed one in the signature of another", func(root *etree.Element) *etree.Element {
		e, s, rest := forged(root), signature(root), bare(root)
		s.AddChild(rest)
		e.InsertChildAt(1, s)
		replace(root, of(root), e)
		return root
	})
	add("wrapped: the signed one in an object of the signature", func(root *etree.Element) *etree.Element {
		e, s, rest := forged(root), signature(root), bare(root)
		s.AddChild(object(rest))
		e.InsertChildAt(1, s)
		replace(root, of(root), e)
		return root
	})
	add("wrapped: another in extensions", func(root *etree.Element) *etree.Element {
		x := etree.NewElement("samlp:Extensions")
		x.AddChild(forged(root))
		root.InsertChildAt(1, x)
		return root
	})
	add("wrapped: the signed one in extensions", func(root *etree.Element) *etree.Element {
		x := etree.NewElement("samlp:Extensions")
		e, whole := forged(root), of(root).Copy()
		replace(root, of(root), e)
		x.AddChild(whole)
		root.InsertChildAt(1, x)
		return root
	})
	add("wrapped: the ID comes twice", func(root *etree.Element) *etree.Element {
		e := forged(root)
		e.CreateAttr("ID", of(root).SelectAttrValue("ID", ""))
		e.InsertChildAt(1, signature(root))
		root.InsertChildAt(of(root).Index(), e)
		return root
	})
	add("wrapped: two signatures in another", func(root *etree.Element) *etree.Element {
		e := forged(root)
		e.InsertChildAt(1, signature(root))
		e.InsertChildAt(1, signature(root))
		replace(root, of(root), e)
		return root
	})
	add("wrapped: two subjects", func(root *etree.Element) *etree.Element {
		a := of(root)
		s := a.FindElement("./Subject").Copy()
		s.FindElement("./NameID").SetText("evil")
		a.AddChild(s)
		return root
	})
}

// comments cut values where a reader looks at the first text only; a signature
// that leaves comments out still fits.
func comments(text func(string, func(string) string), of func(*etree.Element) *etree.Element, root *etree.Element) {
	id := of(root).FindElement("./Subject/NameID").Text()
	half := id[:len(id)/2]
	text("a comment in the name", func(t string) string {
		return strings.Replace(t, ">"+id+"<", ">"+half+"<!-- -->"+id[len(half):]+"<", 1)
	})
	text("a comment before the name", func(t string) string { return strings.Replace(t, ">"+id+"<", "><!---->"+id+"<", 1) })
	text("a comment in a group", func(t string) string {
		return strings.Replace(t, "</saml:AttributeValue>", "<!-- -->s</saml:AttributeValue>", 1)
	})
	text("a comment in the audience", func(t string) string { return strings.Replace(t, "</saml:Audience>", "<!-- -->/x</saml:Audience>", 1) })
	text("a section of characters in the name", func(t string) string {
		return strings.Replace(t, ">"+id+"<", "><![CDATA["+half+"]]><!-- -->"+id[len(half):]+"<", 1)
	})
}

// signatures are those that are not the provider's, or are not of what they seem.
func signatures(add func(string, func(*etree.Element) *etree.Element), of, forged func(*etree.Element) *etree.Element) {
	key := NewKeyPair(time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	add("signed by another key", func(root *etree.Element) *etree.Element {
		replace(root, of(root), Sign(forged(root), key, dsig.RSASHA256SignatureMethod))
		return root
	})
	add("signed by another key that says to be the provider's", func(root *etree.Element) *etree.Element {
		info := of(root).FindElement("./Signature/KeyInfo")
		e := Sign(forged(root), key, dsig.RSASHA256SignatureMethod)
		if info != nil {
			replace(e.FindElement("./Signature"), e.FindElement("./Signature/KeyInfo"), info.Copy())
		}
		replace(root, of(root), e)
		return root
	})
	add("signed with SHA-1", func(root *etree.Element) *etree.Element {
		replace(root, of(root), Sign(forged(root), key, dsig.RSASHA1SignatureMethod))
		return root
	})
	add("the answer is signed by another key", func(root *etree.Element) *etree.Element {
		replace(root, of(root), forged(root))
		if s := root.FindElement("./Signature"); s != nil {
			root.RemoveChild(s)
		}
		return Sign(root, key, dsig.RSASHA256SignatureMethod)
	})
	edit := func(title, path string, change func(e *etree.Element)) {
		add(title, func(root *etree.Element) *etree.Element {
			name(of(root), "evil")
			for _, e := range of(root).FindElements("./Signature/" + path) {
				change(e)
			}
			return root
		})
	}
	algorithm := func(value string) func(*etree.Element) {
		return func(e *etree.Element) { e.CreateAttr("Algorithm", value) }
	}
	edit("a shared secret for an algorithm", "SignedInfo/SignatureMethod", algorithm("http://www.w3.org/2000/09/xmldsig#hmac-sha1"))
	edit("no algorithm", "SignedInfo/SignatureMethod", algorithm("none"))
	edit("a transform that runs a program", "SignedInfo/Reference/Transforms/Transform", algorithm("http://www.w3.org/TR/1999/REC-xslt-19991116"))
	edit("a transform that picks a part", "SignedInfo/Reference/Transforms/Transform", algorithm("http://www.w3.org/TR/1999/REC-xpath-19991116"))
	edit("no transforms", "SignedInfo/Reference/Transforms", func(e *etree.Element) { e.Parent().RemoveChild(e) })
	edit("a reference to the whole", "SignedInfo/Reference", func(e *etree.Element) { e.CreateAttr("URI", "") })
	edit("a reference to a file", "SignedInfo/Reference", func(e *etree.Element) { e.CreateAttr("URI", "file:///etc/passwd") })
	edit("no reference", "SignedInfo/Reference", func(e *etree.Element) { e.Parent().RemoveChild(e) })
	edit("two references", "SignedInfo/Reference", func(e *etree.Element) { e.Parent().AddChild(e.Copy()) })
	edit("no digest", "SignedInfo/Reference/DigestValue", func(e *etree.Element) { e.SetText("") })
	edit("an empty signature", "SignatureValue", func(e *etree.Element) { e.SetText("") })
	edit("two bodies of what is signed", "SignedInfo", func(e *etree.Element) { e.Parent().AddChild(e.Copy()) })
}

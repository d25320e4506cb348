package deliver

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	netmail "net/mail"
	"strings"
	"unicode"

	"github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// message is a mail ready to be sent.
type message struct {
	msg        *mail.Msg
	id         string // with its angle brackets
	recipients []string
	size       int64 // about, in its encoded form
	needsUTF8  bool

	conn   net.Conn
	failed error // why a document could not be read
}

// composeMail makes the message of a delivery. Everything that goes into its
// head is checked: a line break would begin another header.
func composeMail(ctx context.Context, d *delivery, server *smtpServer, set *mailSettings) (*message, error) {
	m := &message{msg: mail.NewMsg(mail.WithNoDefaultUserAgent())}
	from, err := parseAddress(server.From)
	if err != nil {
		return nil, permanent("From: %s", err)
	}
	if server.DisplayName != "" {
		from.Name = server.DisplayName
	}
	subject, err := headerText("Subject", set.Subject)
	if err == nil {
		from.Name, err = headerText("the name of the sender", from.Name)
	}
	if err != nil {
		return nil, err
	}
	m.msg.FromMailAddress(from)
	m.msg.Subject(subject)
	if err := m.address(server, set); err != nil {
		return nil, err
	}
	// The same in every attempt, so that a second copy, should there ever be
	// one, is known by it.
	_, domain, _ := strings.Cut(from.Address, "@")
	m.msg.SetMessageIDWithValue("quire." + d.tag + "@" + domain)
	m.id = "<quire." + d.tag + "@" + domain + ">"
	m.msg.SetDateWithValue(d.env.now())
	m.msg.SetGenHeader("Auto-Submitted", "auto-generated")
	m.body(set)
	for _, doc := range d.docs {
		m.attach(ctx, doc)
	}
	return m, nil
}

// address sets the recipients, each once.
func (m *message) address(server *smtpServer, set *mailSettings) error {
	replyTo := set.ReplyTo
	if strings.TrimSpace(replyTo) == "" {
		replyTo = server.ReplyTo
	}
	used := map[string]bool{}
	for _, field := range []struct {
		name, value string
		set         func(...*netmail.Address)
		isRecipient bool
	}{
		{"To", set.To, m.msg.ToMailAddress, true},
		{"Cc", set.Cc, m.msg.CcMailAddress, true},
		{"Bcc", set.Bcc, m.msg.BccMailAddress, true},
		{"Reply to", replyTo, m.msg.ReplyToMailAddress, false},
	} {
		list, err := parseAddresses(field.value)
		if err != nil {
			return permanent("%s: %s", field.name, err)
		}
		var fresh []*netmail.Address
		for _, a := range list {
			fold := strings.ToLower(a.Address)
			if field.isRecipient && used[fold] {
				continue
			}
			if field.isRecipient {
				used[fold] = true
				m.recipients = append(m.recipients, a.Address)
			}
			m.needsUTF8 = m.needsUTF8 || !isASCII(a.Address)
			fresh = append(fresh, a)
		}
		if len(fresh) > 0 {
			field.set(fresh...)
		}
	}
	switch n := len(m.recipients); {
	case n == 0:
		return permanent("the message has no recipient: To, Cc and Bcc are empty")
	case n > maxRecipients:
		return permanent("%d recipients are too many for one message; at most %d", n, maxRecipients)
	}
	return nil
}

// maxRecipients is what every mail server must take.
const maxRecipients = 100

func (m *message) body(set *mailSettings) {
	switch {
	case set.HTML == "":
		m.msg.SetBodyString(mail.TypeTextPlain, set.Text)
	case strings.TrimSpace(set.Text) == "":
		m.msg.SetBodyString(mail.TypeTextHTML, set.HTML)
	default:
		m.msg.SetBodyString(mail.TypeTextPlain, set.Text)
		m.msg.AddAlternativeString(mail.TypeTextHTML, set.HTML)
	}
	m.size += 4096 + int64(len(set.Text)+len(set.HTML))*11/10
}

// attach adds a document. Its name is written as RFC 2231 says, not as the
// encoded words inside quotes that go-mail writes and some readers show as they
// are.
func (m *message) attach(ctx context.Context, doc *document) {
	kind, _, err := mime.ParseMediaType(doc.ContentType)
	if err != nil || strings.HasPrefix(kind, "multipart/") || strings.HasPrefix(kind, "message/") {
		kind = "application/octet-stream"
	}
	disposition := mime.FormatMediaType("attachment", map[string]string{"filename": doc.name})
	m.msg.AttachReadSeeker(doc.name, &attachment{ctx: ctx, doc: doc, m: m}, mail.WithFileContentType(mail.ContentType(kind)), func(f *mail.File) {
		f.Header.Set("Content-Disposition", disposition)
	})
	m.size += 1024 + doc.Size*78/57 // 57 bytes are a line of 76 characters
}

// headerText is text for a header; line breaks and other control characters
// inside are refused.
func headerText(name, text string) (string, error) {
	text = strings.TrimSpace(text)
	if strings.ContainsFunc(text, unicode.IsControl) {
		return "", permanent("%s contains a line break or another control character: %q", name, plain(text))
	}
	return strings.ToValidUTF8(text, "\uFFFD"), nil
}

// parseAddresses reads addresses separated by commas or semicolons. Empty ones
// are skipped, as templates leave them.
func parseAddresses(list string) ([]*netmail.Address, error) {
	var addresses []*netmail.Address
	for _, part := range splitAddresses(list) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		a, err := parseAddress(part)
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, a)
	}
	return addresses, nil
}

// splitAddresses splits at commas and semicolons that stand outside of quotes
// and angle brackets.
func splitAddresses(list string) []string {
	var parts []string
	var quoted, escaped, angled bool
	start := 0
	for i, r := range list {
		switch {
		case escaped:
			escaped = false
		case quoted && r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case !quoted && (r == '<' || r == '>'):
			angled = r == '<'
		case !quoted && !angled && (r == ',' || r == ';'):
			parts, start = append(parts, list[start:i]), i+1
		}
	}
	return append(parts, list[start:])
}

// parseAddress reads one address, with or without a name. The domain becomes
// the form that mail servers know.
func parseAddress(text string) (*netmail.Address, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("the address is missing")
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return nil, fmt.Errorf("%q contains a line break or another control character", plain(text))
	}
	a, err := netmail.ParseAddress(text)
	if err != nil || strings.ContainsFunc(a.Name+a.Address, unicode.IsControl) {
		return nil, fmt.Errorf("%q is no mail address; write one such as ana@example.com or Ana <ana@example.com>", plain(text))
	}
	at := strings.LastIndexByte(a.Address, '@')
	local, domain := a.Address[:at], a.Address[at+1:]
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil {
		domain = ascii
	} else if !strings.HasPrefix(domain, "[") {
		return nil, fmt.Errorf("%q has no domain that mail could be sent to", plain(text))
	}
	// Quoted local parts with blanks, angle brackets and the like exist on paper
	// only; on the wire they are a way to smuggle commands.
	if local == "" || strings.ContainsAny(local, " \"<>()[]:;,\\@") {
		return nil, fmt.Errorf("%q is no mail address; write one such as ana@example.com or Ana <ana@example.com>", plain(text))
	}
	a.Address = local + "@" + domain
	return a, nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

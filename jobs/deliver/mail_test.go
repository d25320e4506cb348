package deliver

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/quire-reports/quire/report"
)

// part is a leaf of a received message.
type part struct {
	kind, name string
	content    []byte
}

func readMail(t *testing.T, content []byte) (netmail.Header, []part) {
	t.Helper()
	msg, err := netmail.ReadMessage(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return msg.Header, readParts(t, msg.Header.Get("Content-Type"), msg.Header.Get("Content-Transfer-Encoding"), msg.Header.Get("Content-Disposition"), msg.Body)
}

func readParts(t *testing.T, contentType, encoding, disposition string, body io.Reader) []part {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatalf("%q: %v", contentType, err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		var parts []part
		reader := multipart.NewReader(body, params["boundary"])
		for {
			p, err := reader.NextRawPart()
			if err == io.EOF {
				return parts
			}
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, readParts(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p.Header.Get("Content-Disposition"), p)...)
		}
	}
	switch encoding {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	_, params, _ = mime.ParseMediaType(disposition)
	return []part{{kind, params["filename"], content}}
}

func TestMailArrivesAsItWasSent(t *testing.T) {
	box := newMailbox(t, nil)
	large, small := random(1, 20<<20), []byte("a;b\n1;2\n")
	longName := "Rechnung für " + strings.Repeat("Größe ", 20) + "Ž 請求書.pdf"
	docs := []report.Document{pdf(longName, large), doc("Posten.csv", "text/csv; charset=utf-8", small), doc("strange", "nonsense\r\nX-Evil: 1", []byte{0, 1, 2})}
	target := box.target(map[string]any{
		"to": `"Čarnojević, Ana" <ana@example.com>; bo@bücher.example,`, "cc": "cc@example.com, ANA@example.com", "bcc": "secret@example.com", "replyTo": "Hilfe <help@example.com>",
		"subject": "  Ihre Rechnung № 4711 über 1.234,56 € – mit einem langen Betreff, der mehr als eine Zeile braucht 日本語  ",
		"text":    "Guten Tag,\n\nanbei.\n.\n..dots\nFrom here\n" + strings.Repeat("lang ", 300) + "\nGrüße\n", "html": "<p>Grüße &amp; <b>Dank</b></p>\n" + strings.Repeat("ä", 2000),
	}, nil)
	receipt := mustDeliver(t, box.roots, target, docs, "run7/entry1/mail")
	got := box.one(t)
	if !got.encrypted || got.user != "quire" || got.from != "reports@xn--mller-kva.example" {
		t.Errorf("encrypted %v, user %q, from %q", got.encrypted, got.user, got.from)
	}
	if want := []string{"ana@example.com", "bo@xn--bcher-kva.example", "cc@example.com", "secret@example.com"}; !reflect.DeepEqual(got.to, want) {
		t.Errorf("recipients %v, want %v", got.to, want)
	}
	header, parts := readMail(t, got.content)
	decoder := mime.WordDecoder{}
	subject, _ := decoder.DecodeHeader(header.Get("Subject"))
	from, _ := header.AddressList("From")
	to, _ := header.AddressList("To")
	replyTo, _ := header.AddressList("Reply-To")
	if want := "Ihre Rechnung № 4711 über 1.234,56 € – mit einem langen Betreff, der mehr als eine Zeile braucht 日本語"; subject != want {
		t.Errorf("subject %q, want %q", subject, want)
	}
	if from[0].Name != "Müller, Söhne & Co." || len(to) != 2 || to[0].Name != "Čarnojević, Ana" || replyTo[0].Address != "help@example.com" {
		t.Errorf("from %v, to %v, reply to %v", from, to, replyTo)
	}
	if bytes.Contains(got.content[:8000], []byte("secret@example.com")) || header.Get("X-Evil") != "" {
		t.Error("the message tells its blind copies, or has a header of a content type")
	}
	if id := header.Get("Message-ID"); id != receipt.Reference || id != "<quire."+tagOf("run7/entry1/mail")+"@xn--mller-kva.example>" {
		t.Errorf("Message-ID %q, receipt %q", id, receipt.Reference)
	}
	crlf := func(s any) []byte { return []byte(strings.ReplaceAll(s.(string), "\n", "\r\n")) }
	want := []part{
		{"text/plain", "", crlf(target.Settings["text"])},
		{"text/html", "", crlf(target.Settings["html"])},
		{"application/pdf", SafeName(longName), large},
		{"text/csv", "Posten.csv", small},
		{"application/octet-stream", "strange", []byte{0, 1, 2}},
	}
	if len(parts) != len(want) {
		t.Fatalf("%d parts", len(parts))
	}
	for i, w := range want {
		if parts[i].kind != w.kind || parts[i].name != w.name {
			t.Errorf("part %d is %s %q, want %s %q", i, parts[i].kind, parts[i].name, w.kind, w.name)
		}
		same(t, w.kind, parts[i].content, w.content)
	}
	for line := range bytes.Lines(got.content) {
		if len(line) > 1000 {
			t.Errorf("a line of %d bytes: mail servers take 1000", len(line))
		}
	}
	if receipt.State != Sent || len(receipt.Items) != 3 || !strings.Contains(receipt.Items[0].Place, "bo@") {
		t.Errorf("%+v", receipt)
	}
}

func TestMailEncryption(t *testing.T) {
	one := []report.Document{pdf("a.pdf", []byte("x"))}
	open := newMailbox(t, func(s *smtp.Server) { s.TLSConfig = nil })
	if e := refused(t, open.roots, open.target(nil, nil), one, "offers no encryption"); !e.Permanent {
		t.Error("a retry would not help")
	}
	if len(open.received) != 0 {
		t.Error("sent in the open")
	}
	mustDeliver(t, open.roots, open.target(nil, map[string]any{"enableSsl": false, "username": ""}), one, "k")
	if got := open.one(t); got.encrypted || got.user != "" {
		t.Errorf("%+v", got)
	}
	plain := Target{Type: "email", Connection: map[string]any{"host": "mail.example.com", "from": "a@b.example", "enableSsl": false, "username": "u", "password": "p"}, Settings: map[string]any{"to": "a@b.example", "subject": "s"}}
	refused(t, open.roots, plain, one, "only sent encrypted")

	untrusted := newMailbox(t, nil)
	untrusted.roots.Roots = open.roots.Roots // another authority
	if e := refused(t, untrusted.roots, untrusted.target(nil, nil), one, "certificate"); !e.Permanent {
		t.Error("a retry would not help")
	}
}

// Port 465 cannot be had in a test, so the server of it is asked through a
// listener that stands for it.
func TestMailIsEncryptedFromTheStartOnPort465(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:465")
	if err != nil {
		t.Skip("port 465 cannot be opened here: ", err)
	}
	box := newMailbox(t, nil)
	config, pool := certificate(t)
	box.roots.Roots = pool
	server := smtp.NewServer(box)
	server.TLSConfig = config
	go func() { _ = server.Serve(tls.NewListener(l, config)) }()
	t.Cleanup(func() { _ = server.Close() })
	mustDeliver(t, box.roots, box.target(nil, map[string]any{"port": int64(465)}), []report.Document{pdf("a.pdf", []byte("x"))}, "k")
	if got := box.one(t); !got.encrypted || got.user != "quire" {
		t.Errorf("%+v", got)
	}
}

func TestMailRefusals(t *testing.T) {
	box := newMailbox(t, func(s *smtp.Server) { s.MaxMessageBytes = 2 << 20 })
	one := []report.Document{pdf("a.pdf", []byte("x"))}
	cases := []struct {
		settings, connection map[string]any
		docs                 []report.Document
		words                string
		permanent            bool
	}{
		{settings: map[string]any{"to": "unknown@example.com"}, words: "no such user", permanent: true},
		{settings: map[string]any{"to": "ana@example.com, unknown@example.com"}, words: "no such user", permanent: true},
		{settings: map[string]any{"to": "later@example.com"}, words: "greylisted"},
		{settings: map[string]any{"to": ""}, words: "no recipient", permanent: true},
		{settings: map[string]any{"to": "nobody"}, words: `"nobody" is no mail address`, permanent: true},
		{settings: map[string]any{"to": "a@example.com\r\nBcc: evil@example.com"}, words: "line break", permanent: true},
		{settings: map[string]any{"subject": "Hello\r\nBcc: evil@example.com"}, words: "line break", permanent: true},
		{settings: map[string]any{"subject": "Hello\nX-Evil: 1"}, words: "line break", permanent: true},
		{settings: map[string]any{"replyTo": "\"x\r\ny\" <a@example.com>"}, words: "line break", permanent: true},
		{settings: map[string]any{"to": `"a> RCPT TO:<evil@example.com"@example.com`}, words: "no mail address", permanent: true},
		{connection: map[string]any{"displayName": "Evil\r\nBcc: evil@example.com"}, words: "line break", permanent: true},
		{connection: map[string]any{"host": "10.1.2.3"}, words: "Egress__AllowHosts", permanent: true},
		{connection: map[string]any{"password": report.Secret("wr0ng secret")}, words: "check the user name and password", permanent: true},
		{docs: []report.Document{pdf("a.pdf", make([]byte, 3<<20))}, words: "takes at most 2 MB", permanent: true},
		{docs: []report.Document{broken("a.pdf", random(2, 1<<20), 900_000)}, words: "the storage went away"},
		{docs: []report.Document{{Name: "a.pdf", Size: 5}}, words: "could not be read"},
	}
	for _, c := range cases {
		if c.docs == nil {
			c.docs = one
		}
		e := refused(t, box.roots, box.target(c.settings, c.connection), c.docs, c.words)
		if e.Permanent != c.permanent || e.Uncertain || strings.Contains(e.Message, "wr0ng") {
			t.Errorf("%+v", e)
		}
	}
	many := box.target(map[string]any{"to": manyAddresses(101)}, nil)
	refused(t, box.roots, many, one, "101 recipients are too many")
	box.open.Wait() // a message that was ended by mistake has arrived by then
	box.mu.Lock()
	defer box.mu.Unlock()
	if len(box.received) != 0 {
		t.Errorf("%d messages arrived, the first is of %d bytes", len(box.received), len(box.received[0].content))
	}
	if box.begun == 0 {
		t.Error("the broken document was not even begun")
	}
}

func manyAddresses(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d@example.com,", i)
	}
	return b.String()
}

func TestMailThatMayHaveBeenSentIsUncertain(t *testing.T) {
	box := newMailbox(t, nil)
	box.dropped = true
	one := []report.Document{pdf("a.pdf", []byte("x"))}
	receipt, err := Deliver(t.Context(), box.roots, box.target(nil, nil), one, "k")
	var e *Error
	if !errors.As(err, &e) || !e.Uncertain || !e.Permanent || receipt.State != Uncertain || !strings.Contains(e.Message, receipt.Reference) || receipt.Reference == "" {
		t.Errorf("%+v %v", receipt, err)
	}
	header, _ := readMail(t, box.one(t).content)
	if header.Get("Message-ID") != receipt.Reference {
		t.Errorf("%q, %q", header.Get("Message-ID"), receipt.Reference)
	}

	// The attempt after it does not send, and names the same message.
	target := box.target(nil, nil)
	target.Interrupted = true
	again, err := Deliver(t.Context(), box.roots, target, one, "k")
	if !errors.As(err, &e) || !e.Uncertain || again.State != Uncertain || again.Reference != receipt.Reference {
		t.Errorf("%+v %v", again, err)
	}
	box.one(t)

	box.mu.Lock()
	box.dataErr = &smtp.SMTPError{Code: 452, Message: "mailbox full"}
	box.mu.Unlock()
	if e := refused(t, box.roots, box.target(nil, nil), one, "mailbox full"); e.Permanent || e.Uncertain {
		t.Errorf("an answer that says no is certain: %+v", e)
	}
}

func TestMailStopsWithItsContext(t *testing.T) {
	l, port := listen(t) // accepts, and never says a word
	_ = l
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	box := &mailbox{port: port}
	start := time.Now()
	_, err := Deliver(ctx, testEnv(t), box.target(nil, nil), []report.Document{pdf("a.pdf", []byte("x"))}, "k")
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func FuzzMailHeaders(f *testing.F) {
	f.Add("Subject", "Ana <ana@example.com>, bo@example.com", "Reports", "a.pdf", "application/pdf")
	f.Add("a\r\nBcc: x@y.z", "a@b\r\nX: y", "n\nX: y", "a\r\nb\".pdf", "text/html; x=\"\r\n\"")
	f.Add("=?utf-8?q?=0D=0AX-Evil:_1?=", "=?utf-8?q?a=0D=0ABcc:?= <a@b.example>", "\u2028x", "\u202e.pdf", "multipart/mixed; boundary=x")
	f.Add("ä", "\"a\\\"b\" <a@b.example>; \"q@r\" <x@y.example>", "\\\"", "';.pdf", "a/b")
	f.Fuzz(func(t *testing.T, subject, to, name, file, kind string) {
		d := &delivery{env: &Env{}, tag: "t", docs: prepare([]report.Document{doc(file, kind, []byte("content"))})}
		server := &smtpServer{From: "from@example.com", DisplayName: name}
		m, err := composeMail(t.Context(), d, server, &mailSettings{To: to, Subject: subject, Text: "text"})
		if err != nil {
			return
		}
		var raw bytes.Buffer
		if _, err := m.msg.WriteTo(&raw); err != nil {
			t.Fatal(err)
		}
		msg, err := netmail.ReadMessage(bytes.NewReader(raw.Bytes()))
		if err != nil {
			t.Fatalf("%v in %q", err, raw.String())
		}
		for name := range msg.Header {
			switch name {
			case "Subject", "To", "From", "Date", "Message-Id", "Mime-Version", "Auto-Submitted", "Content-Type":
			default:
				t.Fatalf("the header %q came in: %q", name, raw.String())
			}
		}
		for _, a := range m.recipients {
			if strings.ContainsAny(a, "\r\n<> ") {
				t.Fatalf("recipient %q", a)
			}
		}
		_, parts := readMail(t, raw.Bytes())
		if len(parts) != 2 || parts[1].name != d.docs[0].name || string(parts[1].content) != "content" {
			t.Fatalf("%q in %q", parts, raw.String())
		}
	})
}

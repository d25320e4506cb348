package deliver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"github.com/quire-reports/quire/report"
)

var email = probed(defineMail(), probeMail)

func defineMail() Type {
	t := define(MailType, "Email", "A message with the documents attached.", deliverMail).connects("Mail server (SMTP)")
	t.NotInstalled = "the installation has no mail server; name a connection of the type email, or have the operator set SmtpServer.Host"
	t.ToPerson, t.try = true, tryMail
	return t
}

// MailType is the type of deliveries by mail, for which an installation may have
// a server.
const MailType = "email"

// tryMail makes a mail a test: to one person alone, or to its recipients.
func tryMail(settings map[string]any, to, mark string) {
	delete(settings, "cc")
	delete(settings, "bcc")
	if to != "" {
		settings["to"] = to
	}
	if subject, ok := settings["subject"].(string); ok {
		settings["subject"] = mark + subject
	}
}

// smtpServer is named like the group SmtpServer of the server's settings, which
// can stand in for a connection.
type smtpServer struct {
	Host        string        `json:"host" leads:"true" label:"Host" editor:"text" required:"true"`
	Port        int           `json:"port" leads:"true" label:"Port" default:"587" min:"1" max:"65535" help:"465 is encrypted from the start; others, such as 587 and 25, turn to encryption by STARTTLS."`
	EnableSSL   bool          `json:"enableSsl" leads:"true" label:"Encrypt" default:"true" help:"Without encryption no user name and password are sent."`
	Username    string        `json:"username" leads:"true" label:"User name" editor:"text"`
	Password    report.Secret `json:"password" label:"Password" editor:"secret"`
	From        string        `json:"from" label:"From" editor:"text" required:"true" help:"Address of the sender."`
	DisplayName string        `json:"displayName" label:"Name of the sender" editor:"text"`
	ReplyTo     string        `json:"replyTo" label:"Reply to" editor:"text"`
}

func (s *smtpServer) validate(path string) report.Problems {
	var problems report.Problems
	if s.Username != "" && !s.EnableSSL && !isThisMachine(s.Host) {
		problems = append(problems, report.Problemf(report.JoinPath(path, "enableSsl"), "a user name and password are only sent encrypted; switch encryption on or remove the user name"))
	}
	if _, err := parseAddress(s.From); err != nil {
		problems = append(problems, report.Problemf(report.JoinPath(path, "from"), "%s", err))
	}
	if _, err := parseAddresses(s.ReplyTo); err != nil {
		problems = append(problems, report.Problemf(report.JoinPath(path, "replyTo"), "%s", err))
	}
	return problems
}

func isThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

type mailSettings struct {
	To      string `json:"to" label:"To" editor:"template" help:"One or several addresses, separated by commas: {$record.email}, Accounts <accounts@example.com>"`
	Cc      string `json:"cc" label:"Cc" editor:"template"`
	Bcc     string `json:"bcc" label:"Bcc" editor:"template"`
	ReplyTo string `json:"replyTo" label:"Reply to" editor:"template" help:"Default: the connection's."`
	Subject string `json:"subject" label:"Subject" editor:"template" required:"true"`
	Text    string `json:"text" label:"Text" editor:"template"`
	HTML    string `json:"html" label:"Formatted text" editor:"html" help:"HTML. With a plain text as well, readers choose."`
}

// deliverMail sends one message. A mail server cannot be asked whether it has a
// message already, so an attempt after an interrupted one does not send.
func deliverMail(ctx context.Context, d *delivery, server *smtpServer, set *mailSettings) (Receipt, error) {
	m, err := composeMail(ctx, d, server, set)
	if err != nil {
		return Receipt{}, err
	}
	receipt := Receipt{State: Uncertain, Reference: m.id}
	if d.interrupted {
		return receipt, uncertain("an earlier attempt was interrupted and may have sent the message %s; look for it at the recipient or in the mail server's log, then send it again by hand or mark it as delivered", m.id)
	}
	if err := m.send(ctx, d, server); err != nil {
		if !err.Uncertain {
			receipt = Receipt{}
		}
		return receipt, err
	}
	receipt.State = Sent
	for _, doc := range d.docs {
		receipt.Items = append(receipt.Items, Item{Name: doc.name, Place: strings.Join(m.recipients, ", "), Size: doc.Size, SHA256: doc.sum})
	}
	return receipt, nil
}

// mailIdle is how long a mail server may think; those that look for viruses
// take minutes for a large message.
const mailIdle = 5

// send hands the message to the server. What it cannot know is said: once the
// whole message is written, an answer that does not come leaves that open.
func (m *message) send(ctx context.Context, d *delivery, server *smtpServer) *Error {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // closes the connection, whatever state it is in
	client, err := mail.NewClient(server.Host, m.options(ctx, d, server)...)
	if err != nil {
		return permanent("the mail server's settings cannot be used: %s", plain(err.Error()))
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return dialFailed(ctx, server, err)
	}
	if err := m.fits(session, server.Host); err != nil {
		_ = session.Quit()
		return err
	}
	err = client.SendWithSMTPClient(session, m.msg)
	switch {
	case m.msg.IsDelivered():
		_ = session.Quit()
		return nil
	case m.failed != nil:
		return asError(ctx, m.failed)
	}
	return m.rejected(ctx, server.Host, err)
}

func (m *message) options(life context.Context, d *delivery, server *smtpServer) []mail.Option {
	idle := mailIdle * d.env.idle()
	implicit := server.EnableSSL && server.Port == 465
	options := []mail.Option{
		mail.WithPort(server.Port), mail.WithTimeout(time.Hour), mail.WithTLSConfig(d.tls(server.Host)), mail.WithoutNoop(),
		mail.WithDialContextFunc(func(ctx context.Context, _, address string) (net.Conn, error) {
			conn, err := d.dial(life, ctx, address, idle)
			if err != nil {
				return nil, err
			}
			m.conn = conn
			if !implicit {
				return conn, nil
			}
			encrypted := tls.Client(conn, d.tls(server.Host))
			return encrypted, encrypted.HandshakeContext(ctx)
		}),
	}
	switch {
	case implicit:
		options = append(options, mail.WithSSL())
	case server.EnableSSL:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	default:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	if server.Username != "" {
		options = append(options, mail.WithUsername(server.Username), mail.WithPassword(server.Password.Reveal()),
			mail.WithOpportunisticSMTPAuth(mail.SMTPAuthPlain, mail.SMTPAuthLogin, mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1, mail.SMTPAuthCramMD5))
	}
	return options
}

func dialFailed(ctx context.Context, server *smtpServer, err error) *Error {
	text := err.Error()
	switch {
	case strings.Contains(text, "SMTP AUTH"), errors.Is(err, mail.ErrNoSupportedAuthDiscovered):
		e := permanent("the mail server %q refused the sign-in: %s; check the user name and password of the connection", server.Host, plain(text))
		e.Permanent = !strings.Contains(text, ": 4") // "454 Temporary authentication failure"
		return e
	case strings.Contains(text, "STARTTLS"):
		return permanent("the mail server %q offers no encryption on port %d; use port 465, or switch encryption off if the message may travel in the open", server.Host, server.Port)
	}
	return unreachable(ctx, server.Host, err)
}

// fits fails when the server says beforehand that it cannot take the message.
func (m *message) fits(session *smtp.Client, host string) *Error {
	if _, limit := session.Extension("SIZE"); limit != "" {
		if most, err := strconv.ParseInt(limit, 10, 64); err == nil && most > 0 && m.size > most {
			return permanent("the message would be %d MB long and the mail server %q takes at most %d MB; deliver the documents another way, for example as a link", (m.size+1<<20-1)>>20, host, most>>20)
		}
	}
	if takesUTF8, _ := session.Extension("SMTPUTF8"); m.needsUTF8 && !takesUTF8 {
		return permanent("an address has letters before the @ that the mail server %q does not take; use an address in ASCII", host)
	}
	return nil
}

// rejected words why a message was not taken.
func (m *message) rejected(ctx context.Context, host string, err error) *Error {
	var failure *mail.SendError
	if !errors.As(err, &failure) {
		return unreachable(ctx, host, err)
	}
	words, _, _ := strings.Cut(failure.Error(), ", affected message ID")
	switch code := failure.ErrorCode(); {
	case code == 0 && failure.Reason == mail.ErrSMTPDataClose:
		return uncertain("the connection to the mail server %q broke before it confirmed the message %s, which may have been sent; look for it at the recipient or in the mail server's log, then send it again by hand or mark it as delivered", host, m.id)
	case code == 0 && ctx.Err() != nil:
		return asError(ctx, err)
	case code == 0:
		return temporary("the connection to the mail server %q broke before the message was sent: %s", host, plain(words))
	case code < 500:
		return temporary("the mail server %q did not take the message for now: %s", host, plain(words))
	}
	return permanent("the mail server %q refused the message: %s", host, plain(words))
}

// attachment is a document as go-mail reads it: from the beginning to the end,
// then back to the beginning.
type attachment struct {
	ctx context.Context
	doc *document
	m   *message
	r   io.ReadCloser
}

func (a *attachment) Read(p []byte) (int, error) {
	if a.r == nil {
		r, err := a.doc.open(a.ctx)
		if err != nil {
			return 0, a.m.fail(err)
		}
		a.r = r
	}
	n, err := a.r.Read(p)
	if err != nil && err != io.EOF {
		return n, a.m.fail(err)
	}
	return n, err
}

// Seek goes back to the beginning; go-mail asks for nothing else.
func (a *attachment) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, errors.ErrUnsupported
	}
	if a.r == nil {
		return 0, nil
	}
	err := a.r.Close()
	a.r = nil
	return 0, err
}

// fail ends the connection at once, and remembers why. Anything more polite
// would end the cut message as if it were whole.
func (m *message) fail(err error) error {
	m.failed = err
	if m.conn != nil {
		_ = m.conn.Close()
	}
	return err
}

// probeMail signs in, and sends nothing.
func probeMail(ctx context.Context, d *delivery, server *smtpServer) (string, error) {
	m := &message{}
	client, err := mail.NewClient(server.Host, m.options(ctx, d, server)...)
	if err != nil {
		return "", permanent("the mail server's settings cannot be used: %s", plain(err.Error()))
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return "", dialFailed(ctx, server, err)
	}
	defer func() { _ = session.Quit() }()
	if err := session.Noop(); err != nil {
		return "", temporary("the mail server %q did not answer: %s", server.Host, plain(err.Error()))
	}
	if server.Username == "" {
		return fmt.Sprintf("the mail server %s answers; it was not signed in to, as there is no user name", server.Host), nil
	}
	return fmt.Sprintf("the mail server %s answers and took the sign-in of %s", server.Host, server.Username), nil
}

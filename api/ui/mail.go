package ui

import (
	"context"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/report"
)

// Mail is the mail server of the installation.
type Mail struct {
	Host                                 string // empty: there is none
	Port                                 int
	Encrypted, HasPassword               bool
	Username, From, DisplayName, ReplyTo string
	// Send sends a message; its error says what the server said.
	Send func(ctx context.Context, to, subject, text string) error
}

// mailRoutes are the page of the mail server.
func (u *UI) mailRoutes() []route {
	root := access.RootOnly(access.Session)
	return []route{
		{http.MethodGet, "/mail", root, u.toSignIn, u.mailPage},
		{http.MethodPost, "/mail/test", root, u.toSignIn, u.sendTestMail},
	}
}

// mailBody is the content of the page of the mail server.
type mailBody struct {
	*Mail
	NoLinks bool // there is no address for links in mails
	To      string
	Fault   fault
}

func (u *UI) mailPage(w http.ResponseWriter, r *http.Request) {
	u.showMail(w, r, http.StatusOK, mailBody{To: emailOf(access.Of(r.Context()).User.Email)})
}

// emailOf is the address of a user as a suggestion; the first user's need not
// be one that mail reaches.
func emailOf(address string) string {
	if strings.HasSuffix(address, "@localhost") {
		return ""
	}
	return address
}

func (u *UI) showMail(w http.ResponseWriter, r *http.Request, status int, body mailBody) {
	if body.Mail = u.Mail; body.Mail == nil {
		body.Mail = &Mail{}
	}
	body.NoLinks = u.PublicURL == ""
	u.show(w, r, status, "mail", page{Title: u.t(r, "Mail server"), Section: "mail", Body: body, Notice: u.notice(r, map[string]string{
		"sent": "The mail server took the test mail. Look whether it arrives.",
	})})
}

// sendTestMail sends a mail and says what the server answered.
func (u *UI) sendTestMail(w http.ResponseWriter, r *http.Request) {
	sent, err := readForm(w, r)
	to := strings.TrimSpace(sent.Get("to"))
	switch {
	case err != nil:
	case u.Mail == nil || u.Mail.Host == "":
		err = report.Problemf("to", "there is no mail server yet; set SmtpServer.Host and start the service again")
	case to == "" || strings.ContainsAny(to, ",;"):
		err = report.Problemf("to", "enter one address")
	default:
		err = u.Mail.Send(r.Context(), to, u.t(r, "Test mail of Quire"), u.t(r, "This mail was sent from the page of the mail server, by {0}. If you can read it, mail works.", access.Of(r.Context()).User.DisplayName))
	}
	if problems := answer.ProblemsIn(err); len(problems) > 0 && problems[0].Kind == report.Failed {
		// What a mail server says belongs into the page.
		u.showMail(w, r, http.StatusUnprocessableEntity, mailBody{To: to, Fault: fault{"to", sentence(u.said(r, problems[0].Message))}})
		return
	}
	u.finish(w, r, err, u.PathBase+"/mail", "sent", func(status int, wrong fault) {
		u.showMail(w, r, status, mailBody{To: to, Fault: wrong})
	})
}

package ui

import (
	"context"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/store"
)

// mailMentions mails a comment to the people whom it names, while the answer is
// on its way.
func (u *UI) mailMentions(r *http.Request, talk store.Talk, text string, said *store.Said) {
	if !u.mailsLinks() || len(said.Told) == 0 {
		return
	}
	by := access.Of(r.Context()).User.DisplayName
	ctx := context.WithoutCancel(r.Context())
	log := u.Logger.With("request", answer.TraceOf(ctx).ID)
	for _, to := range said.Told {
		subject, letter := u.mentionLetter(r, talk, to, by, strings.TrimSpace(text), said.Thread)
		select {
		case u.letters <- struct{}{}:
		default:
			log.WarnContext(ctx, "a comment was not mailed: too many mails are on their way")
			return
		}
		go func() {
			defer func() { <-u.letters }()
			ctx, stop := context.WithTimeout(ctx, letterTakes)
			defer stop()
			if err := u.Mail.Send(ctx, to.Email, subject, letter); err != nil {
				log.WarnContext(ctx, "a comment was not mailed", "error", err)
			}
		}()
	}
}

// mentionLetter is the mail to a person who is mentioned in a comment, in their
// language. If they may not change the report, it leads to what they may see.
func (u *UI) mentionLetter(r *http.Request, talk store.Talk, to store.Onlooker, by, text string, thread *store.Thread) (subject, letter string) {
	language := to.Language
	if language == "" || !u.texts.has(language) {
		language = u.language(r)
	}
	address := strings.TrimRight(u.PublicURL, "/") + u.workspaceAddress(*talk.By.Workspace) + "/reports/" + itoa(talk.Report.ID)
	if to.Edits {
		address += "/design#thread-" + itoa(thread.ID)
	} else {
		address += "/comments#thread-" + itoa(thread.ID)
	}
	t := u.texts.in(language)
	return t(say("{0} mentions you in a comment on {1}"), by, talk.Report.Name), t(say(`{0} writes about the report “{1}”:

{2}

Open it here:
{3}`), by, talk.Report.Name, text, address)
}

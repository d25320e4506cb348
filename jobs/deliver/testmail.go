package deliver

import (
	"context"
	"crypto/rand"
)

// TestMail sends a message without documents, to see whether a mail server takes
// one. Errors are those of Deliver.
func TestMail(ctx context.Context, env *Env, connection map[string]any, to, subject, text string) error {
	server, problems := decode[smtpServer](revealed(connection), "")
	if len(problems) > 0 {
		return problems
	}
	ctx, stop := context.WithTimeout(ctx, probeTime)
	defer stop()
	key := rand.Text()
	set := &mailSettings{To: to, Subject: subject, Text: text}
	d := &delivery{env: env, key: key, tag: tagOf(key), scrub: newScrubber(server, set)}
	m, err := composeMail(ctx, d, &server, set)
	if err == nil {
		if failure := m.send(ctx, d, &server); failure != nil {
			err = failure
		}
	}
	if err == nil {
		return nil
	}
	e := *asError(ctx, err)
	e.Message = d.scrub.clean(e.Message)
	return &e
}

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/quire-reports/quire/jobs"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// deliverer takes the documents of jobs to their destinations, with what the
// connections of the workspace keep sealed.
type deliverer struct {
	store *store.Store
	env   *deliver.Env
	mail  *mailServer // of the installation
}

// Deliver implements jobs.Deliverer.
func (d deliverer) Deliver(ctx context.Context, job jobs.Delivery, documents []jobs.Document) (jobs.Receipt, error) {
	kind, known := deliver.Find(job.Type)
	if !known {
		return "", report.Problemf("type", "there is no destination %q", job.Type)
	}
	settings, err := kind.Fill(job.Settings, func(_ report.Field, template string) (string, error) { return job.Fill(template) })
	if err != nil {
		return "", err
	}
	target := deliver.Target{
		Type: job.Type, Settings: settings, Interrupted: job.Interrupted,
		Origin: deliver.Origin{Job: job.Job, Run: job.Run, Entry: job.Entry},
	}
	env := d.env
	switch {
	case job.Connection == "" && job.Type == "email":
		if target.Connection = d.mail.settings.connection(); target.Connection == nil {
			return "", report.Problemf("connection", "is missing, and the installation has no mail server; name a connection of the type email, or have the operator set SmtpServer.Host")
		}
		env = d.mail.env
	case job.Connection != "":
		if target.Connection, target.Learned, err = d.connection(ctx, job.WorkspaceID, job.Connection, job.Type); err != nil {
			return "", err
		}
	}
	list := make([]deliver.Document, len(documents))
	for i, doc := range documents {
		list[i] = deliver.Document{Name: doc.Name, ContentType: doc.ContentType, Size: doc.Size, Open: doc.Open}
	}
	receipt, err := deliver.Deliver(ctx, env, target, list, job.Key)
	if err != nil {
		return "", forJobs(err)
	}
	text, err := json.Marshal(receipt)
	return jobs.Receipt(text), err
}

// connection is what the workspace keeps of a connection: a JSON object, sealed
// in the place of an address. What a target renews of it is kept in turn.
func (d deliverer) connection(ctx context.Context, workspace int, name, kind string) (map[string]any, func(string, report.Secret), error) {
	c, err := d.store.Connection(ctx, workspace, name)
	if err != nil {
		return nil, nil, err
	}
	if c.Type != kind {
		return nil, nil, report.Problemf("connection", "the connection %q is of type %s, and a connection of type %s is needed", name, c.Type, kind)
	}
	members := map[string]any{}
	if err := json.Unmarshal([]byte(c.Address.Reveal()), &members); err != nil {
		return nil, nil, report.Problemf("connection", "the connection %q does not hold a JSON object of settings", name)
	}
	var mu sync.Mutex
	learned := func(name string, value report.Secret) {
		mu.Lock()
		defer mu.Unlock()
		members[name] = value.Reveal()
		text, err := json.Marshal(members)
		if err == nil {
			changed := *c
			changed.Address = report.Secret(text)
			_ = d.store.PutConnection(context.WithoutCancel(ctx), workspace, changed) // the next delivery renews it again
		}
	}
	given := map[string]any{} // its own, as what is learned comes from several goroutines
	for name, value := range members {
		given[name] = value
	}
	return given, learned, nil
}

// Known implements jobs.Teller.
func (d deliverer) Known(ctx context.Context, workspace int, name string) error {
	_, _, err := d.connection(ctx, workspace, name, webhookType)
	var p *report.Problem
	if store.IsNotFound(err) || errors.As(err, &p) {
		return report.Problemf("webhook", "%v", err)
	}
	return err
}

// Tell implements jobs.Teller.
func (d deliverer) Tell(ctx context.Context, workspace int, name, key string, event []byte) error {
	members, _, err := d.connection(ctx, workspace, name, webhookType)
	if err != nil {
		return err
	}
	if err := deliver.Tell(ctx, d.env, members, key, event); err != nil {
		return forJobs(err)
	}
	return nil
}

// webhookType is the type of the connections that are told of events.
const webhookType = "webhook"

// forJobs says in the words of package jobs what became of a delivery.
func forJobs(err error) error {
	var fault *deliver.Error
	if !errors.As(err, &fault) {
		var wrong report.Problems
		if errors.As(err, &wrong) && len(wrong) > 0 {
			return wrong[0]
		}
		return err
	}
	away := store.Away(err)
	switch {
	case away != nil && !fault.Uncertain: // it is not of the destination
		return away
	case fault.Uncertain:
		return &jobs.Uncertain{Message: fault.Message}
	case fault.Permanent:
		return &report.Problem{Message: fault.Message}
	}
	return &jobs.Later{Message: cmp.Or(fault.Message, fmt.Sprint(err)), After: fault.RetryAfter}
}

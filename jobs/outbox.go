package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"

	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Outbox takes the documents of jobs to their destinations, and events to web
// services, with what the connections of the workspace keep sealed. It is a
// Deliverer and a Teller.
type Outbox struct {
	Store *store.Store
	Env   *deliver.Env
	// Installed are the installation's own connections, by the type of delivery
	// that uses them when it names none.
	Installed map[string]Installed
}

// Installed is a connection of the installation.
type Installed struct {
	Connection map[string]any
	Env        *deliver.Env // how it is reached
}

// Deliver implements Deliverer.
func (o *Outbox) Deliver(ctx context.Context, d Delivery, documents []report.Document) (Receipt, error) {
	kind, known := deliver.Find(d.Type)
	if !known {
		return "", report.Problemf("type", "there is no destination %q", d.Type)
	}
	settings, err := kind.Fill(d.Settings, d.Fill)
	if err != nil {
		return "", err
	}
	target := deliver.Target{
		Type: d.Type, Settings: settings, Interrupted: d.Interrupted,
		Origin: deliver.Origin{Job: d.Job, Run: d.Run, Entry: d.Entry},
	}
	env := o.Env
	if d.Connection != "" {
		if target.Connection, target.Learned, err = o.connection(ctx, d.WorkspaceID, d.Connection, d.Type); err != nil {
			return "", err
		}
	} else if own, installed := o.Installed[d.Type]; installed {
		target.Connection, env = own.Connection, own.Env
	} else if kind.NotInstalled != "" {
		return "", report.Problemf("connection", "is missing, and %s", kind.NotInstalled)
	}
	receipt, err := deliver.Deliver(ctx, env, target, documents, d.Key)
	if err != nil {
		return "", outcome(err)
	}
	text, err := json.Marshal(receipt)
	return Receipt(text), err
}

// connection is what the workspace keeps of a connection: a JSON object, sealed
// in the place of an address. What a target renews of it is kept in turn.
func (o *Outbox) connection(ctx context.Context, workspace int, name, kind string) (map[string]any, func(string, report.Secret), error) {
	c, err := o.Store.Connection(ctx, workspace, name)
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
	given := maps.Clone(members) // its own, as what is learned comes from several goroutines
	var mu sync.Mutex
	return given, func(name string, value report.Secret) {
		mu.Lock()
		defer mu.Unlock()
		members[name] = value.Reveal()
		text, err := json.Marshal(members)
		if err == nil {
			changed := *c
			changed.Address = report.Secret(text)
			_ = o.Store.PutConnection(context.WithoutCancel(ctx), workspace, changed) // the next delivery renews it again
		}
	}, nil
}

// Known implements Teller.
func (o *Outbox) Known(ctx context.Context, workspace int, name string) error {
	_, _, err := o.connection(ctx, workspace, name, deliver.EventType)
	var p *report.Problem
	if store.IsNotFound(err) || errors.As(err, &p) {
		return report.Problemf("webhook", "%v", err)
	}
	return err
}

// Tell implements Teller.
func (o *Outbox) Tell(ctx context.Context, workspace int, name, key string, event []byte) error {
	members, _, err := o.connection(ctx, workspace, name, deliver.EventType)
	if err != nil {
		return err
	}
	return outcome(deliver.Tell(ctx, o.Env, members, key, event))
}

// outcome says in the words of this package what became of a delivery; nil
// stays nil.
func outcome(err error) error {
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
		return &Uncertain{Message: fault.Message}
	case fault.Permanent:
		return &report.Problem{Message: fault.Message}
	}
	return &Later{Message: fault.Message, After: fault.RetryAfter}
}

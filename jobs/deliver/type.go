package deliver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/quire-reports/quire/report"
)

// Type is a kind of destination.
type Type struct {
	Name  string // as definitions say it
	Label string
	Help  string
	// NotInstalled says, where the installation may have a connection of its own
	// for all, that it has none and what to do.
	NotInstalled string
	// ToPerson tells that a test of a delivery can go to the person who tests.
	ToPerson bool

	connLabel  string // of its connections; empty means Label
	connection func() []report.Field
	settings   func() []report.Field
	checkConn  func(connection map[string]any, path string) report.Problems
	check      func(settings map[string]any, path string) report.Problems
	probe      func(ctx context.Context, env *Env, connection map[string]any, learned func(string, report.Secret)) (string, error)
	try        func(settings map[string]any, to, mark string)
	signIn     func(connection map[string]any) (signsIn, report.Problems)
	deliver    func(ctx context.Context, env *Env, target Target, docs []report.Document, key string) (Receipt, error)
}

// ConnectionFields describe how such a destination is reached: what a
// connection of the workspace keeps, sealed. Fields with the editor "secret"
// are never shown again; those with the tag leads say where they are sent, and
// as whom, so that all are entered again when one of those changes. Empty when
// there is nothing to reach.
func (t Type) ConnectionFields() []report.Field { return t.connection() }

// Fields describe what a delivery says besides. Those with the editor
// "template" or "html" are templates that are filled for each entry.
func (t Type) Fields() []report.Field { return t.settings() }

// CheckConnection finds what is wrong with a connection without using it.
func (t Type) CheckConnection(connection map[string]any, path string) report.Problems {
	return t.checkConn(revealed(connection), path)
}

// Check finds what is wrong with the settings of a delivery, whose templates
// need not be filled yet.
func (t Type) Check(settings map[string]any, path string) report.Problems {
	return t.check(revealed(settings), path)
}

// Try changes the settings of a delivery so that it is a test: it goes to a
// person where that is possible and one is given, and mark stands before what
// people see.
func (t Type) Try(settings map[string]any, to, mark string) {
	if t.try != nil {
		t.try(settings, to, mark)
	}
}

// Fill is a copy of settings in which render has filled the templates.
func (t Type) Fill(settings map[string]any, render func(f report.Field, template string) (string, error)) (map[string]any, error) {
	filled := make(map[string]any, len(settings))
	for name, v := range settings {
		filled[name] = v
	}
	for _, f := range t.Fields() {
		template, isText := filled[f.Name].(string)
		if !isText || f.Editor != "template" && f.Editor != "html" {
			continue
		}
		text, err := render(f, template)
		if err != nil {
			return nil, err
		}
		filled[f.Name] = text
	}
	return filled, nil
}

// maxDocuments bounds one delivery.
const maxDocuments = 10_000

// Deliver takes documents to a target. The key is the same in every attempt of
// one delivery and different in all others. Errors are *Error, or
// report.Problems for settings that are wrong, which is permanent.
//
// A receipt may come with an error: it then tells how far the delivery got.
func Deliver(ctx context.Context, env *Env, target Target, docs []report.Document, key string) (Receipt, error) {
	t, known := Find(target.Type)
	switch {
	case !known:
		return Receipt{}, permanent("there is no destination of type %q", target.Type)
	case key == "":
		return Receipt{}, permanent("the delivery has no key")
	case len(docs) == 0:
		return Receipt{}, permanent("there is no document to deliver")
	case len(docs) > maxDocuments:
		return Receipt{}, permanent("%d documents are too many for one delivery; at most %d", len(docs), maxDocuments)
	}
	return t.deliver(ctx, env, target, docs, key)
}

// delivery is what a destination sees of one.
type delivery struct {
	env         *Env
	key         string
	tag         string // short text of letters and digits, made of the key
	docs        []*document
	origin      Origin
	interrupted bool
	learned     func(name string, value report.Secret)
	scrub       *scrubber
}

// learn keeps a new secret of the connection.
func (d *delivery) learn(name, value string) {
	d.scrub.add(value)
	if d.learned != nil {
		d.learned(name, report.Secret(value))
	}
}

// connects gives a type's connections a label of their own.
func (t Type) connects(label string) Type {
	t.connLabel = label
	return t
}

// noConnection is the connection of a destination that needs none.
type noConnection struct{}

// define makes a type from the structs of its connection and its settings. They
// may have a method validate for what tags cannot say.
func define[C, S any](name, label, help string, deliver func(ctx context.Context, d *delivery, conn *C, set *S) (Receipt, error)) Type {
	return Type{
		Name: name, Label: label, Help: help,
		connection: report.Fields[C], settings: report.Fields[S],
		checkConn: checkAs[C], check: checkAs[S], signIn: signInOf[C],
		deliver: func(ctx context.Context, env *Env, target Target, docs []report.Document, key string) (Receipt, error) {
			conn, problems := decode[C](revealed(target.Connection), "connection")
			set, more := decode[S](revealed(target.Settings), "settings")
			if problems = append(problems, more...); len(problems) > 0 {
				return Receipt{}, problems
			}
			d := &delivery{env: env, key: key, tag: tagOf(key), docs: prepare(docs), origin: target.Origin, interrupted: target.Interrupted, learned: target.Learned, scrub: newScrubber(conn, set)}
			receipt, err := deliver(ctx, d, &conn, &set)
			receipt.At = report.Timestamp(env.now())
			clean := d.scrub
			if err != nil {
				e := *asError(ctx, err)
				e.Message = clean.clean(e.Message)
				return clean.receipt(receipt), &e
			}
			return clean.receipt(receipt), nil
		},
	}
}

func checkAs[T any](settings map[string]any, path string) report.Problems {
	_, problems := decode[T](settings, path)
	return problems
}

func decode[T any](settings map[string]any, path string) (T, report.Problems) {
	v, problems := report.DecodeProps[T](settings, path)
	if checked, ok := any(&v).(interface {
		validate(path string) report.Problems
	}); ok && len(problems) == 0 {
		problems = checked.validate(path)
	}
	return v, problems
}

func tagOf(key string) string {
	sum := sha256.Sum256([]byte("quire delivery " + key))
	return hex.EncodeToString(sum[:12])
}

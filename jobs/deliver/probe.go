package deliver

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"time"

	"github.com/quire-reports/quire/report"
)

// probeTime bounds a test of a connection: somebody waits for it.
const probeTime = 30 * time.Second

// CanProbe tells whether a connection of the type can be tested.
func (t Type) CanProbe() bool { return t.probe != nil }

// Probe reaches the target of a connection without delivering anything, and
// says what it found. Errors are those of Deliver.
func (t Type) Probe(ctx context.Context, env *Env, connection map[string]any, learned func(name string, value report.Secret)) (string, error) {
	if t.probe == nil {
		return "", permanent("a connection of this type cannot be tested")
	}
	ctx, stop := context.WithTimeout(ctx, probeTime)
	defer stop()
	return t.probe(ctx, env, connection, learned)
}

// probed gives a type a way to test its connections.
func probed[C any](t Type, probe func(ctx context.Context, d *delivery, conn *C) (string, error)) Type {
	t.probe = func(ctx context.Context, env *Env, connection map[string]any, learned func(string, report.Secret)) (string, error) {
		given := revealed(maps.Clone(connection))
		if p, ok := any(new(C)).(interface{ forProbe(given map[string]any) }); ok {
			p.forProbe(given)
		}
		conn, problems := decode[C](given, "")
		if len(problems) > 0 {
			return "", problems
		}
		key := "test " + rand.Text()
		d := &delivery{env: env, key: key, tag: tagOf(key), learned: learned, scrub: newScrubber(conn, struct{}{})}
		found, err := probe(ctx, d, &conn)
		if err != nil {
			e := *asError(ctx, err)
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				e.Message = "the target did not answer in time"
			}
			e.Message = d.scrub.clean(e.Message)
			return "", &e
		}
		return d.scrub.clean(found), nil
	}
	return t
}

package deliver

import (
	"cmp"
	"context"

	"github.com/quire-reports/quire/report"
)

// ConnectionTypes are the types of connections that lead to destinations. They
// are tested and signed in to from the environment; without one they are not.
func ConnectionTypes(env *Env) report.ConnectionTypes {
	var list report.ConnectionTypes
	for _, t := range Types() {
		if len(t.ConnectionFields()) > 0 {
			list = append(list, t.connectionType(env))
		}
	}
	return list
}

func (t Type) connectionType(env *Env) report.ConnectionType {
	c := report.ConnectionType{
		Name: t.Name, Label: cmp.Or(t.connLabel, t.Label), Category: report.DestinationConnection,
		Fields: t.ConnectionFields(), Check: t.CheckConnection,
	}
	if env != nil && t.CanProbe() {
		c.Probe = func(ctx context.Context, settings map[string]any, learned func(string, report.Secret)) (string, error) {
			return t.Probe(ctx, env, settings, learned)
		}
	}
	if env != nil && t.SignsIn() {
		c.SignIn = &report.SignIn{
			Address: t.SignInAddress,
			Token: func(ctx context.Context, settings map[string]any, code, redirect, verifier string) (report.Secret, error) {
				return SignIn(ctx, env, t, settings, code, redirect, verifier)
			},
		}
	}
	return c
}

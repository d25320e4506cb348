package access

import (
	"context"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Caller is who makes a request. In routes of a workspace it holds the role
// there.
type Caller struct {
	store.Access
	Way Way
}

type callerKey struct{}

// Of is the caller of a guarded request.
func Of(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

func withCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// forbidden is the refusal of something that no role allows.
func forbidden(message string) error {
	return &report.Problem{Kind: report.Forbidden, Message: message}
}

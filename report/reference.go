package report

import (
	"context"
	"crypto/rand"
	"strings"
)

type referenceKey struct{}

// WithReference names the work of a context, such as a request, for the log.
func WithReference(ctx context.Context, reference string) context.Context {
	return context.WithValue(ctx, referenceKey{}, reference)
}

// Reference is the name under which the log tells more of what went wrong: that
// of the work, or a new one.
func Reference(ctx context.Context) string {
	if reference, ok := ctx.Value(referenceKey{}).(string); ok {
		return reference
	}
	return strings.ToLower(rand.Text()[:10])
}

package answer

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// JSON answers with a value.
func JSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	writeJSON(w, value)
}

func writeJSON(w io.Writer, value any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // fails only when the client is gone
}

// UseProblems makes huma answer with our Problem. Its hooks are variables of its
// package, so they are set once in a process, before the first route.
var UseProblems = sync.OnceFunc(func() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return fromHuma(status, message, errs, "")
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		trace := TraceOf(ctx.Context())
		why := make([]error, len(errs))
		for i := range errs {
			why[i] = trace.forGuest(unlessStopped(ctx.Context(), errs[i]))
		}
		p := fromHuma(status, message, why, trace.ID)
		if len(errs) > 0 {
			trace.note(p, errs[0])
		}
		for name, values := range p.header {
			ctx.SetHeader(name, values[0])
		}
		return p
	}
})

package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"

	"github.com/quire-reports/quire/internal/tracing"
)

const (
	lastTraces  = 3 * time.Second // to send what is left when the process stops
	tracesFault = 5 * time.Minute // between two lines of the log that they cannot be sent
)

// startTracing makes what the process does traces, if a setting says where they
// go. stop sends what is left.
func startTracing(ctx context.Context, s *settings, part string, log *slog.Logger) (tracer *tracing.Tracer, stop func(), err error) {
	if s.TracingURL == "" {
		return nil, func() {}, nil
	}
	if tracer, err = tracing.New(ctx, s.TracingURL, s.TracingPercent, part, version); err != nil {
		return nil, nil, fmt.Errorf("setting Tracing.Url: %w", err)
	}
	var said atomic.Int64
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		if now, last := time.Now().UnixNano(), said.Load(); now-last > int64(tracesFault) && said.CompareAndSwap(last, now) {
			log.Warn("traces are lost, as they cannot be sent", "error", err)
		}
	}))
	return tracer, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTraces)
		defer cancel()
		_ = tracer.Stop(ctx) // told already
	}, nil
}

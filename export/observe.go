package export

import (
	"context"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/quire-reports/quire/internal/tracing"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

// Phase is a part of the way from a request to a file.
type Phase int

// The phases. Scripts run within Data and HTML.
const (
	Data     Phase = iota // definitions, parameters and data sources
	Script                // functions of authors, waiting for their turn included
	HTML                  // compiling the document
	Wait                  // for a tab
	Paginate              // laying the document out, fonts and pictures included
	Print                 // the browser's printing
	Finish                // finishing the file
	phases
)

// String is the name of a phase, as metrics and the log have it.
func (p Phase) String() string {
	return [phases]string{"data", "script", "html", "wait", "paginate", "print", "finish"}[p]
}

// Made is an export that has ended.
type Made struct {
	Workspace, UserID int
	Report, Format    string
	Pages             int // 0 where the format has none
	Bytes             int64
	Warnings          int
	Took              time.Duration
	Phases            [phases]time.Duration // by Phase; scripts that ran beside each other count each
	Err               error                 // why there is no file
}

// timing is what is kept of it.
func (m *Made) timing() report.Timing {
	t := report.Timing{Took: report.Milliseconds(m.Took), Pages: m.Pages}
	for phase, took := range m.Phases {
		if took > 0 {
			t.Phases = append(t.Phases, report.PhaseTime{Phase: Phase(phase).String(), MS: report.Milliseconds(took)})
		}
	}
	return t
}

// stopwatch sums up the phases of one export.
type stopwatch [phases]atomic.Int64

type stopwatchKey struct{}

// timed counts the time until done is called to a phase of the export in ctx, if
// there is one. What is done in the phase is done with the context that it gives.
func timed(ctx context.Context, phase Phase) (inside context.Context, done func()) {
	started := time.Now()
	inside, span := tracing.Span(ctx, phase.String())
	return inside, func() {
		span.End()
		addTime(ctx, phase, time.Since(started))
	}
}

// drew counts what the browser has just done to the phases of the export in ctx.
func drew(ctx context.Context, queue, paginate, print time.Duration) {
	at := time.Now().Add(-queue - paginate - print)
	for _, one := range []struct {
		phase Phase
		took  time.Duration
	}{{Wait, queue}, {Paginate, paginate}, {Print, print}} {
		addTime(ctx, one.phase, one.took)
		if one.took > 0 {
			tracing.Past(ctx, one.phase.String(), at, at.Add(one.took))
			at = at.Add(one.took)
		}
	}
}

func addTime(ctx context.Context, phase Phase, d time.Duration) {
	if watch, ok := ctx.Value(stopwatchKey{}).(*stopwatch); ok {
		watch[phase].Add(int64(d))
	}
}

// observed makes an export, tells the file how long it took, and the observer
// what became of it.
func (s *Service) observed(ctx context.Context, req *Request, make func(context.Context) (*File, error)) (*File, error) {
	watch, started := &stopwatch{}, time.Now()
	ctx, span := tracing.Span(ctx, "export", attribute.Int("quire.workspace", req.Workspace), attribute.String("quire.report", req.Report), attribute.String("quire.format", formatOf(req).name))
	file, err := make(context.WithValue(ctx, stopwatchKey{}, watch))
	made := Made{Workspace: req.Workspace, UserID: req.UserID, Report: req.Report, Format: formatOf(req).name, Took: time.Since(started), Err: err}
	for phase := range watch {
		made.Phases[phase] = time.Duration(watch[phase].Load())
	}
	if err == nil {
		made.Pages, made.Bytes, made.Warnings = file.Pages, file.Size, len(file.Warnings)
		file.Timing = made.timing()
		span.SetAttributes(attribute.Int("quire.pages", made.Pages), attribute.Int64("quire.bytes", made.Bytes), attribute.Int("quire.warnings", made.Warnings))
	}
	defer func() { tracing.End(span, err) }()
	if s.cfg.Observe != nil {
		s.cfg.Observe(ctx, made)
	}
	return file, err
}

// TimeScripts is an engine whose calls count to the exports that they are of.
func TimeScripts(engine scripting.Engine) scripting.Engine { return timedScripts{engine} }

type timedScripts struct{ scripting.Engine }

// Call implements scripting.Engine.
func (t timedScripts) Call(ctx context.Context, call *scripting.Call) (*scripting.Result, error) {
	started := time.Now() // no span: there may be one for each row
	defer func() { addTime(ctx, Script, time.Since(started)) }()
	return t.Engine.Call(ctx, call)
}

package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/store"
)

// setting is what the entries of a run share. It is not changed.
type setting struct {
	run    *store.Run
	number int // of the definition
	job    *report.Job
	params *report.Object
	data   *report.Object // nil where nothing reads it
}

// large tells whether a setting holds a data set, or a definition with one.
func (s *setting) large() bool { return s.data != nil || len(s.run.Document) > largeDefinition }

// scenes keeps the settings of the runs that were worked on last, so that the
// data of a run is read once and not for each entry.
type scenes struct {
	reading oneEach // by the run
	mu      sync.Mutex
	known   []*setting // used last in front
}

const (
	// mostScenes bounds the settings in memory, mostLarge those that hold data sets:
	// runs take turns, so that each of many is worked on again and again.
	mostScenes, mostLarge = 100, 3
	// largeDefinition is from how many bytes on a definition counts as one.
	largeDefinition = 1 << 18
)

func newScenes() *scenes { return &scenes{} }

func (c *scenes) get(runID, number int) *setting {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range c.known {
		if s.run.ID == runID && s.number == number {
			copy(c.known[1:i+1], c.known[:i])
			c.known[0] = s
			return s
		}
	}
	return nil
}

func (c *scenes) put(s *setting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, large := []*setting{s}, 0
	if s.large() {
		large++
	}
	for _, k := range c.known {
		if k.large() {
			large++
		}
		if len(known) < mostScenes && (!k.large() || large <= mostLarge) {
			known = append(known, k)
		}
	}
	c.known = known
}

// settingOf reads what an entry shares with those that are made with the same
// definition.
func (s *Service) settingOf(ctx context.Context, e *store.JobEntry) (*setting, error) {
	if known := s.scenes.get(e.RunID, e.Definition); known != nil {
		return known, nil
	}
	first, err := s.setting(ctx, e.RunID)
	if err != nil || e.Definition == 0 {
		return first, err
	}
	later := *first // of the same data
	later.number = e.Definition
	document, err := s.cfg.Store.RunDefinition(ctx, first.run, e.Definition)
	if err != nil {
		return nil, err
	}
	if later.job, err = readJob(document); err != nil {
		return nil, err
	}
	if later.data == nil {
		if later.data, err = s.dataFor(ctx, first.run, document); err != nil {
			return nil, err
		}
	}
	s.scenes.put(&later)
	return &later, nil
}

// setting reads what the entries of a run share, once for all that ask meanwhile.
func (s *Service) setting(ctx context.Context, runID int) (*setting, error) {
	if known := s.scenes.get(runID, 0); known != nil {
		return known, nil
	}
	done, err := s.scenes.reading.enter(ctx, runID)
	if err != nil {
		return nil, err
	}
	defer done()
	if known := s.scenes.get(runID, 0); known != nil {
		return known, nil
	}
	run, err := s.cfg.Store.Run(ctx, runID)
	if err != nil {
		return nil, err
	}
	shared := &setting{run: run}
	if shared.job, err = readJob(run.Document); err != nil {
		return nil, err
	}
	if shared.params, err = readObject(json.RawMessage(run.Params)); err != nil {
		return nil, err
	}
	if shared.data, err = s.dataFor(ctx, run, run.Document); err != nil {
		return nil, err
	}
	s.scenes.put(shared)
	return shared, nil
}

// dataFor is the data set of a run, when something of a definition can read it: its
// templates, or entries of dictionaries that these name.
func (s *Service) dataFor(ctx context.Context, run *store.Run, document string) (*report.Object, error) {
	if !strings.Contains(document, "$data") && !strings.Contains(document, "$dict") {
		return nil, nil
	}
	doc, err := s.cfg.Store.RunData(ctx, run)
	if err != nil {
		return nil, err
	}
	value, err := report.ReadValue(bytes.NewReader(doc))
	data, _ := value.(*report.Object)
	return data, err
}

// scene is where the templates and conditions of one entry are filled. A path
// that leads nowhere prints nothing, with a warning; whatever else a report
// would warn of is an error here.
type scene struct {
	env      *text.Env
	person   report.Person // as whom the job runs
	entry    string        // which one of which run, for the audit log
	warned   string
	lost     []string // paths that led nowhere since it was asked last
	warnings report.Problems
}

func (s *Service) scene(ctx context.Context, shared *setting, e *store.JobEntry) (*scene, error) {
	record, err := report.ParseValue([]byte(e.Record))
	if err != nil {
		return nil, err
	}
	run, entry := report.ObjectOf("number", shared.run.ID), report.ObjectOf("position", e.Position)
	sc, err := s.sceneOf(ctx, shared, func(root string) (any, bool) {
		switch root {
		case "$run":
			return run, true
		case "$entry":
			return entry, true
		}
		return record, root == "$record" || root != "" && root == shared.job.Repeat
	})
	if err == nil {
		sc.entry = fmt.Sprintf("run %d, entry %d", shared.run.ID, e.Position)
	}
	return sc, err
}

// person is as whom a job runs: nobody, unless it says so. Whether the account
// may see the reports of the workspace is asked each time, so that one that is
// blocked shows nothing more.
func (s *Service) person(ctx context.Context, workspace int, job *report.Job) (report.Person, error) {
	if job.RunAs == "" {
		return report.Person{}, nil
	}
	return s.cfg.Store.RunsAs(ctx, workspace, job.RunAs)
}

// sceneOf is a scene with values of its own beside those of the run.
func (s *Service) sceneOf(ctx context.Context, shared *setting, own text.ScopeFunc) (*scene, error) {
	person, err := s.person(ctx, shared.run.WorkspaceID, shared.job)
	if err != nil {
		return nil, err
	}
	env, err := s.cfg.Batch.Texts(ctx, export.TextRequest{
		Workspace: shared.run.WorkspaceID, Language: shared.job.Language, Timezone: shared.job.Timezone, Now: shared.run.Created,
		Lookup: func(root string) (any, bool) {
			switch root {
			case "$data":
				return shared.data, true
			case "$params":
				return shared.params, true
			case "$user":
				return person.Value(), true
			case "$job":
				return report.ObjectOf("code", shared.job.Code, "name", shared.job.Name), true
			case "$now": // the same in all that a run makes
				return shared.run.Created, true
			}
			return own(root)
		},
	})
	if err != nil {
		return nil, err
	}
	sc := &scene{env: env, person: person}
	env.Warn = func(message string) {
		if sc.warned == "" {
			sc.warned = message
		}
	}
	env.Lost = func(message string) { sc.lost = append(sc.lost, message) }
	return sc, nil
}

// fault is what went wrong since it was asked last. A path that led nowhere did
// not: it becomes a warning.
func (sc *scene) fault(path string) error {
	for _, message := range sc.lost {
		sc.warnings = append(sc.warnings, &report.Problem{Path: path, Message: message})
	}
	sc.lost = nil
	if sc.warned == "" {
		return nil
	}
	p := &report.Problem{Kind: report.Failed, Path: path, Message: sc.warned}
	sc.warned = ""
	return p
}

// exact is fault where nothing must stand in for a value: there a path that leads
// nowhere is an error, too.
func (sc *scene) exact(path string) error {
	if len(sc.lost) > 0 && sc.warned == "" {
		sc.warned = sc.lost[0]
	}
	sc.lost = nil
	return sc.fault(path)
}

// text fills a template.
func (sc *scene) text(path, template string) (string, error) {
	return sc.fill(path, template, sc.fault)
}

func (sc *scene) fill(path, template string, fault func(path string) error) (string, error) {
	t := text.Parse(template)
	if len(t.Problems) > 0 {
		return "", &report.Problem{Kind: report.Failed, Path: path, Message: t.Problems[0].Message}
	}
	filled := t.Text(sc.env)
	return filled, fault(path)
}

// setting fills a template of a destination.
func (sc *scene) setting(path string, f report.Field, template string) (string, error) {
	if deliver.IsFolder(f) {
		return sc.folder(path, template)
	}
	return sc.text(path, template)
}

// value fills the templates in a value. A text that is one placeholder becomes
// the value itself, such as a record.
func (sc *scene) value(path string, v any, fault func(path string) error) (any, error) {
	switch v := v.(type) {
	case string:
		filled := text.Parse(v).Value(sc.env)
		return filled, fault(path)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err error
			if list[i], err = sc.value(fmt.Sprintf("%s[%d]", path, i), v[i], fault); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		return sc.values(path, v, fault)
	case *report.Object:
		filled := report.ObjectOf()
		for name, member := range v.All() {
			value, err := sc.value(report.JoinPath(path, name), member, fault)
			if err != nil {
				return nil, err
			}
			filled.Set(name, value)
		}
		return filled, nil
	}
	return v, nil
}

// values fills the templates of named values; nil when there are none.
func (sc *scene) values(path string, given map[string]any, fault func(path string) error) (*report.Object, error) {
	if len(given) == 0 {
		return nil, nil
	}
	filled := report.ObjectOf()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value, err := sc.value(report.JoinPath(path, name), given[name], fault)
		if err != nil {
			return nil, err
		}
		filled.Set(name, value)
	}
	return filled, nil
}

// holds tells whether a condition is true; none is.
func (sc *scene) holds(path, condition string) (bool, error) {
	if strings.TrimSpace(condition) == "" {
		return true, nil
	}
	v, err := text.ParseExpression(condition).Eval(sc.env)
	if err != nil {
		return false, &report.Problem{Kind: report.Failed, Path: path, Message: err.Error()}
	}
	return text.Truthy(v), sc.exact(path)
}

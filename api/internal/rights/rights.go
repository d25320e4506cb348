// Package rights judges definitions by what they name: nobody reaches through a
// report or a job what their role keeps from them. What a definition named
// before counts as attached by somebody who might, so that others can go on
// editing the rest of it.
package rights

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Store finds what definitions name. *store.Store is one.
type Store interface {
	ReportByIDOrType(ctx context.Context, workspaceID int, ref string) (*store.ReportDefinition, error)
	ReportByCode(ctx context.Context, workspaceID int, code string) (*store.ReportDefinition, error)
	Library(ctx context.Context, workspaceID int) (*store.Library, error)
}

// Judge checks definitions against the role of the user who saves or runs them.
// They are those of package report, by pointer.
type Judge struct{ Store Store }

// New refuses what a definition names that those in known do not name, if the
// caller could not reach it alone: Problems of kind Forbidden, each with the
// place in the definition and the level that is needed.
func (j Judge) New(ctx context.Context, who *store.Access, definition any, known ...any) error {
	if job, ok := definition.(*report.Job); ok {
		if err := runAs(who, job); err != nil {
			return err
		}
	}
	if reachesAll(who.Role) {
		return nil
	}
	attached := map[export.Named]bool{}
	for _, d := range known {
		for _, n := range export.Names(d) {
			attached[export.Named{Kind: n.Kind, Use: n.Use}] = true
		}
	}
	var problems report.Problems
	for _, n := range export.Names(definition) {
		if attached[export.Named{Kind: n.Kind, Use: n.Use}] {
			continue
		}
		refused, err := j.name(ctx, who, definition, n)
		if err != nil {
			return err
		}
		if refused != nil {
			problems = append(problems, refused)
		}
	}
	globals, err := j.globals(ctx, who, definition, known)
	if err != nil {
		return err
	}
	return append(problems, globals...).Err()
}

// runAs refuses a job that runs as somebody else, also one that did before: who
// changes what it reads or where it delivers would see what they may see.
func runAs(who *store.Access, job *report.Job) error {
	if job.RunAs == "" || strings.EqualFold(strings.TrimSpace(job.RunAs), who.User.Email) || who.Role.Allows(store.Configuration, store.Full) {
		return nil
	}
	return report.Problems{{Kind: report.Forbidden, Path: "runAs", Message: fmt.Sprintf("the job runs as %s: only that account, and everybody with Full on configuration, may change it; your role %s has %s",
		job.RunAs, who.Role.Name, who.Role.Levels[store.Configuration].Label())}}
}

// Start refuses to start a job by hand, or to schedule it, for users who may
// not run one of its reports. Where it reads its rows and where it delivers was
// checked when these were attached.
func (j Judge) Start(ctx context.Context, who *store.Access, job *report.Job) error {
	var problems report.Problems
	for _, n := range export.Names(job) {
		if n.Kind != export.NamedReport {
			continue
		}
		refused, err := j.name(ctx, who, job, n)
		if err != nil {
			return err
		}
		if refused != nil {
			problems = append(problems, refused)
		}
	}
	return problems.Err()
}

// Job is New for a job that is saved in the place of another. Who lets it run
// by itself, or changes when it does, starts it.
func (j Judge) Job(ctx context.Context, who *store.Access, job, old *report.Job) error {
	if err := j.New(ctx, who, job, old); err != nil {
		return err
	}
	if job.Active && job.Schedule != nil && !(old.Active && sameSchedule(old.Schedule, job.Schedule)) {
		return j.Start(ctx, who, job)
	}
	return nil
}

func sameSchedule(a, b *report.JobSchedule) bool {
	x, errX := report.MarshalDefinition(a)
	y, errY := report.MarshalDefinition(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// reachesAll tells that nothing a definition can name is kept from a role.
func reachesAll(r *store.Role) bool {
	for _, c := range needs() {
		if !r.Allows(c, store.Read) {
			return false
		}
	}
	return r.Allows(store.Reports, store.Full)
}

// needs are the categories of which a definition needs Read to name something.
func needs() map[export.NamedKind]store.Category {
	return map[export.NamedKind]store.Category{
		export.NamedConnection: store.DataSources,
		export.NamedSource:     store.DataSources,
		export.NamedParameter:  store.Configuration,
		export.NamedFile:       store.Files,
		export.NamedTemplate:   store.Templates,
		export.NamedTheme:      store.Themes,
	}
}

// name is why the caller may not name something, or nil.
func (j Judge) name(ctx context.Context, who *store.Access, definition any, n export.Named) (*report.Problem, error) {
	if n.Kind == export.NamedReport {
		return j.report(ctx, who, definition, n)
	}
	category := needs()[n.Kind]
	if who.Role.Allows(category, store.Read) {
		return nil, nil
	}
	what := fmt.Sprintf("the %s %q", n.Kind, n.Name)
	if n.Name == "" {
		what = "a managed file whose name comes of data or of a script"
	}
	return refusal(who, n.Path, what, category), nil
}

func refusal(who *store.Access, path, what string, c store.Category) *report.Problem {
	return &report.Problem{Kind: report.Forbidden, Path: path, Message: fmt.Sprintf("%s needs a role with %s on %s; your role %s has %s",
		what, store.Read.Label(), c.Label(), who.Role.Name, who.Role.Levels[c].Label())}
}

// report judges a report inside another, which is named by its code, or of a
// job, which names an ID or a type. That there is none is said elsewhere.
func (j Judge) report(ctx context.Context, who *store.Access, definition any, n export.Named) (*report.Problem, error) {
	find := j.Store.ReportByCode
	if _, isJob := definition.(*report.Job); isJob {
		find = j.Store.ReportByIDOrType
	}
	found, err := find(ctx, who.Workspace.ID, n.Name)
	if store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if who.RequireRun(&found.Row) == nil {
		return nil, nil
	}
	if found.Row.Access != nil {
		return &report.Problem{Kind: report.Forbidden, Path: n.Path, Message: fmt.Sprintf("the access rules of the report %q do not let you run it", n.Name)}, nil
	}
	return refusal(who, n.Path, fmt.Sprintf("the report %q", n.Name), store.Reports), nil
}

// globals refuses to read global data sources, which nothing names but the text
// that reads them.
func (j Judge) globals(ctx context.Context, who *store.Access, definition any, known []any) (report.Problems, error) {
	if who.Role.Allows(store.DataSources, store.Read) {
		return nil, nil
	}
	library, err := j.Store.Library(ctx, who.Workspace.ID)
	if err != nil {
		return nil, err
	}
	var problems report.Problems
	for _, e := range library.DataSources {
		name := e.Definition.Name
		if e.Definition.Scope != report.ScopeGlobal || readsGlobal(known, name) {
			continue
		}
		if at := globalAt(definition, name); at != "" {
			problems = append(problems, refusal(who, at, fmt.Sprintf("the global data source %q", name), store.DataSources))
		}
	}
	return problems, nil
}

func readsGlobal(known []any, name string) bool {
	for _, d := range known {
		if globalAt(d, name) != "" {
			return true
		}
	}
	return false
}

// globalAt is where a definition reads a global data source; not where it has
// one of that name itself.
func globalAt(definition any, name string) string {
	var own []report.SourceUse
	switch d := definition.(type) {
	case *report.Report:
		own = d.DataSources
		if d.Include != nil {
			for _, s := range d.Include.DataSources {
				if s.Name == name && s.Scope == report.ScopeGlobal {
					return ""
				}
			}
		}
	case *report.Job:
		own = d.DataSources
	default:
		return ""
	}
	for _, s := range own {
		if cmp.Or(s.Name, s.Reuse) == name {
			return ""
		}
	}
	return export.ReadsAt(definition, name)
}

package store

import (
	"strings"

	"github.com/quire-reports/quire/report"
)

// TokenScopes are what an access token is good for; without any it is good for
// everything that its owner may.
type TokenScopes uint8

// The scopes.
const (
	ScopeRead   TokenScopes = 1 << iota // sees everything, changes and makes nothing
	ScopeExport                         // makes, watches and fetches files of reports
	ScopeJobs                           // starts and watches runs of jobs
)

// ScopeText is a scope in words.
type ScopeText struct {
	Scope TokenScopes
	Name  string // in settings, commands and refusals
	Label string // what it lets a program do
}

// AllScopes lists the scopes in the order people see them.
func AllScopes() []ScopeText {
	return []ScopeText{
		{ScopeRead, "read", "See reports, jobs, runs and files that were made"},
		{ScopeExport, "export", "Make and fetch files of reports"},
		{ScopeJobs, "jobs", "Start runs of jobs and watch them"},
	}
}

// Has tells whether one of the others is among these.
func (s TokenScopes) Has(one TokenScopes) bool { return s&one != 0 }

// Names are the names of the scopes.
func (s TokenScopes) Names() []string {
	names := []string{}
	for _, known := range AllScopes() {
		if s.Has(known.Scope) {
			names = append(names, known.Name)
		}
	}
	return names
}

// String lists the names, with commas between them.
func (s TokenScopes) String() string { return strings.Join(s.Names(), ",") }

// ReadScopes reads names of scopes.
func ReadScopes(names []string) (TokenScopes, error) {
	var scopes TokenScopes
next:
	for _, name := range names {
		for _, known := range AllScopes() {
			if name == known.Name {
				scopes |= known.Scope
				continue next
			}
		}
		return 0, report.Problemf("scopes", "unknown scope %q; accepted: read, export, jobs", name)
	}
	return scopes, nil
}

// Reach is what credentials open of what their user may. It only ever takes
// away; the zero Reach takes nothing.
type Reach struct {
	WorkspaceID int // the only workspace there is for them; 0: all
	Scopes      TokenScopes
}

// Limited tells whether something is taken away.
func (r Reach) Limited() bool { return r != Reach{} }

// reachRow is how a row of tokens has it; a grant without a token has neither.
type reachRow struct {
	WorkspaceID *int    `db:"reach_workspace"`
	Scopes      *string `db:"reach_scopes"`
}

const reachColumns = "t.workspace_id AS reach_workspace, t.scopes AS reach_scopes"

func (r reachRow) reach() (reach Reach, err error) {
	if r.WorkspaceID != nil {
		reach.WorkspaceID = *r.WorkspaceID
	}
	if r.Scopes != nil && *r.Scopes != "" {
		reach.Scopes, err = ReadScopes(strings.Split(*r.Scopes, ","))
	}
	return reach, err
}

package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/quire-reports/quire/report"
)

// Category is a part of a workspace that a role gives a level for.
type Category string

// The categories, in the order people see them.
const (
	Reports       Category = "reports"
	Templates     Category = "templates"
	Themes        Category = "themes"
	Dictionaries  Category = "dictionaries"
	DataSources   Category = "dataSources"
	Files         Category = "files"
	Jobs          Category = "jobs"
	Configuration Category = "configuration"
)

// Categories lists them in the order people see them.
func Categories() []Category {
	return []Category{Reports, Templates, Themes, Dictionaries, DataSources, Files, Jobs, Configuration}
}

// Label is the category in a sentence.
func (c Category) Label() string {
	switch c {
	case DataSources:
		return "data sources"
	case Files:
		return "managed files"
	}
	return string(c)
}

// Levels lists the levels that can be given for a category, lowest first.
func (c Category) Levels() []Level {
	if c == Reports {
		return []Level{None, Read, Write, Full}
	}
	return []Level{None, Read, Full}
}

// Level is how much a role may do; each includes the ones before it.
type Level int

// The levels.
const (
	None  Level = iota // of reports: sees only those made by the user
	Read               // see and export
	Write              // change
	Full               // delete too
)

func levelNames() []string { return []string{"none", "read", "write", "full"} }

// String is the level's name in JSON.
func (l Level) String() string {
	if l < None || l > Full {
		return fmt.Sprintf("level %d", int(l))
	}
	return levelNames()[l]
}

// Label is the level's name on the screen.
func (l Level) Label() string {
	return [...]string{"No access", "Read", "Write", "Full"}[min(max(l, None), Full)]
}

// MarshalText writes the name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads a name.
func (l *Level) UnmarshalText(text []byte) error {
	i := slices.Index(levelNames(), string(text))
	if i < 0 {
		return report.Problemf("", "unknown level %q; accepted: none, read, write, full", text)
	}
	*l = Level(i)
	return nil
}

// Role is what a member of a workspace may do there.
type Role struct {
	ID          int
	Name        string
	Description string
	BuiltIn     bool // Administrator: cannot be changed or removed
	Levels      map[Category]Level
}

// Allows tells whether the role has at least a level. A category it does not
// name has none; Write counts as Full where only Full exists.
func (r *Role) Allows(c Category, l Level) bool { return r.Levels[c] >= lowestGranting(c, l) }

func lowestGranting(c Category, l Level) Level {
	if l == Write && c != Reports {
		return Full
	}
	return l
}

// Require is Allows as an error that names the level that is needed.
func (r *Role) Require(c Category, l Level) error {
	if r.Allows(c, l) {
		return nil
	}
	return &report.Problem{Kind: report.Forbidden, Message: fmt.Sprintf(
		"this needs a role with %s on %s; your role %s has %s",
		lowestGranting(c, l).Label(), c.Label(), r.Name, r.Levels[c].Label())}
}

// Access is a user inside a workspace.
type Access struct {
	User      *User
	Workspace *Workspace
	Role      *Role
}

// Require refuses what the role does not allow.
func (a *Access) Require(c Category, l Level) error { return a.Role.Require(c, l) }

// RequireReport is Require for one report: who made it may do everything with
// it, and for others without Read it does not exist.
func (a *Access) RequireReport(r *ReportRow, l Level) error {
	if r.OwnerID != 0 && r.OwnerID == a.User.ID {
		return nil
	}
	if !a.Role.Allows(Reports, Read) {
		return report.NotFoundf("report %d does not exist", r.ID)
	}
	return a.Role.Require(Reports, l)
}

// OwnReportsOnly is the user's ID when the role lets them see only the reports
// they made, else 0; it goes into ReportQuery.Owner.
func (a *Access) OwnReportsOnly() int {
	if a.Role.Allows(Reports, Read) {
		return 0
	}
	return a.User.ID
}

// administrator is the built-in role; root users have it everywhere.
func administrator() Role {
	levels := map[Category]Level{}
	for _, c := range Categories() {
		levels[c] = Full
	}
	return Role{Name: "Administrator", Description: "May do everything in the workspace.", BuiltIn: true, Levels: levels}
}

// startingRoles are the roles of a new workspace.
func startingRoles() []Role {
	readers := map[Category]Level{Reports: Read, Templates: Read, Themes: Read, Files: Read}
	authors := map[Category]Level{
		Reports: Write, Templates: Full, Themes: Full, Dictionaries: Full, DataSources: Full, Files: Full, Configuration: Read,
	}
	operators := maps.Clone(readers)
	operators[Jobs] = Full
	return []Role{
		administrator(),
		{Name: "Viewer", Description: "Sees and exports reports.", Levels: readers},
		{Name: "Author", Description: "Makes reports and what they use.", Levels: authors},
		{Name: "Operator", Description: "Runs jobs.", Levels: operators},
	}
}

// marshalLevels checks the levels of a role and writes them as JSON.
func marshalLevels(levels map[Category]Level) (string, error) {
	for c, l := range levels {
		if !slices.Contains(Categories(), c) {
			return "", report.Problemf("levels."+string(c), "unknown category; accepted: %v", Categories())
		}
		if !slices.Contains(c.Levels(), l) {
			return "", report.Problemf("levels."+string(c), "level %q is not offered here; accepted: %v", l, c.Levels())
		}
	}
	text, err := json.Marshal(levels)
	return string(text), err
}

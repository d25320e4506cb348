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
	NeedsFactor bool // members who hold it and sign in with a password need a second factor

	Parts []int // the IDs of the roles of which it is made, when somebody holds several
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
	Groups    []int // by which the user holds a role there
}

// Require refuses what the role does not allow.
func (a *Access) Require(c Category, l Level) error { return a.Role.Require(c, l) }

// RequireExport is Require for an export file: who asked for it may do
// everything with it. Of those of others it takes Full on reports to see and
// remove them; of those that come from jobs, Read on jobs to see and Full to
// remove them. For whom it is not to be seen it does not exist.
func (a *Access) RequireExport(f *ExportFile, l Level) error {
	if f.UserID != 0 && f.UserID == a.User.ID {
		return nil
	}
	if !slices.Contains(a.ExportsOfOthers(), f.Category) {
		return report.NotFoundf("export %d does not exist or has expired", f.ID)
	}
	return a.Role.Require(f.Category, l)
}

// ExportsOfOthers are where those export files of others come from that the
// user may see.
func (a *Access) ExportsOfOthers() []Category {
	var seen []Category
	if a.Role.Allows(Reports, Full) {
		seen = append(seen, Reports)
	}
	if a.Role.Allows(Jobs, Read) {
		seen = append(seen, Jobs)
	}
	return seen
}

// OwnReportsOnly tells that the role lets the user see only the reports that
// they made, or that are shared with them.
func (a *Access) OwnReportsOnly() bool { return !a.Role.Allows(Reports, Read) }

// administrator is the built-in role; root users have it everywhere.
func administrator() Role {
	levels := map[Category]Level{}
	for _, c := range Categories() {
		levels[c] = Full
	}
	return Role{Name: "Administrator", Description: "May do everything in the workspace.", BuiltIn: true, Levels: levels}
}

// StartingRoles are the roles of a new workspace.
func StartingRoles() []Role {
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

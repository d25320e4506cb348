package report

// Scopes of data sources and parameters.
const (
	ScopeReport   = "report"   // belongs to one report
	ScopeReusable = "reusable" // can be attached to several reports
	ScopeGlobal   = "global"   // available to all reports of the workspace
)

// DataSource defines where rows come from. Type names an entry of package
// data's registry; Settings are that type's settings.
type DataSource struct {
	Name        string         `json:"name" help:"Unique name; $data.<name> in templates."`
	DisplayName string         `json:"displayName,omitempty"`
	Description string         `json:"description,omitempty"`
	Type        string         `json:"type" help:"json, csv, javascript, sql, api, mongodb or transformation."`
	Scope       string         `json:"scope,omitempty" enum:"report,reusable,global" default:"report"`
	Settings    map[string]any `json:"settings,omitempty" help:"Settings of the data source type."`
}

// SourceUse is a data source as one report uses it: defined in place, or a
// reusable one named by Reuse. Dependencies belong to the use.
type SourceUse struct {
	DataSource
	Reuse        string   `json:"reuse,omitempty" editor:"ref:dataSources" help:"Name of the reusable data source; type and settings then come from it."`
	Dependencies []string `json:"dependencies,omitempty" help:"Parameters ($params.x) and data sources ($data.y) that this one reads."`
}

// Parameter types.
const (
	ParameterText       = "text"
	ParameterNumber     = "number"
	ParameterDate       = "date"
	ParameterMonthRange = "month-range"
	ParameterLookup     = "lookup"
	ParameterSwitch     = "switch"
)

// Parameter is a value that a report asks for.
type Parameter struct {
	Name     string       `json:"name" help:"Identifier; $params.<name> in templates."`
	Label    string       `json:"label,omitempty" help:"Caption of the form field. Default: the name."`
	Type     string       `json:"type,omitempty" enum:"text,number,date,month-range,lookup,switch" default:"text"`
	Required bool         `json:"required,omitempty" help:"Whether the report cannot be shown without a value."`
	Default  any          `json:"default,omitempty" help:"Value when none is given."`
	Group    string       `json:"group,omitempty" help:"Section of the form."`
	Display  bool         `json:"display,omitempty" help:"Whether the value is printed at the top of the report."`
	Scope    string       `json:"scope,omitempty" enum:"report,reusable,global" default:"report"`
	Lookup   []LookupItem `json:"lookup,omitempty" help:"Fixed list of values of a lookup."`
	Multiple bool         `json:"multiple,omitempty" help:"Whether a lookup takes several values."`

	LookupSource *LookupSource `json:"lookupSource,omitempty" help:"Where a lookup's values come from when they are no fixed list, such as a database or an API."`
}

// LookupSource gives a lookup the rows that it offers: a data source defined in
// place, or a reusable one. It sees the parameters given so far.
type LookupSource struct {
	Reuse        string         `json:"reuse,omitempty" help:"Name of a reusable data source; type and settings then come from it."`
	Type         string         `json:"type,omitempty" help:"json, csv, javascript, sql, api or mongodb."`
	Settings     map[string]any `json:"settings,omitempty" help:"Settings of the data source type."`
	ValueField   string         `json:"valueField,omitempty" help:"Field of a row that is the value. Default: the first."`
	LabelField   string         `json:"labelField,omitempty" help:"Field of a row that people read. Default: the one after the value's, or the value."`
	Dependencies []string       `json:"dependencies,omitempty" help:"Parameters ($params.x) that must have a value first; when one changes, the values are asked for again."`
}

// LookupItem is one value offered by a lookup parameter.
type LookupItem struct {
	Value any    `json:"value"`
	Label string `json:"label,omitempty"`
}

// ParameterUse is a parameter as one report uses it.
type ParameterUse struct {
	Parameter
	Reuse string `json:"reuse,omitempty" editor:"ref:parameters" help:"Name of the reusable parameter; everything else then comes from it."`
}

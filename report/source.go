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
	Name        string         `json:"name" help:"Unique name; $data.<name> in templates." ask:"What is printed reads its data by this name, such as {$data.orders}."`
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
	Name     string       `json:"name" help:"Identifier; $params.<name> in templates." ask:"What is printed reads the value by it, such as {$params.month}; letters, digits and _."`
	Label    string       `json:"label,omitempty" help:"Caption of the form field. Default: the name." ask:"What people are asked. Left empty, the name."`
	Type     string       `json:"type,omitempty" enum:"text,number,date,month-range,lookup,switch" default:"text"`
	Required bool         `json:"required,omitempty" help:"Whether the report cannot be shown without a value." ask:"The report is not shown without a value."`
	Default  any          `json:"default,omitempty" help:"Value when none is given." ask:"The value until another is chosen."`
	Group    string       `json:"group,omitempty" help:"Section of the form." ask:"The heading under which it is asked."`
	Display  bool         `json:"display,omitempty" label:"Print at the top" help:"Whether the value is printed at the top of the report." ask:"The value is printed at the top of the report."`
	Scope    string       `json:"scope,omitempty" enum:"report,reusable,global" default:"report"`
	Lookup   []LookupItem `json:"lookup,omitempty" label:"Choices" help:"Fixed list of values of a lookup." ask:"What there is to choose from." one:"Choice"`
	Multiple bool         `json:"multiple,omitempty" label:"Several at once" help:"Whether a lookup takes several values." ask:"Several values can be chosen."`

	LookupSource *LookupSource `json:"lookupSource,omitempty" label:"Choices from data" help:"Where a lookup's values come from when they are no fixed list, such as a database or an API." ask:"Where the choices come from when they are not listed here, such as a database."`
}

// LookupSource gives a lookup the rows that it offers: a data source defined in
// place, or a reusable one. It sees the parameters given so far.
type LookupSource struct {
	Reuse        string         `json:"reuse,omitempty" label:"From the library" help:"Name of a reusable data source; type and settings then come from it." ask:"A data source of the library that has the choices."`
	Type         string         `json:"type,omitempty" label:"Kind of data source" help:"json, csv, javascript, sql, api or mongodb." ask:"Such as json, csv, sql or api."`
	Settings     map[string]any `json:"settings,omitempty" help:"Settings of the data source type." ask:"What a data source of that kind needs."`
	ValueField   string         `json:"valueField,omitempty" label:"Field of the value" help:"Field of a row that is the value. Default: the first." ask:"Left empty, the first of a row."`
	LabelField   string         `json:"labelField,omitempty" label:"Field that people read" help:"Field of a row that people read. Default: the one after the value's, or the value." ask:"Left empty, the one behind the value."`
	Dependencies []string       `json:"dependencies,omitempty" label:"Asked before" help:"Parameters ($params.x) that must have a value first; when one changes, the values are asked for again." ask:"Parameters that need a value first, such as $params.country. When one changes, the choices are read again." one:"Parameter"`
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

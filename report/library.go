package report

// Definition is a report and the library of its workspace. Neither is changed.
type Definition struct {
	Report     *Report
	Library    Library
	Unfinished bool // it was saved with something to be mended, and does not print before
}

// Library is what all reports of a workspace can use. Template and Theme find
// one by ID or code; the empty reference means the first, or nil when there is
// none.
type Library struct {
	Template     func(ref string) (*Template, error)
	Theme        func(ref string) (*Theme, error)
	Languages    []Language
	Dictionaries []Dictionary
	Parameters   []Parameter
	DataSources  []DataSource
}

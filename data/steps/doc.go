// Package steps turns rows into rows: grouping and aggregates now, the steps of
// data transformations later. Rows and values come in and go out as package
// report has them; how a field is found in a row is the caller's function.
// Nothing here does I/O or knows a report.
package steps

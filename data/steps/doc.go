// Package steps turns rows into rows: the steps of data transformations, grouping
// and aggregates. Rows and values come in and go out as package report has them;
// how a field is found in a row is the caller's function. Nothing here does I/O
// or knows a report.
package steps

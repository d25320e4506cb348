// Package report is the vocabulary of Quire: what a workspace, a report, a page,
// an element, a template, a theme, a data source and a parameter are, how they
// are written as JSON, and what is wrong with one that is not right.
//
// It does no I/O and runs nothing. Text templates and formats are in
// report/text; the settings of each element type are declared by htmlgen and
// read with the decoder of this package.
package report

// Package data loads what a report shows: it runs the data sources of a report
// in the order of their dependencies and gives back one set of values by name.
// A type of data source is one file, its settings as a struct; the list of
// types is in types.go. Parameters are bound here too, since their defaults
// may be expressions.
//
// Definitions arrive resolved (a reusable source has its type and settings in
// place), connections through a small interface, outgoing requests leave
// through egress, scripts run in scripting. What is loaded is shared between
// runs and must not be changed by those who read it.
package data

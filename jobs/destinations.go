package jobs

import (
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
)

// Destination is a kind of destination as people choose it.
type Destination struct {
	Name, Label, Help string
	Connects          bool // whether it is reached through a connection of the workspace
	Fields            []report.Field
}

// Destinations are all kinds, in the order people see them.
func Destinations() []Destination {
	var list []Destination
	for _, t := range deliver.Types() {
		list = append(list, Destination{t.Name, t.Label, t.Help, len(t.ConnectionFields()) > 0, t.Fields()})
	}
	return list
}

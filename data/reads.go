package data

import (
	"slices"

	"github.com/quire-reports/quire/report"
)

// Reads names the sources whose values a source's text reads by $data, each
// once, declared or not.
func Reads(source report.DataSource) []string {
	var list []string
	eachText(source.Settings, func(s string) {
		for _, m := range dataRead.FindAllStringSubmatch(s, -1) {
			if !slices.Contains(list, m[1]) {
				list = append(list, m[1])
			}
		}
	})
	return list
}

// Declared names the sources among the dependencies of a source.
func Declared(use report.SourceUse) []string {
	var list []string
	for _, d := range use.Dependencies {
		if name, isData := dependency(d); isData {
			list = append(list, name)
		}
	}
	return list
}

package data

import (
	"regexp"
	"slices"

	"github.com/quire-reports/quire/report"
)

// Reads names the sources whose values a source's text reads by $data, each
// once, declared or not.
func Reads(source report.DataSource) []string { return names(source.Settings, dataRead) }

// ParamReads names the parameters that a source's text reads by $params.
func ParamReads(source report.DataSource) []string { return names(source.Settings, paramRead) }

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

func names(settings map[string]any, read *regexp.Regexp) []string {
	var list []string
	eachText(settings, func(s string) {
		for _, m := range read.FindAllStringSubmatch(s, -1) {
			if !slices.Contains(list, m[1]) {
				list = append(list, m[1])
			}
		}
	})
	return list
}

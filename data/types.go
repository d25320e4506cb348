package data

import "github.com/quire-reports/quire/report"

// Types are the types of data sources, in the order people see them.
func Types() []Type {
	return []Type{
		sqlSource,
		apiSource,
		jsonSource,
		csvSource,
		javascriptSource,
		mongoSource,
		transformationSource,
	}
}

// sqlDialects are the databases that SQL sources read, in the order people see
// them.
func sqlDialects() []*dialect {
	return []*dialect{
		postgres,
		mySQL,
		sqlServer,
		sqlite,
	}
}

// ConnectionTypes are the types of connections that sources use.
func ConnectionTypes() report.ConnectionTypes {
	var list report.ConnectionTypes
	for _, t := range Types() {
		list = append(list, t.connections...)
	}
	return list
}

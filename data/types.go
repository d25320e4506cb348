package data

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

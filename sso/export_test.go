package sso

// What only tests reach.
var (
	UserFilterFor  = userFilter
	GroupFilterFor = groupFilter
)

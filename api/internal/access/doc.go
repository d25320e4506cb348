// Package access decides who is calling and whether they may. Every route
// declares a Need; Guard holds it against the caller's token, session, preview
// cookie or nonce and the role in the workspace that the address names. Nothing
// else in the HTTP rooms looks at credentials.
package access

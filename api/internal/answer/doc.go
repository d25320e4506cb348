// Package answer writes what the HTTP rooms send back: problem details for
// every error, files as downloads, and the trace of a request that the log
// line is made of. It decides statuses and headers, never what is allowed.
package answer

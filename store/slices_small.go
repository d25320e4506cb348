//go:build smallslices

package store

// So few that a test of the whole program has many slices.
const (
	queuedWhole = 10
	mostSlice   = 8
)

//go:build !smallslices

package store

const (
	// queuedWhole is up to how many entries all of a run are queued as they are written:
	// a process of the version before can go on with them. Of a larger one a slice
	// waits in the queue, which is filled again when less than half of it is left.
	queuedWhole = 5000
	// mostSlice is how many entries a slice has at most.
	mostSlice = 500
)

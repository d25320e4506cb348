//go:build race

package pdf

// underRace is the race detector, with which all takes ten times as long and
// twice the memory.
const underRace = true

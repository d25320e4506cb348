//go:build !race

package judges

// UnderRace is the race detector, with which all takes ten times as long and
// many times the memory.
const UnderRace = false

//go:build race

package main

// underRace is the race detector, with which decoding pictures takes ten times
// as long.
const underRace = true

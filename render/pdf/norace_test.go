//go:build !race

package pdf

const underRace = false

package store

import (
	"crypto/rand"
	"crypto/sha256"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// randomText makes n random base62 characters (5.95 bits each). Bytes above
// the last multiple of 62 are thrown away, so that all are equally likely.
func randomText(n int) string {
	const limit = 256 / len(base62) * len(base62)
	text := make([]byte, 0, n)
	for len(text) < n {
		var some [64]byte
		_, _ = rand.Read(some[:]) // never fails: it ends the program instead
		for _, b := range some {
			if int(b) < limit && len(text) < n {
				text = append(text, base62[int(b)%len(base62)])
			}
		}
	}
	return string(text)
}

// digest is what is stored of a random secret: who reads the database cannot
// use it. A slow hash is not needed, as nobody can guess 200 random bits.
func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

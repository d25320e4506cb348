package store

import (
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
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

// IDs that nobody is to guess lie between these: all of 31 bits but the first
// million, which an earlier version has counted up from, and the last.
const (
	firstRandomID = 1 << 20
	lastRandomID  = 1<<31 - 1<<20
)

// randomID is a random number of 31 bits.
func randomID() int {
	for {
		var b [4]byte
		_, _ = rand.Read(b[:]) // never fails: it ends the program instead
		if id := int(binary.BigEndian.Uint32(b[:]) >> 1); id >= firstRandomID && id < lastRandomID {
			return id
		}
	}
}

// errTaken is a number that somebody has already.
var errTaken = errors.New("the number is taken")

// mostTries is how often a number that is taken is drawn anew. Of a million that
// are in use, this many in a row are not hit.
const mostTries = 20

// insertRandom inserts a row with numbers of its own until one is free; insert
// ends with ON CONFLICT (id) DO NOTHING RETURNING id.
func (s *Store) insertRandom(insert func(id int) error) (id int, err error) {
	for range mostTries {
		id = s.randomID()
		if err = insert(id); !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	return 0, errTaken
}

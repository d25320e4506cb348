package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"testing"
)

// literalHash is algorithm 2.B of ISO 32000-2 in the words of the standard: 64
// rounds, numbered from 0, and then rounds numbered from 64 as long as the last
// byte is greater than the number less 32.
func literalHash(password, salt, u []byte) []byte {
	return hashNumbered(64, password, salt, u)
}

// hashNumbered numbers the rounds after the first 64 from a number of its own.
func hashNumbered(first int, password, salt, u []byte) []byte {
	sum := sha256.Sum256(bytes.Join([][]byte{password, salt, u}, nil))
	k, e := sum[:], []byte(nil)
	step := func() {
		e = bytes.Repeat(bytes.Join([][]byte{password, k, u}, nil), 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			panic(err)
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		k = hashByRemainder(e)
	}
	for range 64 {
		step()
	}
	for number := first; int(e[len(e)-1]) > number-32; number++ {
		step()
	}
	return k[:32]
}

// An error of one in the number of rounds shows in one of about twenty salts.
func TestPasswordHashIsTheStandards(t *testing.T) {
	salt := make([]byte, 8)
	for i := range uint64(400) {
		binary.BigEndian.PutUint64(salt, i)
		if got, want := passwordHash([]byte("s3cret!"), salt, nil), literalHash([]byte("s3cret!"), salt, nil); !bytes.Equal(got, want) {
			t.Fatalf("salt %d: got %x, want %x", i, got, want)
		}
	}
}

// Readers that number the rounds from 0 without a gap, as veraPDF does, come one
// lower: they must end with the same key, or one file in sixteen stays shut.
func TestSaltsSuitReadersThatCountFromZero(t *testing.T) {
	password, u := []byte("Zitronen-Öl 7"), random(48)
	for range 200 {
		hash, salt := salted(password, u)
		if !bytes.Equal(hash, literalHash(password, salt, u)) || !bytes.Equal(hash, hashNumbered(63, password, salt, u)) {
			t.Fatalf("salt %x: readers disagree", salt)
		}
	}
}

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
	first := sha256.Sum256(bytes.Join([][]byte{password, salt, u}, nil))
	k, e := first[:], []byte(nil)
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
	for number := 64; int(e[len(e)-1]) > number-32; number++ {
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

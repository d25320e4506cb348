package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"errors"

	"golang.org/x/text/unicode/norm"
)

// Encryption is AES-256 as PDF 2.0 has it (revision 6): a random key for the
// document, which either password unlocks. PDF 1.7 readers know it as
// extension level 8; revision 5 of level 3 was broken and is not written.

// sealer encrypts strings and streams with the key of the document.
type sealer struct {
	block cipher.Block
}

func newSealer(key []byte) *sealer {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // the key always has 32 bytes
	}
	return &sealer{block: block}
}

// encrypt is AES-CBC with a random vector in front and PKCS #7 padding.
func (s *sealer) encrypt(b []byte) []byte {
	pad := aes.BlockSize - len(b)%aes.BlockSize
	out := make([]byte, aes.BlockSize, aes.BlockSize+len(b)+pad)
	rand.Read(out) // never fails
	out = append(out, b...)
	for range pad {
		out = append(out, byte(pad))
	}
	cipher.NewCBCEncrypter(s.block, out[:aes.BlockSize]).CryptBlocks(out[aes.BlockSize:], out[aes.BlockSize:])
	return out
}

func (s *sealer) decrypt(b []byte) ([]byte, error) {
	if len(b) < 2*aes.BlockSize || len(b)%aes.BlockSize != 0 {
		return nil, damaged("encrypted data has a wrong length")
	}
	out := make([]byte, len(b)-aes.BlockSize)
	cipher.NewCBCDecrypter(s.block, b[:aes.BlockSize]).CryptBlocks(out, b[aes.BlockSize:])
	pad := int(out[len(out)-1])
	if pad < 1 || pad > aes.BlockSize {
		return nil, damaged("encrypted data is wrong")
	}
	return out[:len(out)-pad], nil
}

// Permission bits of the standard handler. All others are reserved, and set or
// clear as the format wants.
const (
	permitPrint      = 1 << 2
	permitCopy       = 1 << 4
	permitFill       = 1 << 8 // fields; revision 3 and later
	permitAccess     = 1 << 9 // reading aloud; revision 3 and later
	permitPrintSharp = 1 << 11
	permitReserved   = 0xfffff0c0
)

// permissions are the bits of /P.
func (p *Protection) permissions() int32 {
	bits := uint32(permitReserved | permitAccess | permitFill)
	if p.AllowPrinting {
		bits |= permitPrint | permitPrintSharp
	}
	if p.AllowCopying {
		bits |= permitCopy
	}
	return int32(bits)
}

// encryption makes a key for a document, and the dictionary from which a
// password gets it back.
func (p *Protection) encryption() (*sealer, dict) {
	key := random(32)
	owner := []byte(prepare(p.OwnerPassword))
	if len(owner) == 0 {
		owner = random(32) // with an empty one anybody could lift the restrictions
	}
	u, ue := lock(key, []byte(prepare(p.UserPassword)), nil)
	o, oe := lock(key, owner, u)
	filter := dict{{"AuthEvent", name("DocOpen")}, {"CFM", name("AESV3")}, {"Length", 32}}
	return newSealer(key), dict{
		{"Filter", name("Standard")},
		{"V", 5},
		{"R", 6},
		{"Length", 256},
		{"P", int(p.permissions())},
		{"EncryptMetadata", true},
		{"CF", dict{{"StdCF", filter}}},
		{"StmF", name("StdCF")},
		{"StrF", name("StdCF")},
		{"U", text(u)},
		{"UE", text(ue)},
		{"O", text(o)},
		{"OE", text(oe)},
		{"Perms", text(sealPermissions(key, p.permissions()))},
	}
}

// prepare brings a password into the form in which it is compared, at most 127
// bytes of UTF-8.
func prepare(password string) string {
	password = norm.NFKC.String(password)
	if len(password) > 127 {
		password = password[:127]
	}
	return password
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return b
}

// lock makes the two strings of a password: one that tells whether it is right,
// and the key of the document encrypted with it.
func lock(key, password, u []byte) (check, locked []byte) {
	check, validation := salted(password, u)
	wrap, salt := salted(password, u)
	check = append(append(check, validation...), salt...)
	block, _ := aes.NewCipher(wrap) // 32 bytes
	locked = make([]byte, 32)
	cipher.NewCBCEncrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(locked, key)
	return check, locked
}

// salted hashes a password with a random salt. Some readers, veraPDF among them,
// count the rounds of the hash from 0 and would go on where the standard stops
// in one of about thirty; such salts are passed over, so that all agree.
func salted(password, u []byte) (hash, salt []byte) {
	for {
		salt = random(8)
		if hash, narrowly := hashRounds(password, salt, u); !narrowly {
			return hash, salt
		}
	}
}

func passwordHash(password, salt, u []byte) []byte {
	hash, _ := hashRounds(password, salt, u)
	return hash
}

// hashRounds is algorithm 2.B of ISO 32000-2: at least 64 rounds, and then as
// many more until the last byte is at most the number of rounds less 32. It
// tells whether the byte was just that number.
func hashRounds(password, salt, u []byte) (hash []byte, narrowly bool) {
	sum := sha256.Sum256(bytes.Join([][]byte{password, salt, u}, nil))
	k := sum[:]
	for rounds := 1; ; rounds++ {
		e := bytes.Repeat(bytes.Join([][]byte{password, k, u}, nil), 64)
		block, _ := aes.NewCipher(k[:16]) // 16 bytes
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		k = hashByRemainder(e)
		if last := int(e[len(e)-1]); rounds >= 64 && last <= rounds-32 {
			return k[:32], last == rounds-32
		}
	}
}

// hashByRemainder picks the hash by the first 16 bytes as a number modulo 3.
func hashByRemainder(e []byte) []byte {
	n := 0
	for _, c := range e[:16] {
		n += int(c)
	}
	switch n % 3 { // 256 is 1 modulo 3, so the sum of the bytes will do
	case 0:
		h := sha256.Sum256(e)
		return h[:]
	case 1:
		h := sha512.Sum384(e)
		return h[:]
	}
	h := sha512.Sum512(e)
	return h[:]
}

func sealPermissions(key []byte, p int32) []byte {
	b := make([]byte, 16)
	binary.LittleEndian.PutUint32(b, uint32(p))
	copy(b[4:], "\xff\xff\xff\xffTadb")
	copy(b[12:], random(4))
	block, _ := aes.NewCipher(key) // 32 bytes
	block.Encrypt(b, b)
	return b
}

// ErrPassword is what reading ends with when the password is wrong.
var ErrPassword = errors.New("wrong password")

// unlockAny opens a file that is encrypted with the first of the passwords that
// does.
func (f *file) unlockAny(passwords []string) error {
	if f.trailer.get("Encrypt") == nil {
		return nil
	}
	for _, password := range passwords {
		if err := f.unlock(password); !errors.Is(err, ErrPassword) {
			return err
		}
	}
	return errors.New("it is encrypted")
}

// unlock gives the file the key to its streams and to strings outside of object
// streams.
func (f *file) unlock(password string) error {
	enc, err := f.dict(f.trailer.get("Encrypt"))
	if err != nil || enc == nil {
		return err
	}
	if r, _ := enc.get("R").(int); r != 6 || enc.name("StmF") != "StdCF" || enc.name("StrF") != "StdCF" {
		return damaged("it is encrypted in an unknown way")
	}
	key, err := unlockKey(enc, []byte(prepare(password)))
	if err != nil {
		return err
	}
	s := newSealer(key)
	f.openMetadata = enc.get("EncryptMetadata") == false
	f.unseal = func(_ bool, raw []byte) ([]byte, error) { return s.decrypt(raw) }
	return nil
}

func unlockKey(enc dict, password []byte) ([]byte, error) {
	u, _ := enc.get("U").(text)
	o, _ := enc.get("O").(text)
	ue, _ := enc.get("UE").(text)
	oe, _ := enc.get("OE").(text)
	if len(u) < 48 || len(o) < 48 || len(ue) != 32 || len(oe) != 32 {
		return nil, damaged("its encryption is incomplete")
	}
	u, o = u[:48], o[:48]
	locked, salt, extra := ue, u[40:], text(nil)
	if !bytes.Equal(passwordHash(password, u[32:40], nil), u[:32]) {
		if !bytes.Equal(passwordHash(password, o[32:40], u), o[:32]) {
			return nil, ErrPassword
		}
		locked, salt, extra = oe, o[40:], u
	}
	block, _ := aes.NewCipher(passwordHash(password, salt, extra)) // 32 bytes
	key := make([]byte, 32)
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(key, locked)
	return key, nil
}

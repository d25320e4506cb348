package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/quire-reports/quire/report"
)

// Codes of authenticators are those of RFC 6238 as all of them know them: SHA-1,
// six digits, a new one every half minute. Clocks may differ by one step.
const (
	totpStep  = 30 * time.Second
	totpDrift = 1
)

var totpSecrets = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewSecondFactor makes a secret for an authenticator, of 160 random bits.
func NewSecondFactor() report.Secret {
	var secret [20]byte
	_, _ = rand.Read(secret[:]) // never fails: it ends the program instead
	return report.Secret(totpSecrets.EncodeToString(secret[:]))
}

// totpCode is the code of a step of time.
func totpCode(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	_ = binary.Write(mac, binary.BigEndian, step) // a hash takes everything
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[at:])&0x7fffffff)%1_000_000)
}

// totpStepOf is the step after another of which a code is, now; 0 is none.
func totpStepOf(secret report.Secret, code string, now time.Time, after int64) int64 {
	key, err := totpSecrets.DecodeString(secret.Reveal())
	if err != nil {
		return 0
	}
	found, current := int64(0), now.Unix()/int64(totpStep.Seconds())
	for step := current - totpDrift; step <= current+totpDrift; step++ {
		if subtle.ConstantTimeCompare([]byte(totpCode(key, step)), []byte(code)) == 1 && step > after {
			found = step
		}
	}
	return found
}

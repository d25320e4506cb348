package store

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
)

// sealVersion starts every sealed text, so that a later way of sealing can
// stand beside this one.
const sealVersion = "v1."

// errSealed is a sealed text that this key does not open, or that was moved to
// another place or changed.
var errSealed = errors.New("sealed value does not open")

// sealer encrypts secrets at rest with AES-256-GCM. Its key is derived from
// Encryption__Key and Encryption__Vector.
type sealer struct{ gcm cipher.AEAD }

func newSealer(key, vector report.Secret) (*sealer, error) {
	derived, err := hkdf.Key(sha256.New, []byte(key.Reveal()), []byte(vector.Reveal()), "quire stored secrets", 32)
	if err != nil {
		return nil, fmt.Errorf("deriving the encryption key: %w", err)
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	return &sealer{gcm}, err
}

// seal encrypts a text for one place, such as "connections/12/password"; it
// opens nowhere else.
func (s *sealer) seal(place string, secret report.Secret) string {
	sealed := s.gcm.Seal(nil, nil, []byte(secret.Reveal()), []byte(place))
	return sealVersion + base64.RawURLEncoding.EncodeToString(sealed)
}

func (s *sealer) open(place, sealed string) (report.Secret, error) {
	text, ok := strings.CutPrefix(sealed, sealVersion)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if !ok || err != nil {
		return "", errSealed
	}
	plain, err := s.gcm.Open(nil, nil, raw, []byte(place))
	if err != nil {
		return "", errSealed
	}
	return report.Secret(plain), nil
}

// Seal encrypts a secret for the place it is stored in, named by table and row
// ("connections/12/password"); sealed text that is moved elsewhere does not open.
func (s *Store) Seal(place string, secret report.Secret) string { return s.seal.seal(place, secret) }

// Unseal reads what Seal wrote for the same place.
func (s *Store) Unseal(place, sealed string) (report.Secret, error) {
	return s.seal.open(place, sealed)
}

// checkInstallation gives a new database its identity and canary, and checks
// the canary of an old one: a wrong key is told at the start, not when the
// first secret is needed.
func (s *Store) checkInstallation(ctx context.Context) (id string, err error) {
	const place = "installation/canary"
	fresh := map[string]string{"id": rand.Text(), "canary": s.seal.seal(place, "canary")}
	for _, name := range []string{"id", "canary"} {
		_, err := s.db.exec(ctx, "INSERT INTO installation (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, fresh[name])
		if err != nil {
			return "", err
		}
	}
	var canary string
	if err := s.db.fetch(ctx, &canary, "SELECT value FROM installation WHERE name = 'canary'"); err != nil {
		return "", err
	}
	if _, err := s.seal.open(place, canary); err != nil {
		return "", settingProblem("Encryption__Key", "is not the key, or Encryption__Vector not the vector, that this database was made with")
	}
	err = s.db.fetch(ctx, &id, "SELECT value FROM installation WHERE name = 'id'")
	return id, err
}

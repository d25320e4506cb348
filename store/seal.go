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

// Keys are what secrets are sealed with.
type Keys struct{ Key, Vector report.Secret }

// sealer encrypts secrets at rest with AES-256-GCM. Its key is derived from
// Encryption__Key and Encryption__Vector. It also opens what older keys sealed.
type sealer struct {
	gcm cipher.AEAD
	old []cipher.AEAD
}

func newSealer(now Keys, old ...Keys) (s *sealer, err error) {
	s = &sealer{old: make([]cipher.AEAD, len(old))}
	if s.gcm, err = now.cipher(); err != nil {
		return nil, err
	}
	for i, k := range old {
		if s.old[i], err = k.cipher(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (k Keys) cipher() (cipher.AEAD, error) {
	derived, err := hkdf.Key(sha256.New, []byte(k.Key.Reveal()), []byte(k.Vector.Reveal()), "quire stored secrets", 32)
	if err != nil {
		return nil, fmt.Errorf("deriving the encryption key: %w", err)
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// seal encrypts a text for one place, such as "connections/12/password"; it
// opens nowhere else.
func (s *sealer) seal(place string, secret report.Secret) string {
	sealed := s.gcm.Seal(nil, nil, []byte(secret.Reveal()), []byte(place))
	return sealVersion + base64.RawURLEncoding.EncodeToString(sealed)
}

func (s *sealer) open(place, sealed string) (report.Secret, error) {
	secret, _, err := s.unseal(place, sealed)
	return secret, err
}

// unseal is open, and tells whether an older key was needed.
func (s *sealer) unseal(place, sealed string) (secret report.Secret, byOld bool, err error) {
	text, ok := strings.CutPrefix(sealed, sealVersion)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if !ok || err != nil {
		return "", false, errSealed
	}
	if plain, err := s.gcm.Open(nil, nil, raw, []byte(place)); err == nil {
		return report.Secret(plain), false, nil
	}
	for _, old := range s.old {
		if plain, err := old.Open(nil, nil, raw, []byte(place)); err == nil {
			return report.Secret(plain), true, nil
		}
	}
	return "", false, errSealed
}

// Seal encrypts a secret for the place it is stored in, named by table and row
// ("connections/12/password"); sealed text that is moved elsewhere does not open.
func (s *Store) Seal(place string, secret report.Secret) string { return s.seal.seal(place, secret) }

// Unseal reads what Seal wrote for the same place.
func (s *Store) Unseal(place, sealed string) (report.Secret, error) {
	return s.seal.open(place, sealed)
}

// canaryPlace is where the canary is sealed for.
const canaryPlace = "installation/canary"

// OpensCanary tells whether one of the keys is what the installation with this
// canary seals with.
func OpensCanary(sealed string, keys ...Keys) bool {
	for _, k := range keys {
		s, err := newSealer(k)
		if err != nil {
			continue
		}
		if _, err := s.open(canaryPlace, sealed); err == nil {
			return true
		}
	}
	return false
}

// checkInstallation gives a new database its identity and canary, and checks
// the canary of an old one: a wrong key is told at the start, not when the
// first secret is needed.
func (s *Store) checkInstallation(ctx context.Context) (id string, err error) {
	fresh := map[string]string{"id": rand.Text(), "canary": s.seal.seal(canaryPlace, "canary")}
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
	if _, err := s.seal.open(canaryPlace, canary); err != nil {
		return "", settingProblem("Encryption__Key", "is not the key, or Encryption__Vector not the vector, that this database was made with")
	}
	err = s.db.fetch(ctx, &id, "SELECT value FROM installation WHERE name = 'id'")
	return id, err
}

package deliver

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// hostKeys are what a server may prove itself with.
type hostKeys struct {
	keys         []ssh.PublicKey
	fingerprints []string
}

var errHostKey = errors.New("enter a line such as ssh-ed25519 AAAA…, as ssh-keyscan prints it, or a fingerprint such as SHA256:…")

// parseHostKeys reads keys, one a line: public keys, lines of known_hosts and
// fingerprints.
func parseHostKeys(text string) (*hostKeys, error) {
	known := &hostKeys{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "SHA256:") && len(line) == len("SHA256:")+43 {
			known.fingerprints = append(known.fingerprints, line)
			continue
		}
		key, err := parseHostKey(line)
		if err != nil {
			return nil, errHostKey
		}
		known.keys = append(known.keys, key)
	}
	if len(known.keys)+len(known.fingerprints) == 0 {
		return nil, errHostKey
	}
	return known, nil
}

// parseHostKey reads a public key, or one with host names before it.
func parseHostKey(line string) (ssh.PublicKey, error) {
	if key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line)); err == nil && !strings.HasPrefix(line, "@") {
		return key, nil
	}
	marker, _, key, _, _, err := ssh.ParseKnownHosts([]byte(line))
	if err == nil && marker != "" {
		return nil, errHostKey // a revoked key, or an authority
	}
	return key, err
}

// algorithms are what the server is asked to prove itself with, so that one
// with several keys shows the known one; nil means any.
func (k *hostKeys) algorithms() []string {
	if len(k.fingerprints) > 0 {
		return nil
	}
	var list []string
	for _, key := range k.keys {
		if key.Type() == ssh.KeyAlgoRSA {
			list = append(list, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256)
			continue
		}
		list = append(list, key.Type())
	}
	return list
}

func (k *hostKeys) check(host string, shown ssh.PublicKey) error {
	fingerprint := ssh.FingerprintSHA256(shown)
	if slices.Contains(k.fingerprints, fingerprint) {
		return nil
	}
	for _, key := range k.keys {
		if bytes.Equal(key.Marshal(), shown.Marshal()) {
			return nil
		}
	}
	return permanent("the server %q proved itself with another key than the connection names: %s. Somebody may be listening in; ask its operator, and only if the key is right enter it", host, fmt.Sprintf("%s %s", shown.Type(), fingerprint))
}

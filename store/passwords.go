package store

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"github.com/quire-reports/quire/report"
)

// maxPassword bounds the work of hashing one.
const maxPassword = 1000

// hasher makes and checks password hashes, a few at once: each takes 19 MB and
// some 20 ms of a processor, so a flood of sign-ins must wait, not fill memory.
type hasher struct {
	places chan struct{}
	params argon2id.Params
	absent string // hash that is checked when there is no such user
}

func newHasher(places int) *hasher {
	return &hasher{
		places: make(chan struct{}, places),
		// OWASP's recommendation for argon2id. One lane, so that a hash does
		// not depend on the machine's processors.
		params: argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32},
		absent: "$argon2id$v=19$m=19456,t=2,p=1$" + strings.Repeat("A", 22) + "$" + strings.Repeat("A", 43),
	}
}

func (h *hasher) wait(ctx context.Context) error {
	select {
	case h.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// make hashes a password that keeps the rule.
func (h *hasher) make(ctx context.Context, password report.Secret) (string, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	if err := h.wait(ctx); err != nil {
		return "", err
	}
	defer func() { <-h.places }()
	return argon2id.CreateHash(password.Reveal(), &h.params)
}

// matches checks a password. A missing hash takes the same time, so that an
// answer does not tell which users exist.
func (h *hasher) matches(ctx context.Context, password report.Secret, hash *string) (bool, error) {
	if len(password) > maxPassword {
		return false, nil
	}
	if err := h.wait(ctx); err != nil {
		return false, err
	}
	defer func() { <-h.places }()
	if hash == nil {
		_, err := argon2id.ComparePasswordAndHash(password.Reveal(), h.absent)
		return false, err
	}
	ok, err := argon2id.ComparePasswordAndHash(password.Reveal(), *hash)
	if err != nil {
		return false, fmt.Errorf("checking a password: %w", err)
	}
	return ok, nil
}

// checkPassword is the rule for passwords of accounts.
func checkPassword(password report.Secret) error {
	text := password.Reveal()
	const rule = "a password needs at least 8 characters, among them a letter, a digit and a special character"
	isSpecial := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) }
	switch {
	case len(text) > maxPassword:
		return report.Problemf("password", "a password has at most %d bytes", maxPassword)
	case utf8.RuneCountInString(text) < 8,
		!strings.ContainsFunc(text, unicode.IsLetter),
		!strings.ContainsFunc(text, unicode.IsDigit),
		!strings.ContainsFunc(text, isSpecial):
		return report.Problemf("password", rule)
	}
	return nil
}

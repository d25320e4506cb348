package store

import (
	"context"
	"crypto/rand"
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
	strangers, known line
	params           argon2id.Params
	absent           string // hash that is checked when there is no such user
}

// line lets in a few at once; some may wait, and further ones are refused.
type line struct {
	places, waiting chan struct{}
}

// mostWaiting is how many may wait in a line.
const mostWaiting = 32

func newLine(places int) line {
	return line{make(chan struct{}, places), make(chan struct{}, places+mostWaiting)}
}

// enter waits for a place; leave gives it back.
func (l line) enter(ctx context.Context) (leave func(), err error) {
	select {
	case l.waiting <- struct{}{}:
	default:
		return nil, &report.Problem{Kind: report.Busy, Message: "too many people sign in at this moment; try again"}
	}
	select {
	case l.places <- struct{}{}:
		return func() { <-l.places; <-l.waiting }, nil
	case <-ctx.Done():
		<-l.waiting
		return nil, ctx.Err()
	}
}

func newHasher(places int) *hasher {
	return &hasher{
		strangers: newLine(places), known: newLine(1),
		// OWASP's recommendation for argon2id. One lane, so that a hash does
		// not depend on the machine's processors.
		params: argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32},
		absent: "$argon2id$v=19$m=19456,t=2,p=1$" + strings.Repeat("A", 22) + "$" + strings.Repeat("A", 43),
	}
}

// make hashes a password that keeps the rule.
func (h *hasher) make(ctx context.Context, password report.Secret) (string, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	leave, err := h.known.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return argon2id.CreateHash(password.Reveal(), &h.params)
}

// matches checks a password. A missing hash takes the same time, so that an
// answer does not tell which users exist. Known callers have a line of their own.
func (h *hasher) matches(ctx context.Context, password report.Secret, hash *string, known bool) (bool, error) {
	if len(password) > maxPassword {
		return false, nil
	}
	waiting := h.strangers
	if known {
		waiting = h.known
	}
	leave, err := waiting.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
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

// NewPassword is one that keeps the rule for passwords and can be read out: groups of
// letters and digits with dashes between them, 100 random bits.
func NewPassword() report.Secret {
	for {
		text := strings.ToLower(rand.Text())
		groups := []string{text[:5], text[5:10], text[10:15], text[15:20]}
		if password := strings.Join(groups, "-"); strings.ContainsAny(password, "234567") && strings.ContainsAny(password, "abcdefghijklmnopqrstuvwxyz") {
			return report.Secret(password)
		}
	}
}

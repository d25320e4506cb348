package store

import (
	"encoding/base32"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// The codes of RFC 6238, appendix B, cut to six digits.
func TestCodesOfTheStandard(t *testing.T) {
	key := []byte("12345678901234567890")
	for at, want := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		if got := totpCode(key, at/30); got != want {
			t.Errorf("at %d: %s; want %s", at, got, want)
		}
	}
}

// A clock may be wrong by one step, either way, and a code is good after those
// that were used.
func TestCodesOfOtherClocks(t *testing.T) {
	t.Parallel()
	secret, now := NewSecondFactor(), time.Unix(1_800_000_000, 0)
	for drift, want := range map[int]bool{-3: false, -2: false, -1: true, 0: true, 1: true, 2: false, 3: false} {
		code := codeAt(t, secret, now.Add(time.Duration(drift)*totpStep))
		if step := totpStepOf(secret, code, now, 0); (step != 0) != want {
			t.Errorf("%d steps: %d", drift, step)
		}
		if step := totpStepOf(secret, code, now, now.Unix()/30+1); step != 0 {
			t.Errorf("%d steps, after it was used: %d", drift, step)
		}
	}
}

func codeAt(t testing.TB, secret report.Secret, at time.Time) string {
	t.Helper()
	key := ok[[]byte](t)(base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret.Reveal()))
	return totpCode(key, at.Unix()/30)
}

func testSecondFactors(f *fixture) {
	id := f.root.ID
	now := func(secret report.Secret) string { return codeAt(f.t, secret, f.clock.Now()) }
	if factor := ok[*SecondFactor](f.t)(f.SecondFactorOf(f.ctx(), id)); factor != nil {
		f.t.Errorf("%+v", factor)
	}
	f.isKind(f.UseCode(f.ctx(), id, "000000"), report.Invalid)
	secret := NewSecondFactor()
	_, err := f.SetSecondFactor(f.ctx(), id, secret, now(NewSecondFactor()))
	f.isKind(err, report.Invalid)
	code := now(secret)
	codes := ok[[]string](f.t)(f.SetSecondFactor(f.ctx(), id, secret, code[:3]+" "+code[3:]))
	f.isKind(f.UseCode(f.ctx(), id, code), report.Invalid) // it was used
	_, err = f.SetSecondFactor(f.ctx(), id, NewSecondFactor(), code)
	f.isKind(err, report.Invalid)
	other := NewSecondFactor()
	_, err = f.SetSecondFactor(f.ctx(), id, other, now(other))
	f.isKind(err, report.Conflict) // one's own stays
	f.clock.Advance(totpStep)
	f.must(f.UseCode(f.ctx(), id, now(secret)))
	f.isKind(f.UseCode(f.ctx(), id, now(secret)), report.Invalid)

	// Of those who show a code at the same moment, one gets in.
	f.clock.Advance(totpStep)
	for what, shown := range map[string]string{"code": now(secret), "recovery code": codes[0]} {
		results := make(chan error)
		for range 5 {
			go func() { results <- f.UseCode(f.ctx(), id, shown) }()
		}
		taken := 0
		for range 5 {
			if err := <-results; err == nil {
				taken++
			}
		}
		if taken != 1 {
			f.t.Errorf("a %s was taken %d times", what, taken)
		}
	}

	f.isKind(f.UseCode(f.ctx(), id, ""), report.Invalid)
	ana := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "ana@example.com"}))
	f.isKind(f.UseCode(f.ctx(), ana.ID, codes[1]), report.Invalid) // it is of another user
	f.must(f.UseCode(f.ctx(), id, " "+codes[1]))
	if factor := ok[*SecondFactor](f.t)(f.SecondFactorOf(f.ctx(), id)); factor == nil || factor.Codes != 8 {
		f.t.Errorf("%+v", factor)
	}
	fresh := ok[[]string](f.t)(f.NewRecoveryCodes(f.ctx(), id))
	f.isKind(f.UseCode(f.ctx(), id, codes[2]), report.Invalid)
	f.must(f.UseCode(f.ctx(), id, fresh[2]))

	// The secret is sealed, and opens with a new key.
	var kept string
	f.must(f.db.get(f.ctx(), &kept, "SELECT secret FROM second_factors"))
	if opened := ok[report.Secret](f.t)(f.Unseal(factorPlace(id), kept)); opened != secret || kept == secret.Reveal() {
		f.t.Errorf("kept %s", kept)
	}
	f.must(f.RemoveSecondFactor(f.ctx(), id))
	f.must(f.RemoveSecondFactor(f.ctx(), id))
	f.isKind(f.UseCode(f.ctx(), id, fresh[3]), report.Invalid)
}

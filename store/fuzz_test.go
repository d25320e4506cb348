package store

import (
	"bytes"
	"testing"
	"time"
)

// FuzzCode enters whatever code: it counts only where the authenticator shows it,
// in three steps of time, and once.
func FuzzCode(f *testing.F) {
	secret := NewSecondFactor()
	now := time.Unix(1_800_000_000, 0)
	for _, code := range []string{"", "000000", "123 456", "12-34-56", "１２３４５６", "-1", "0x1234", "1e5", "\u00a0", "99999999999999999999"} {
		f.Add(code, int64(0), int64(0))
	}
	f.Fuzz(func(t *testing.T, code string, drift, after int64) {
		at := now.Add(time.Duration(drift%10_000_000) * time.Second)
		step := totpStepOf(secret, plainCode(code), at, after)
		current := at.Unix() / 30
		if step != 0 && (step < current-1 || step > current+1 || step <= after || codeAt(t, secret, time.Unix(step*30, 0)) != plainCode(code)) {
			t.Errorf("%q counts as that of step %d at %d after %d", code, step, current, after)
		}
		shown := codeAt(t, secret, at)
		typed := shown[:3] + " " + shown[3:]
		if got := totpStepOf(secret, plainCode(typed), at, current-1); current > 0 && got < current {
			t.Errorf("%q does not count at %d: %d", typed, current, got)
		}
		if got := totpStepOf(secret, plainCode(typed), at, current+1); got != 0 {
			t.Errorf("%q counts after it was used: %d", typed, got)
		}
	})
}

// FuzzRecoveryCode: however a code is typed it is the same one; another, or that
// of another account, is not.
func FuzzRecoveryCode(f *testing.F) {
	for _, code := range []string{"", "abcd-efgh-ijkl-mnop", "ABCD EFGH IJKL MNOP", "abcdefghijklmnop", "2/abcd", "ſtrasse", "İ", "K", "\xff", "\u00a0-"} {
		f.Add(code, "abcd-efgh-ijkl-mnop", 1, 2)
		f.Add(code, code, 12, 1)
	}
	f.Fuzz(func(t *testing.T, a, b string, one, other int) {
		plain := plainCode(a)
		if again := plainCode(plain); again != plain {
			t.Errorf("%q is %q and then %q", a, plain, again)
		}
		if same := bytes.Equal(recoveryHash(one, a), recoveryHash(one, b)); same != (plain == plainCode(b)) {
			t.Errorf("%q and %q are the same: %v", a, b, same)
		}
		if one != other && bytes.Equal(recoveryHash(one, a), recoveryHash(other, b)) {
			t.Errorf("%q of %d is %q of %d", a, one, b, other)
		}
	})
}

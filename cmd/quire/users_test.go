package main

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/quire-reports/quire/store"
)

// Whoever rules the machine gets in, whatever is lost.
func TestUserCommand(t *testing.T) {
	dir := t.TempDir()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, st := openedStore(t, slog.New(slog.DiscardHandler), "DataDir="+dir)
	check(firstStart(t.Context(), s, st))
	root, err := st.UserByEmail(t.Context(), "root@localhost")
	check(err)
	secret := store.NewSecondFactor()
	key, err := base32.StdEncoding.DecodeString(secret.Reveal())
	check(err)
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, time.Now().Unix()/30)
	sum := mac.Sum(nil)
	code := fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff)%1000000)
	_, err = st.SetSecondFactor(t.Context(), root.ID, secret, code)
	check(err)
	check(st.Close())

	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"password", "--user", "nobody@localhost"}, exitFailed},
		{[]string{"password", "--user", "ROOT@localhost"}, 0},
		{[]string{"second-factor-off", "--user", "root@localhost"}, 0},
		{[]string{"second-factor-off", "--user", "root@localhost"}, exitFailed}, // there is none by now
	} {
		if got := run(append([]string{"user", "--data", dir}, c.args...)); got != c.want {
			t.Errorf("quire user %v: exit status %d, want %d", c.args, got, c.want)
		}
	}
	_, st = openedStore(t, slog.New(slog.DiscardHandler), "DataDir="+dir)
	if _, err := st.SignIn(t.Context(), "root@localhost", "secret-7a!", false); !store.IsNotFound(err) {
		t.Errorf("the old password: %v", err)
	}
	if factor, err := st.SecondFactorOf(t.Context(), root.ID); factor != nil || err != nil {
		t.Errorf("%+v, %v", factor, err)
	}
	if after, err := st.UserByID(t.Context(), root.ID); err != nil || after.Epoch <= root.Epoch {
		t.Errorf("sessions go on: %+v, %v", after, err)
	}
	events, err := st.AuditEvents(t.Context(), store.AuditQuery{Action: string(store.AuditFactorOff), Limit: 10})
	if err != nil || len(events) != 1 || events[0].ActorKind != store.ByCommand || events[0].Target != "root@localhost" {
		t.Errorf("%+v, %v", events, err)
	}
}

package access

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/quire-reports/quire/api/internal/answer"
	"github.com/quire-reports/quire/store"
)

// DeviceCookie holds the values by which accounts know a browser.
const DeviceCookie = "quire_device"

// mostAccounts bounds how many accounts know a browser at the same time.
const mostAccounts = 5

// Paces of attempts to sign in that fail. They count for the pair of account and
// address first, which is slowest: who tries from one place gets some 100 guesses
// a day, and others are not in the way of the account's owner. Guesses at one
// account from everywhere are some 300 a day. A browser that an account knows
// counts for itself alone, so that nobody can lock it out.
var (
	pairPace    = store.Pace{Free: 5, First: 10 * time.Second, Most: 15 * time.Minute, Recover: time.Hour}
	accountPace = store.Pace{Free: 20, First: 5 * time.Second, Most: 5 * time.Minute, Recover: 30 * time.Minute}
	addressPace = store.Pace{Free: 60, First: time.Second, Most: 30 * time.Second, Recover: time.Minute}
	ownPace     = store.Pace{Free: 5, First: 10 * time.Second, Most: 5 * time.Minute, Recover: 10 * time.Minute}
	devicePace  = store.Pace{Free: 10, First: 5 * time.Second, Most: 5 * time.Minute, Recover: 10 * time.Minute}
)

// Checks of passwords of one address take turns: so many at once, then one each
// interval; attempts that would wait longer are refused.
const (
	checkEvery  = 200 * time.Millisecond
	checksOnce  = 40
	longestLine = 3 * time.Second
)

// AttemptStore counts attempts where all nodes see them. *store.Store is one.
type AttemptStore interface {
	TakeAttempt(ctx context.Context, what string, p store.Pace) (failures int, wait time.Duration, err error)
	ReturnAttempt(ctx context.Context, what string, p store.Pace) error
	ForgetAttempts(ctx context.Context, what string) error
	KnownDevice(ctx context.Context, email string, values []string) (string, error)
	AddDevice(ctx context.Context, u *store.User, before string) (value string, expires time.Time, err error)
}

// Attempts limits guesses at passwords.
type Attempts struct {
	kept    AttemptStore
	cookies Cookies
	message string
	checks  *Limiter // by address
}

// NewAttempts limits guesses; message is what who has to wait is told.
func NewAttempts(kept AttemptStore, cookies Cookies, message string, clock func() time.Time) *Attempts {
	return &Attempts{kept, cookies, message, NewLimiter(checkEvery, checksOnce, message, clock)}
}

// Attempt is one that is under way. It counts as a failure until it succeeds.
type Attempt struct {
	Known  bool // the account knows the browser
	device string
	taken  []taken
	all    *Attempts
}

type taken struct {
	what  string
	pace  store.Pace
	guess bool // at a person of a directory; see Guess
}

// Begin counts an attempt to sign in to an account, or says how long to wait.
func (a *Attempts) Begin(r *http.Request, email string) (*Attempt, error) {
	device, err := a.kept.KnownDevice(r.Context(), email, Devices(r))
	if err != nil {
		return nil, err
	}
	attempt := &Attempt{Known: device != "", device: device, all: a}
	if attempt.Known {
		_, err := attempt.take(r.Context(), "device "+device, devicePace)
		return attempt, err
	}
	account, address := strings.ToLower(strings.TrimSpace(email)), networkOf(answer.TraceOf(r.Context()).Address)
	before, err := attempt.take(r.Context(), "pair "+address+" "+account, pairPace)
	if err == nil {
		_, err = attempt.take(r.Context(), "account "+account, accountPace)
	}
	if err == nil {
		// Somebody else behind the same address may have used it up: who did
		// not fail yet has a try all the same.
		if _, err = attempt.take(r.Context(), "address "+address, addressPace); before == 0 && isTooMany(err) {
			err = nil
		}
	}
	if err == nil {
		err = a.checks.Wait(r.Context(), address, longestLine)
	}
	if err != nil {
		attempt.GiveBack(r.Context())
		return nil, err
	}
	return attempt, nil
}

// BeginOwn counts an attempt of somebody who is signed in to show their
// password again.
func (a *Attempts) BeginOwn(r *http.Request, u *store.User) (*Attempt, error) {
	attempt := &Attempt{Known: true, all: a}
	_, err := attempt.take(r.Context(), "own "+strings.ToLower(u.Email), ownPace)
	return attempt, err
}

// BeginCode counts an attempt at the second factor, after the password was
// right: guesses at six digits are as few as those at passwords, and as little
// in the way of a browser that the account knows.
func (a *Attempts) BeginCode(r *http.Request, u *store.User) (*Attempt, error) {
	device, err := a.kept.KnownDevice(r.Context(), u.Email, Devices(r))
	if err != nil {
		return nil, err
	}
	attempt, account := &Attempt{Known: device != "", device: device, all: a}, strings.ToLower(u.Email)
	if attempt.Known {
		_, err := attempt.take(r.Context(), "codes of device "+device, devicePace)
		return attempt, err
	}
	_, err = attempt.take(r.Context(), "codes "+networkOf(answer.TraceOf(r.Context()).Address)+" "+account, pairPace)
	if err == nil {
		_, err = attempt.take(r.Context(), "codes "+account, accountPace)
	}
	if err != nil {
		attempt.GiveBack(r.Context())
		return nil, err
	}
	return attempt, nil
}

// BeginPasskey counts an attempt to sign in with a passkey: nobody guesses one,
// but checking one takes its time, so those who fail again and again have to
// wait.
func (a *Attempts) BeginPasskey(r *http.Request) (*Attempt, error) {
	attempt, address := &Attempt{all: a}, networkOf(answer.TraceOf(r.Context()).Address)
	if _, err := attempt.take(r.Context(), "passkeys of "+address, addressPace); err != nil {
		return nil, err
	}
	if err := a.checks.Wait(r.Context(), address, longestLine); err != nil {
		attempt.GiveBack(r.Context())
		return nil, err
	}
	return attempt, nil
}

func (a *Attempt) take(ctx context.Context, what string, pace store.Pace) (before int, err error) {
	before, wait, err := a.all.kept.TakeAttempt(ctx, what, pace)
	if err == nil && wait > 0 {
		err = answer.TooMany(a.all.message, wait)
	}
	if err == nil {
		a.taken = append(a.taken, taken{what: what, pace: pace})
	}
	return before, err
}

// BeginThere counts an attempt to sign in with the password of a directory, whose
// people have names and no addresses. Guesses at one of them are counted when it
// is known who it is: they may have several names.
func (a *Attempts) BeginThere(r *http.Request, directory, name string) (*Attempt, error) {
	attempt, address := &Attempt{all: a}, networkOf(answer.TraceOf(r.Context()).Address)
	before, err := attempt.take(r.Context(), "pair "+address+" "+directory+"\n"+strings.ToLower(strings.TrimSpace(name)), pairPace)
	if err == nil {
		if _, err = attempt.take(r.Context(), "address "+address, addressPace); before == 0 && isTooMany(err) {
			err = nil // as in Begin
		}
	}
	if err == nil {
		err = a.checks.Wait(r.Context(), address, longestLine)
	}
	if err != nil {
		attempt.GiveBack(r.Context())
		return nil, err
	}
	return attempt, nil
}

// Guess counts a guess that is about to reach a directory, which locks accounts
// after some: at one person at most so many within a time from everywhere, and
// one more from a browser that the account with an address knows, so that
// strangers do not keep its owner out.
func (a *Attempt) Guess(r *http.Request, person, email string, most int, within time.Duration) error {
	device, err := a.all.kept.KnownDevice(r.Context(), email, Devices(r))
	if err != nil {
		return err
	}
	a.Known, a.device = device != "", device
	_, err = a.take(r.Context(), "guesses at "+person, store.Pace{Free: most, First: within, Most: within, Recover: within})
	if a.Known && isTooMany(err) {
		_, err = a.take(r.Context(), "own guesses at "+person, store.Pace{Free: 1, First: within, Most: within, Recover: within})
	}
	if err == nil {
		a.taken[len(a.taken)-1].guess = true
	}
	return err
}

// GiveBack takes an attempt back that was not made. A fault here costs an
// attempt, no more. A guess that was about to reach a directory may have.
func (a *Attempt) GiveBack(ctx context.Context) {
	for _, t := range slices.Backward(a.taken) {
		if !t.guess {
			_ = a.all.kept.ReturnAttempt(ctx, t.what, t.pace)
		}
	}
}

// Succeeded gives the account its attempts from here back; those of others
// still count.
func (a *Attempt) Succeeded(ctx context.Context) error {
	for i, t := range a.taken {
		err := a.all.kept.ReturnAttempt(ctx, t.what, t.pace)
		if i == 0 || t.guess { // a directory forgets its own count, too
			err = a.all.kept.ForgetAttempts(ctx, t.what)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Remember makes the browser known to an account from now on.
func (a *Attempt) Remember(w http.ResponseWriter, r *http.Request, u *store.User) error {
	value, expires, err := a.all.kept.AddDevice(r.Context(), u, a.device)
	if err != nil {
		return err
	}
	values := []string{value}
	for _, other := range Devices(r) {
		if other != a.device && len(values) < mostAccounts {
			values = append(values, other)
		}
	}
	cookies := a.all.cookies
	http.SetCookie(w, cookies.cookie(DeviceCookie, strings.Join(values, "."), expires, cookies.secure(r)))
	return nil
}

// Links that are mailed for forgotten passwords: so many to one account, and so
// many that one address asks for.
var (
	lettersPace = store.Pace{Free: 3, First: 10 * time.Minute, Most: time.Hour, Recover: time.Hour}
	askersPace  = store.Pace{Free: 10, First: time.Minute, Most: 10 * time.Minute, Recover: 10 * time.Minute}
)

// AskLink counts a link that somebody asks for, and tells whether it may be
// mailed. An account that has got enough gets none, which nobody is told; an
// address that asks too often has to wait.
func (a *Attempts) AskLink(r *http.Request, email string) (bool, error) {
	attempt := &Attempt{all: a}
	if _, err := attempt.take(r.Context(), "links of "+networkOf(answer.TraceOf(r.Context()).Address), askersPace); err != nil {
		return false, err
	}
	_, err := attempt.take(r.Context(), "links to "+strings.ToLower(email), lettersPace)
	if isTooMany(err) {
		return false, nil
	}
	return err == nil, err
}

// Remember makes a browser known to an account whose owner has just shown a
// link that was made for them.
func (a *Attempts) Remember(w http.ResponseWriter, r *http.Request, u *store.User) error {
	return (&Attempt{all: a}).Remember(w, r, u)
}

// Devices are the values that a browser shows to be known by.
func Devices(r *http.Request) []string {
	value := valueOf(r, DeviceCookie)
	if value == "" || len(value) > 1000 {
		return nil
	}
	values := strings.Split(value, ".")
	return values[:min(mostAccounts, len(values))]
}

// networkOf is what counts as one address: of IPv6 the network, in which every
// customer has all addresses to choose from.
func networkOf(address string) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil || parsed.Is4() {
		return address
	}
	network, _ := parsed.Prefix(64) // 64 is no wrong length
	return network.String()
}

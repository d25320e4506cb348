package store

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

// Config says where things are kept.
type Config struct {
	// Database is "sqlite:<path>" or a postgres:// address.
	Database string
	// Redis is a redis:// address; when set, nonces and the counts of failed
	// sign-ins live there: nothing that outlasts a day.
	Redis string
	// Storage is "file://<folder>" or "s3://<bucket>?endpoint=…".
	Storage string
	// Unsynced leaves it to the system when an SQLite file and a folder of
	// contents are put on disk: faster, and a power cut takes the last seconds.
	Unsynced bool
	// Key (32 characters) and Vector (16) protect sealed values.
	Key, Vector report.Secret
	// Old are keys that sealed values before; they are only opened with.
	Old []Keys
	// Exclusive makes this process the owner of an SQLite file: a second owner
	// is refused. The service sets it; short commands beside it do not.
	// PostgreSQL serves any number of processes and ignores it.
	Exclusive bool
	// Clock is the time; default time.Now.
	Clock func() time.Time
	// Log takes what nobody waits for; default: nothing is logged.
	Log *slog.Logger
	// CacheMB bounds the decoded definitions kept in memory, measured by their
	// JSON; default 32.
	CacheMB int
	// Connections bounds the connections to PostgreSQL; default 20.
	Connections int
	// ConnectionTypes are those that connections can be of; nil for any.
	ConnectionTypes report.ConnectionTypes
	// RunDays is how many days the runs of jobs are kept, with their documents;
	// default 90.
	RunDays int
	// SessionDays is how long a sign-in lasts; default 7. SessionHours is how long
	// one lasts that is not used; default 12.
	SessionDays, SessionHours int
	// InvitationDays is how long an invitation is good; 0: nobody invites.
	InvitationDays int
	// RootOnlyHere lets only root users in by what is kept here of them, which are
	// passwords and passkeys; all others come in at a provider.
	RootOnlyHere bool
	// TokenIdleDays is for how many days access tokens and previews of people go on
	// who do not sign in at their provider; 0: without end.
	TokenIdleDays int
	// PasswordHashes bounds how many passwords are checked at once, as each
	// takes 19 MB; default 2.
	PasswordHashes int
	// TempData bounds the temporary data.
	TempData TempDataQuota
	// AuditDays is how long the audit log is kept; default 365.
	AuditDays int
	// AuditLines takes what the audit log records, as lines of JSON; may be nil.
	AuditLines io.Writer
}

// Validate fills the defaults and names what is wrong as the operator writes it.
func (c *Config) Validate() error {
	if n := utf8.RuneCountInString(c.Key.Reveal()); n != 32 {
		return report.Problemf("Encryption__Key", "has %d characters; needed: 32", n)
	}
	if n := utf8.RuneCountInString(c.Vector.Reveal()); n != 16 {
		return report.Problemf("Encryption__Vector", "has %d characters; needed: 16", n)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	defaultTo(&c.CacheMB, 32)
	defaultTo(&c.Connections, 20)
	defaultTo(&c.RunDays, 90)
	defaultTo(&c.SessionDays, 7)
	defaultTo(&c.SessionHours, 12)
	defaultTo(&c.PasswordHashes, 2)
	defaultTo(&c.AuditDays, 365)
	c.TempData.fill()
	return nil
}

func defaultTo(n *int, value int) {
	if *n <= 0 {
		*n = value
	}
}

// Store is the open store; safe for any number of goroutines.
type Store struct {
	db         *database
	contents   *Contents
	redis      *redisClient // nil without Redis
	nonces     nonces
	attempts   attempts
	seal       *sealer
	hash       *hasher
	cache      *cache
	clock      func() time.Time
	frozen     func() time.Time // the clock of Config, if there was one
	log        *slog.Logger
	runsKept   time.Duration
	tempData   TempDataQuota
	notes      notes
	beginnings beginnings
	revisions  latest[int, int] // of the libraries of workspaces
	auditKept  time.Duration
	randomID   func() int
	sessions   struct{ lasts, idle time.Duration }
	// rootOnly lets only root users in by what is kept here of them.
	rootOnly bool
	// tokenIdle is for how long tokens go on without a sign-in at the provider; 0: without end.
	tokenIdle time.Duration
	// invitations is how long one is good; 0: there are none.
	invitations time.Duration

	connectionTypes report.ConnectionTypes

	pace pace // of runs that begin, are approved or are cancelled

	sweeping sync.WaitGroup
	sweptMu  sync.Mutex
	swept    Sweeps
	stop     context.CancelFunc
	stopped  context.Context
}

// Open connects to everything, brings the tables up to date and checks that
// the encryption key is the one the database was sealed with.
func Open(ctx context.Context, c Config) (*Store, error) {
	frozen := c.Clock
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := &Store{clock: c.Clock, frozen: frozen, log: c.Log, runsKept: time.Duration(c.RunDays) * 24 * time.Hour, auditKept: time.Duration(c.AuditDays) * 24 * time.Hour, tempData: c.TempData, connectionTypes: c.ConnectionTypes, randomID: randomID, hash: newHasher(c.PasswordHashes), cache: newCache(c.CacheMB << 20)}
	s.sessions.lasts, s.sessions.idle = time.Duration(c.SessionDays)*24*time.Hour, time.Duration(c.SessionHours)*time.Hour
	s.invitations = time.Duration(c.InvitationDays) * 24 * time.Hour
	s.rootOnly, s.tokenIdle = c.RootOnlyHere, time.Duration(c.TokenIdleDays)*24*time.Hour
	s.stopped, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.open(ctx, c); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, c Config) (err error) {
	if s.db, err = openDatabase(ctx, c); err != nil {
		return err
	}
	if err = s.db.migrate(ctx); err != nil {
		return err
	}
	if c.AuditLines != nil {
		s.db.tell = tellLines(c.AuditLines, s.log.Warn)
	}
	if s.contents, err = openContents(ctx, c.Storage, !c.Unsynced); err != nil {
		return err
	}
	s.contents.hold = &hold{ask: s.contentsHeld}
	if s.seal, err = newSealer(Keys{c.Key, c.Vector}, c.Old...); err != nil {
		return err
	}
	installation, err := s.checkInstallation(ctx)
	if err != nil {
		return err
	}
	if err := s.checkStorage(ctx, installation); err != nil {
		return err
	}
	return s.openVolatile(ctx, c.Redis, installation)
}

// openVolatile finds the place of what is kept for a short time only.
func (s *Store) openVolatile(ctx context.Context, address, installation string) (err error) {
	if address == "" {
		s.nonces, s.attempts = sqlNonces{s.db}, sqlAttempts{s.db}
		return nil
	}
	if s.redis, err = openRedis(ctx, address, installation, s.log); err != nil {
		return err
	}
	s.nonces, s.attempts = redisNonces{s.redis}, redisAttempts{s.redis}
	return nil
}

// Part is something that the service stands on.
type Part struct {
	Name string
	Ping func(ctx context.Context) error // nil when it answers
}

// Parts are the database, the storage and, when there is one, Redis.
func (s *Store) Parts() []Part {
	parts := []Part{{"database", s.db.ping}, {"storage", s.contents.ping}}
	if s.redis != nil {
		parts = append(parts, Part{"redis", s.redis.ping})
	}
	return parts
}

// Close stops the sweeper, then closes everything that was opened.
func (s *Store) Close() error {
	s.stop()
	s.sweeping.Wait()
	var errs []error
	if s.db != nil {
		errs = append(errs, s.lastNotes())
	}
	if s.redis != nil {
		errs = append(errs, s.redis.close())
	}
	if s.contents != nil {
		errs = append(errs, s.contents.close())
	}
	if s.db != nil {
		errs = append(errs, s.db.close())
	}
	return errors.Join(errs...)
}

// shared is the time that all hosts agree on, as SQL: the database's, for leases
// and schedules. With a clock that was handed in, as tests do, it is that one's.
func (s *Store) shared() string {
	if s.frozen == nil {
		return s.db.now
	}
	return strconv.FormatInt(s.frozen().UnixMilli(), 10)
}

// now is the clock in milliseconds, as every time column holds it.
func (s *Store) now() int64 { return s.clock().UnixMilli() }

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func fromMillisOrNil(ms *int64) *time.Time {
	if ms == nil {
		return nil
	}
	t := fromMillis(*ms)
	return &t
}

func toMillisOrNil(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	ms := t.UnixMilli()
	return &ms
}

package store

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store/storetest"
)

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Now().Truncate(time.Millisecond)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// fixture is an open, empty store with one root user.
type fixture struct {
	*Store
	t       testing.TB
	clock   *clock
	config  Config
	root    *User
	storage string // the folder of the contents; empty on S3
}

func (f *fixture) ctx() context.Context { return f.t.Context() }

// ok fails the test on an error.
func ok[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// isKind fails unless the error is a Problem of the kind.
func (f *fixture) isKind(err error, kind report.Kind) {
	f.t.Helper()
	var p *report.Problem
	if !errors.As(err, &p) || p.Kind != kind {
		f.t.Fatalf("got %v; want a Problem of kind %d", err, kind)
	}
}

const (
	testKey    = report.Secret("0123456789abcdef0123456789abcdef")
	testVector = report.Secret("fedcba9876543210")
	rootSecret = report.Secret("Correct-horse-7")
)

func openFixture(t testing.TB, c Config) *fixture {
	t.Helper()
	f := &fixture{t: t, clock: newClock()}
	c.Unsynced = true // a test's data need not survive a power cut
	c.Key, c.Vector, c.Clock = testKey, testVector, f.clock.Now
	c.ConnectionTypes = report.ConnectionTypes{{Name: "postgres"}, {Name: "mysql"}, {Name: "api", Headers: true}}
	if c.Storage == "" {
		f.storage = filepath.Join(t.TempDir(), "contents")
		c.Storage = "file://" + f.storage
	}
	f.config = c
	f.Store = ok[*Store](t)(Open(t.Context(), c))
	t.Cleanup(func() { _ = f.Close() })
	f.root = ok[*User](t)(f.CreateRootUser(t.Context(), "root@example.com", "Root", rootSecret))
	return f
}

// migrated are databases with all tables; tests of the migrations begin with empty ones.
var migrated = storetest.Migrated{Open: func(ctx context.Context, database, storage string) (io.Closer, error) {
	return Open(ctx, Config{Database: database, Storage: storage, Key: testKey, Vector: testVector, Unsynced: true})
}}

func sqliteFixture(t testing.TB) *fixture {
	t.Helper()
	return openFixture(t, Config{Database: migrated.SQLite(t), Exclusive: true})
}

// TestStore runs the same tests on every place data can lie in.
func TestStore(t *testing.T) {
	t.Run("SQLite and folder", func(t *testing.T) { contract(t, sqliteFixture) })
	t.Run("PostgreSQL and folder", func(t *testing.T) {
		server := storetest.Postgres(t)
		contract(t, func(t testing.TB) *fixture { return openFixture(t, Config{Database: migrated.Postgres(t, server)}) })
	})
	t.Run("SQLite, Redis and S3", func(t *testing.T) {
		redis, s3 := storetest.Redis(t), storetest.S3(t)
		contract(t, func(t testing.TB) *fixture {
			return openFixture(t, Config{
				Database: migrated.SQLite(t),
				Redis:    redis,
				Storage:  s3 + "&prefix=" + randomText(8) + "/",
			})
		})
	})
}

func contract(t *testing.T, open func(testing.TB) *fixture) {
	for _, c := range []struct {
		name string
		test func(*fixture)
	}{
		{"ping", testPing},
		{"users", testUsers},
		{"invitations", testInvitations},
		{"second factors", testSecondFactors},
		{"sign-ins that come back with a form", testPostedSignIns},
		{"keys that sign requests to providers", testProviderKeyIsMadeOnce},
		{"passwords and blocked users", testPasswordChange},
		{"connections", testConnections},
		{"authoring", testAuthoring},
		{"library is written", testLibraryIsWritten},
		{"deleted is brought back", testDeletedIsBroughtBack},
		{"report types are written", testReportTypesAreWritten},
		{"history of a report", testHistoryIsBounded},
		{"history of two who edit at once", testTwoInASitting},
		{"deleting is undone", testDeletingIsUndone},
		{"members", testMembers},
		{"nobody rises by themselves", testNobodyRisesByThemselves},
		{"editing roles", testEditingRoles},
		{"all users", testAllUsers},
		{"workspaces are written", testWorkspacesAreWritten},
		{"moving reports", testMovingReports},
		{"transferring templates", testTransferringTemplates},
		{"finding reports", testFindingReports},
		{"new connections replace none", testNewConnectionsReplaceNone},
		{"tokens", testTokens},
		{"last use of a token", testTokenUse},
		{"reach of a token", testTokenReach},
		{"tokens of the absent", testTokensOfTheAbsent},
		{"service accounts", testServiceAccounts},
		{"nobody rises by a service account", testNobodyRisesByAServiceAccount},
		{"groups", testGroups},
		{"rights by groups", testGroupRights},
		{"nobody rises by a group", testNobodyRisesByAGroup},
		{"access rules of groups", testGroupAccess},
		{"groups of providers", testSourceGroups},
		{"people are changed and deleted", testPeopleAreChangedAndDeleted},
		{"provisioning", testProvisioning},
		{"who was provisioned signs in", testProvisionedSignIn},
		{"tokens for provisioning", testProvisioningTokens},
		{"sessions", testSessions},
		{"known browsers", testDevices},
		{"attempts", testAttempts},
		{"preview sessions", testPreviewSessions},
		{"nonces", testNonces},
		{"racing nonces", testNonceRace},
		{"workspaces and roles", testAccess},
		{"own reports", testOwnReports},
		{"access rules of reports", testReportAccess},
		{"comments", testComments},
		{"comments that are refused", testCommentsAreRefused},
		{"who has a report open", testPresence},
		{"who may see a report", testOnlookers},
		{"deleted comments go", testDeletedCommentsGo},
		{"default reports of types", testDefaultReportsOfTypes},
		{"roles of their own", testRoles},
		{"temporary data", testTempData},
		{"expiry of temporary data", testTempDataExpiry},
		{"quota of temporary data", testTempDataQuota},
		{"random IDs", testRandomIDs},
		{"grants end", testGrantsEnd},
		{"previews of before", testPreviewsOfBefore},
		{"orphans", testOrphans},
		{"managed files", testFiles},
		{"bundle round trip", testBundle},
		{"import again", testImportAgain},
		{"faulty bundles", testFaultyBundles},
		{"racing imports", testImportRace},
		{"lists", testLists},
		{"references", testReferences},
		{"library", testLibrary},
		{"names of before", testNamesOfBefore},
		{"preview images", testPreviewImages},
		{"picture tasks", testPictureTasks},
		{"pictures of versions", testVersionPictures},
		{"versions that are brought in", testUploadedVersions},
		{"sealed values", testSeal},
		{"export files", testExportFiles},
		{"usage of workspaces", testUsage},
		{"list of exports", testExportList},
		{"orphans of exports", testExportOrphans},
		{"deleted exports", testDeletedExport},
		{"queue", testQueue},
		{"order of the queue", testQueueOrder},
		{"turns of runs", testRunsTakeTurns},
		{"turns of workspaces with many runs", testRunsShareTheTurnsOfTheirWorkspace},
		{"turns beside what waits to be tried again", testWhatIsDelayedHoldsNobodyBack},
		{"turns beside what takes long", testWhatTakesLongHoldsNobodyBack},
		{"work that some do", testWorkIsLeftToOthers},
		{"turns beside work that nobody does", testWorkThatNobodyDoesHoldsNoneBack},
		{"state of the queue", testQueueState},
		{"what waits", testWhatWaits},
		{"suspects", testSuspects},
		{"racing workers", testQueueRace},
		{"idempotency keys", testIdempotency},
		{"runs of jobs", testRuns},
		{"a large run is approved in parts", testALargeRunIsApprovedInParts},
		{"a run changes while it is approved", testARunChangesWhileItIsApproved},
		{"a run is cancelled while it is approved", testARunIsCancelledWhileItIsApproved},
		{"a run that is begun again", testBeginningGoesOn},
		{"a large run that is begun again", testALargeBeginningGoesOn},
		{"a large run that is fed while it is written", testFedWhileWritten},
		{"a run that two begin", testTwoBeginARun},
		{"a run that is cancelled while it begins", testCancelledWhileBegun},
		{"where a cancellation begins", testCancellingBeginsWhereWorkIs},
		{"slices of a large run", testLargeRunsAreFed},
		{"a large run is cancelled", testALargeRunIsCancelled},
		{"a cancellation is cut off", testACancellationIsCutOff},
		{"a large run begun by two versions", testVersionsBeginALargeRun},
		{"a large run with delays", testDelayedHoldNobodyBack},
		{"a large run fed by another process", testOneFeedsARun},
		{"ends of several tasks", testEndsTogether},
		{"an end that cannot be written", testAnEndFailsAlone},
		{"entries that are being made", testEntriesBeingMade},
		{"deliveries that begin together", testDeliveriesBeginTogether},
		{"deliveries that wait for the first", testDeliveriesWaitForTheFirst},
		{"a delivery of a task that was cut short", testNoDeliveryBeginsOfACutTask},
		{"review of many entries", testReviewOfMany},
		{"marks of deliveries", testDeliveryMarks},
		{"old runs", testOldRuns},
		{"counts of entries", testCounts},
		{"wrong counts of entries", testWrongCounts},
		{"who leads", testLeader},
		{"many contents", testManyContentsAreDeleted},
		{"audit log", testAudit},
		{"audit log is searched", testAuditQueries},
		{"audit log is swept", testAuditIsSwept},
		{"reopening", testReopen},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(open(t)) })
	}
}

func testPing(f *fixture) {
	for _, part := range f.Parts() {
		if err := part.Ping(f.ctx()); err != nil {
			f.t.Errorf("%s: %v", part.Name, err)
		}
	}
}

// testReopen closes and opens: everything is there, migrations do nothing.
func testReopen(f *fixture) {
	token := ok[string](f.t)(f.CreateToken(f.ctx(), f.root.ID, NewToken{Name: "ci"}))
	f.must(f.Close())
	f.Store = ok[*Store](f.t)(Open(f.ctx(), f.config))
	f.t.Cleanup(func() { _ = f.Close() })
	if u := ok[*User](f.t)(f.UserByToken(f.ctx(), token)); *u != *f.root {
		f.t.Errorf("user after reopening: %+v, want %+v", u, f.root)
	}

	wrong := f.config
	wrong.Exclusive, wrong.Key = false, "another-key-of-exactly-32-chars!"
	_, err := Open(f.ctx(), wrong)
	f.isKind(err, report.Invalid)
}

func TestOpenRefusesWrongSettings(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]Config{
		"Encryption__Key":             {Key: "short", Vector: testVector},
		"Encryption__Vector":          {Key: testKey, Vector: "short"},
		"ConnectionStrings__Database": {Key: testKey, Vector: testVector, Database: "mysql://db"},
		"Storage__Url":                {Key: testKey, Vector: testVector, Database: "sqlite:" + filepath.Join(dir, "a.db"), Storage: "ftp://x"},
		"ConnectionStrings__Redis":    {Key: testKey, Vector: testVector, Database: "sqlite:" + filepath.Join(dir, "b.db"), Storage: "file://" + dir + "/f", Redis: "http://x"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), c)
			var p *report.Problem
			if !errors.As(err, &p) || p.Path != name {
				t.Errorf("got %v; want a Problem that names %s", err, name)
			}
		})
	}
	_, err := Open(t.Context(), Config{Key: testKey, Vector: testVector, Database: "postgres://u:hush@[bad/x"})
	if err == nil || containsText(err, "hush") {
		t.Errorf("a wrong address shows its password: %v", err)
	}
}

// TestOneOwner: a second service on one SQLite file is refused; a short
// command beside the service works, and the lock ends with the owner.
func TestOneOwner(t *testing.T) {
	f := sqliteFixture(t)
	_, err := Open(t.Context(), f.config)
	f.isKind(err, report.Conflict)

	beside := f.config
	beside.Exclusive = false
	command := ok[*Store](t)(Open(t.Context(), beside))
	token := ok[string](t)(command.CreateToken(t.Context(), f.root.ID, NewToken{Name: "from the command line"}))
	f.must(command.Close())
	ok[*User](t)(f.UserByToken(t.Context(), token))

	f.must(f.Close())
	again := ok[*Store](t)(Open(t.Context(), f.config))
	f.must(again.Close())
}

// TestCommandDoesNotMigrateUnderService: tables of a running service change
// only through its owner.
func TestCommandDoesNotMigrateUnderService(t *testing.T) {
	file := filepath.Join(t.TempDir(), "quire.db")
	held := ok[*fileLock](t)(lockFile(file + ".lock"))
	c := Config{Database: "sqlite:" + file, Storage: "file://" + t.TempDir(), Key: testKey, Vector: testVector}
	_, err := Open(t.Context(), c)
	(&fixture{t: t}).isKind(err, report.Conflict)
	if err := held.release(); err != nil {
		t.Fatal(err)
	}
	s := ok[*Store](t)(Open(t.Context(), c))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestOlderProgramIsRefused: tables of a later version are not touched.
func TestOlderProgramIsRefused(t *testing.T) {
	f := sqliteFixture(t)
	_, err := f.db.exec(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, TRUE)")
	f.must(err)
	_, err = f.db.exec(t.Context(), "UPDATE installation SET value = '9998' WHERE name = 'oldest-tables'")
	f.must(err)
	f.must(f.Close())
	_, err = Open(t.Context(), f.config)
	f.isKind(err, report.Invalid)
}

// TestServersAway: when a server goes, callers are told to try again, the
// log has the cause, and it is used again when it is back.
func TestServersAway(t *testing.T) {
	redis, dir := storetest.Redis(t), t.TempDir()
	f := openFixture(t, Config{Database: "sqlite:" + filepath.Join(dir, "quire.db"), Redis: redis})
	nonce := ok[string](t)(f.CreateNonce(t.Context(), f.grant()))
	f.must(f.redis.client.Do(t.Context(), "CLIENT", "PAUSE", "300", "ALL").Err())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, part := range f.Parts() {
		if err := part.Ping(ctx); (err != nil) != (part.Name == "redis") {
			t.Errorf("%s while Redis is away: %v", part.Name, err)
		}
	}
	_, _, err := f.TakeNonce(t.Context(), nonce)
	f.must(err)
	f.redis.client.Shutdown(t.Context()) // its answer is a closed connection
	_, err = f.CreateNonce(t.Context(), f.grant())
	f.isKind(err, report.Busy)
	if Cause(err) == nil {
		t.Error("the cause is lost")
	}
}

func TestDatabaseFileIsPrivate(t *testing.T) {
	f := sqliteFixture(t)
	info, err := os.Stat(f.db.file)
	f.must(err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the database: %v", info.Mode().Perm())
	}
}

// TestPostgresProcessesStartTogether: of several starting on an empty database
// one makes the tables.
func TestPostgresProcessesStartTogether(t *testing.T) {
	address, storage := storetest.Postgres(t).Database(t), "file://"+t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := Open(t.Context(), Config{Database: address, Storage: storage, Key: testKey, Vector: testVector})
			if err != nil {
				t.Error(err)
				return
			}
			_ = s.Close()
		})
	}
	wg.Wait()
}

package api

import (
	"testing"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/store/storetest"
)

// opener opens a house on the database that is tested.
type opener func(t testing.TB, change ...func(*Config)) *house

// TestContract runs what touches the database on both kinds of it.
func TestContract(t *testing.T) { contract(t, open) }

func TestContractOnPostgres(t *testing.T) {
	judges.Slow(t)
	server := storetest.Postgres(t)
	contract(t, func(t testing.TB, change ...func(*Config)) *house {
		return openOn(t, migrated.Postgres(t, server), change...)
	})
}

func contract(t *testing.T, open opener) {
	for _, c := range []struct {
		name string
		test func(*testing.T, opener)
	}{
		{"lists", testLists},
		{"exports", testExportsEndToEnd},
		{"export requests", testExportRequests},
		{"temporary data", testTemporaryData},
		{"nonce tokens", testNonceTokens},
		{"statuses", testStatusesOfTheAPI},
		{"bad input", testBadInput},
		{"every route and every role", testEveryRouteAgainstEveryRole},
		{"pages of groups", testGroupPages},
		{"every route and wrong credentials", testEveryRouteAgainstWrongCredentials},
		{"cookies", testCookiesReachOnlyWhatTheyMay},
		{"limited requests", testRequestsOfOneUserAreLimited},
		{"racing nonces", testNonceRace},
		{"nonces looked at", testNonceLooks},
		{"refused nonces", testRefusedNonces},
		{"a nonce becomes a cookie", testNonceBecomesCookie},
		{"signing in", testSignIn},
		{"single sign-on", testSingleSignOn},
		{"coming back from a provider", testComingBack},
		{"accounts of identities", testAccountsOfIdentities},
		{"groups that providers name", testToldGroups},
		{"a role that is taken at the provider", testARoleThatIsTaken},
		{"single sign-on by SAML", testSAML},
		{"coming back by SAML", testSAMLComingBack},
		{"signing out by SAML", testSAMLSigningOut},
		{"trying SAML", testTryingSAML},
		{"signing out at a provider", testSigningOutThere},
		{"trying a provider", testTryingAProvider},
		{"signing in at a directory", testDirectorySignIn},
		{"no account is taken over", testNoAccountIsTakenOver},
		{"strangers lock no account of a directory", testStrangersLockNoDirectoryAccount},
		{"following a directory", testDirectorySync},
		{"one service follows", testOneLooksUp},
		{"trying a directory", testTryingADirectory},
		{"directories and second factors", testDirectoryAndSecondFactor},
		{"strangers lock nobody out", testStrangersLockNobodyOut},
		{"devices", testDevicePage},
		{"languages", testLanguage},
		{"profiles", testProfile},
		{"pictures of people", testPictures},
		{"tokens", testTokenPages},
		{"one's own password", testOwnPassword},
		{"users", testUserPages},
		{"workspaces", testWorkspacePages},
		{"members", testMemberPages},
		{"invitations", testInvitations},
		{"second factors", testSecondFactor},
		{"passkeys", testPasskeys},
		{"passkeys that are refused", testPasskeysThatAreRefused},
		{"a copied passkey", testACopiedPasskeyIsRefused},
		{"a role that needs a second factor", testARoleNeedsASecondFactor},
		{"the public suite of SCIM", testPublicSuiteOfSCIM},
		{"SCIM as directories speak it", testProvisioningAsDirectoriesDoIt},
		{"SCIM reads addresses as they were said", testAddressesAreReadAsTheyWereSaid},
		{"SCIM is limited", testRequestsOfAProvisionerAreLimited},
		{"second factors that are required", testRequiredSecondFactor},
		{"forgotten passwords", testForgottenPassword},
		{"links of root users", testPasswordLinks},
		{"invitations of people with accounts", testInvitationsOfUsers},
		{"roles", testRolePages},
		{"the menu of a report", testReportMenu},
		{"managed files", testFilePages},
		{"connections", testConnectionPages},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open) })
	}
}

package sso

import (
	"strings"
	"unicode"
)

// Why is a reason for which somebody is not let in.
type Why string

// The reasons.
const (
	Unreachable  Why = "the provider does not answer as it should"
	Busy         Why = "too many people sign in at this moment"
	Declined     Why = "the provider did not let you in"
	OtherIssuer  Why = "the answer is of another provider"
	BadToken     Why = "what the provider sent is not accepted"
	NoEmail      Why = "the provider names no e-mail address"
	Unverified   Why = "the provider has not verified the e-mail address"
	OtherDomain  Why = "the e-mail address is of no accepted domain"
	NoGroup      Why = "a required group is missing"
	NoGroups     Why = "the provider leaves out the groups, as there are too many"
	NoRole       Why = "no group leads to a role"
	NoAccount    Why = "there is no account, and none is made"
	AddressTaken Why = "another account has the e-mail address"
	Blocked      Why = "the account is blocked"

	WrongPassword Why = "user name or password is wrong"
	Expired       Why = "the password has expired there"
	Disabled      Why = "the account is disabled there"
	BadEntry      Why = "what the directory says of the person is not accepted"
	NoPerson      Why = "the directory has no such person"
)

// Refusal is why somebody is not let in.
type Refusal struct {
	Why   Why
	Value string // what is missing or wrong
	Err   error  // for the log
}

// Error is for the log; people read it in their language.
func (r *Refusal) Error() string {
	text := string(r.Why)
	if r.Value != "" {
		text += ": " + r.Value
	}
	if r.Err != nil && r.Value == "" {
		text += ": " + r.Err.Error()
	}
	return text
}

// Unwrap is the cause.
func (r *Refusal) Unwrap() error { return r.Err }

func refuse(why Why, value string) *Refusal { return &Refusal{Why: why, Value: value} }

// isName tells whether something can be known by a text from now on.
func isName(text string) bool { return len(text) <= 255 && text == short(text) }

// short is what a provider says, as a page and a log take it.
func short(text string) string {
	const most = 300
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) && r != ' ' {
			return -1
		}
		return r
	}, strings.TrimSpace(strings.ToValidUTF8(text, "")))
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

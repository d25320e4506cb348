package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// tokenList lists access tokens: of all people and service accounts, or of one
// person.
func tokenList(c *common) *cobra.Command {
	var user string
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List access tokens with owner, workspace, scopes, expiry and last use", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error {
		return withStore(cmd, c, func(ctx context.Context, st *store.Store) error {
			tokens, err := tokensOf(ctx, st, user)
			if err != nil {
				return err
			}
			if asJSON {
				return writeTokens(tokens)
			}
			return printTokens(tokens, time.Now())
		})
	}}
	cmd.Flags().StringVar(&user, "user", "", "e-mail address of the only user whose tokens are listed (default everybody's)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON, for programs")
	return cmd
}

// tokenRevoke ends tokens: at once, also for a service that runs.
func tokenRevoke(c *common) *cobra.Command {
	var user string
	var all bool
	cmd := &cobra.Command{Use: "revoke {number …} | --user {email} --all", Short: "Revoke access tokens by the numbers that list prints, or all of a user", RunE: func(cmd *cobra.Command, args []string) error {
		if (len(args) > 0) == all || all != (user != "") {
			return usageError{errors.New("give the numbers of tokens, or --user with --all")}
		}
		var ids []int
		for _, arg := range args {
			id, err := strconv.Atoi(arg)
			if err != nil || id < 1 {
				return usageError{fmt.Errorf("%q is no number of a token; quire token list prints them", arg)}
			}
			ids = append(ids, id)
		}
		return withStore(cmd, c, func(ctx context.Context, st *store.Store) error {
			if all {
				tokens, err := tokensOf(ctx, st, user)
				if err != nil {
					return err
				}
				for _, t := range tokens {
					ids = append(ids, t.ID)
				}
			}
			for _, id := range ids {
				if err := st.WithdrawToken(ctx, id); err != nil {
					return err
				}
				fmt.Println("token", id, "is revoked")
			}
			return nil
		})
	}}
	cmd.Flags().StringVar(&user, "user", "", "e-mail address of the user, with --all")
	cmd.Flags().BoolVar(&all, "all", false, "all tokens of the user")
	return cmd
}

// tokensOf lists the tokens of a person, or of everybody.
func tokensOf(ctx context.Context, st *store.Store, user string) ([]store.Token, error) {
	if user == "" {
		return st.AllTokens(ctx, "")
	}
	u, err := st.UserByEmail(ctx, user)
	if err != nil {
		return nil, err
	}
	return st.Tokens(ctx, u.ID)
}

func printTokens(tokens []store.Token, now time.Time) error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "NUMBER\tOWNER\tNAME\tENDING\tWORKSPACE\tSCOPES\tEXPIRES\tLAST USED")
	for _, t := range tokens {
		expires := day(t.Expires, "never")
		if t.Expires != nil && !t.Expires.After(now) {
			expires += " (expired)"
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t…%s\t%s\t%s\t%s\t%s\n", t.ID, t.Owner, t.Name, t.Ending, orAll(t.Workspace), orAll(t.Reach.Scopes.String()), expires, day(t.LastUsed, "never"))
	}
	return out.Flush()
}

func orAll(text string) string {
	if text == "" {
		return "all"
	}
	return text
}

func day(t *time.Time, none string) string {
	if t == nil {
		return none
	}
	return t.UTC().Format(time.DateOnly)
}

// tokenLine is a token as programs read it; it is not the token.
type tokenLine struct {
	ID        int               `json:"id"`
	Owner     string            `json:"owner"`
	Name      string            `json:"name"`
	Ending    string            `json:"ending"`
	Workspace string            `json:"workspace"` // empty: all
	Scopes    []string          `json:"scopes"`    // none: all
	Created   report.Timestamp  `json:"created"`
	Expires   *report.Timestamp `json:"expires"`
	LastUsed  *report.Timestamp `json:"lastUsed"`
}

func writeTokens(tokens []store.Token) error {
	lines := make([]tokenLine, len(tokens))
	for i, t := range tokens {
		lines[i] = tokenLine{t.ID, t.Owner, t.Name, t.Ending, t.Workspace, t.Reach.Scopes.Names(), report.Timestamp(t.Created), (*report.Timestamp)(t.Expires), (*report.Timestamp)(t.LastUsed)}
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(lines)
}

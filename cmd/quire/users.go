package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/store"
)

// userCommand lets whoever rules the machine let people in again.
func userCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{Use: "user", Short: "Accounts of people who cannot sign in any more", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		ofUser(c, "password", "Make a new password and print it; the user is signed out everywhere", func(ctx context.Context, st *store.Store, u *store.User) error {
			password := store.NewPassword()
			err := st.SetPassword(ctx, u.ID, password)
			if err == nil {
				fmt.Println(password.Reveal())
			}
			return err
		}),
		ofUser(c, "second-factor-off", "Take the second factor away, so that the password alone lets in", func(ctx context.Context, st *store.Store, u *store.User) error {
			factor, err := st.SecondFactorOf(ctx, u.ID)
			if err == nil && factor == nil {
				return fmt.Errorf("%s has no second factor", u.Email)
			}
			if err == nil {
				err = st.RemoveSecondFactor(ctx, u.ID)
			}
			if err == nil {
				fmt.Println("the second factor of", u.Email, "is taken away")
			}
			return err
		}),
	)
	return cmd
}

// ofUser is a command about the account with an address.
func ofUser(c *common, name, short string, do func(context.Context, *store.Store, *store.User) error) *cobra.Command {
	var email string
	cmd := &cobra.Command{Use: name + " --user {email}", Short: short, Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error {
		if email == "" {
			return usageError{errors.New("--user is required")}
		}
		return withStore(cmd, c, func(ctx context.Context, st *store.Store) error {
			u, err := st.UserByEmail(ctx, email)
			if err != nil {
				return err
			}
			return do(ctx, st, u)
		})
	}}
	cmd.Flags().StringVar(&email, "user", "", "e-mail address of the account")
	return cmd
}

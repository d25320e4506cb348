package deliver

import (
	"encoding/json"

	"github.com/rclone/rclone/fs/config/configmap"

	"github.com/quire-reports/quire/report"
)

// cloudApp is what all drives ask for: the application that was registered with
// the provider, and the sign-in of a user to it.
type cloudApp struct {
	ClientID     string        `json:"clientId" label:"Client ID" editor:"text" help:"Of the application that you register with the provider: in the Google Cloud console, in Microsoft Entra or in the App Console of Dropbox."`
	ClientSecret report.Secret `json:"clientSecret" label:"Client secret" editor:"secret"`
	Token        report.Secret `json:"token" label:"Token" editor:"secret-text" help:"What signing in gave: JSON with access_token, refresh_token and expiry, as the command rclone authorize prints it; or the refresh token alone. It is renewed by itself."`
	Folder       string        `json:"folder" label:"Folder" editor:"text" help:"Deliveries write below it. Empty means the top of the drive."`
}

func (c *cloudApp) options() configmap.Simple {
	return configmap.Simple{"client_id": c.ClientID, "client_secret": c.ClientSecret.Reveal(), "token": c.Token.Reveal()}
}

func (c *cloudApp) check(path string) report.Problems {
	var problems report.Problems
	var token struct {
		Access string `json:"access_token"`
	}
	if c.Token != "" && (json.Unmarshal([]byte(c.Token), &token) != nil || token.Access == "") {
		problems = append(problems, report.Problemf(report.JoinPath(path, "token"), "is no JSON with an access_token; paste what the command rclone authorize prints"))
	}
	if _, err := SafePath(c.Folder); err != nil {
		problems = append(problems, report.Problemf(report.JoinPath(path, "folder"), "%s", err))
	}
	return problems
}

// checkSignedIn is check for drives that know no other way than a token.
func (c *cloudApp) checkSignedIn(path string) report.Problems {
	switch {
	case c.Token == "":
		return report.Problems{report.Problemf(report.JoinPath(path, "token"), "is missing; sign in first")}
	case c.ClientID == "":
		return report.Problems{report.Problemf(report.JoinPath(path, "clientId"), "is missing; register an application with the provider")}
	}
	return c.check(path)
}

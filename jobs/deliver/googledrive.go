package deliver

import (
	"context"
	"encoding/json"

	"github.com/quire-reports/quire/report"
)

var googleDrive = probed(define("googleDrive", "Google Drive", "A folder in Google Drive, a person's or a shared drive.", deliverGoogleDrive), probeGoogleDrive)

type googleConnection struct {
	cloudApp
	ServiceAccount report.Secret `json:"serviceAccount" label:"Service account" editor:"secret-text" help:"The JSON key of a service account, in place of signing in. It sees what is shared with it."`
	FolderID       string        `json:"folderId" label:"ID of the folder" editor:"text" help:"The last part of the folder's address in the browser; the folder above is then taken below it."`
	SharedDrive    string        `json:"sharedDrive" label:"ID of the shared drive" editor:"text"`
}

func (c *googleConnection) validate(path string) report.Problems {
	if c.ServiceAccount == "" {
		return c.checkSignedIn(path)
	}
	// Other kinds of such files name programs to run and files to read.
	var key struct {
		Type  string `json:"type"`
		Email string `json:"client_email"`
	}
	if json.Unmarshal([]byte(c.ServiceAccount), &key) != nil || key.Type != "service_account" || key.Email == "" {
		return report.Problems{report.Problemf(report.JoinPath(path, "serviceAccount"), "is no key of a service account; paste the whole JSON file")}
	}
	return c.check(path)
}

func deliverGoogleDrive(ctx context.Context, d *delivery, conn *googleConnection, set *fileSettings) (Receipt, error) {
	return deliverCloud(ctx, d, conn.cloud(), set)
}

func (c *googleConnection) cloud() cloud {
	options := c.options()
	options["scope"] = "drive"
	options["skip_gdocs"] = "true" // they have no bytes to compare
	options["root_folder_id"], options["team_drive"] = c.FolderID, c.SharedDrive
	options["service_account_credentials"] = c.ServiceAccount.Reveal()
	return cloud{backend: "drive", label: "Google Drive", options: options, folder: c.Folder, byID: true}
}

package deliver

import (
	"context"

	"github.com/quire-reports/quire/report"
)

var oneDrive = define("onedrive", "OneDrive and SharePoint", "A folder in a drive of Microsoft 365: a person's, or a library of a SharePoint site.", deliverOneDrive)

type oneDriveConnection struct {
	cloudApp
	DriveID   string `json:"driveId" label:"Drive" editor:"text" required:"true" help:"ID of the drive or document library, as Microsoft Graph tells it."`
	DriveType string `json:"driveType" label:"Kind of drive" enum:"business,documentLibrary,personal" default:"business"`
	Tenant    string `json:"tenant" label:"Tenant" editor:"text" help:"ID of the directory in which the application is registered, if it is for that one only."`
}

func (c *oneDriveConnection) validate(path string) report.Problems { return c.checkSignedIn(path) }

func deliverOneDrive(ctx context.Context, d *delivery, conn *oneDriveConnection, set *fileSettings) (Receipt, error) {
	options := conn.options()
	options["drive_id"], options["drive_type"] = conn.DriveID, conn.DriveType
	if conn.Tenant != "" {
		options["tenant"] = conn.Tenant
	}
	return deliverCloud(ctx, d, cloud{"onedrive", "OneDrive", options, conn.Folder}, set)
}

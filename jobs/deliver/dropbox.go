package deliver

import (
	"context"

	"github.com/quire-reports/quire/report"
)

var dropboxDrive = define("dropbox", "Dropbox", "A folder in Dropbox.", deliverDropbox)

type dropboxConnection struct{ cloudApp }

func (c *dropboxConnection) validate(path string) report.Problems { return c.checkSignedIn(path) }

func deliverDropbox(ctx context.Context, d *delivery, conn *dropboxConnection, set *fileSettings) (Receipt, error) {
	options := conn.options()
	options["batch_mode"] = "off" // one file at a time, known to be there when it is done
	options["chunk_size"] = "8M"  // which is held in memory
	return deliverCloud(ctx, d, cloud{backend: "dropbox", label: "Dropbox", options: options, folder: conn.Folder}, set)
}

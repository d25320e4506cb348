package deliver

import (
	"context"

	"github.com/quire-reports/quire/report"
)

var dropboxDrive = probed(define("dropbox", "Dropbox", "A folder in Dropbox.", deliverDropbox), probeDropbox)

type dropboxConnection struct{ cloudApp }

func (c *dropboxConnection) validate(path string) report.Problems { return c.checkSignedIn(path) }

func deliverDropbox(ctx context.Context, d *delivery, conn *dropboxConnection, set *fileSettings) (Receipt, error) {
	return deliverCloud(ctx, d, conn.cloud(), set)
}

func (c *dropboxConnection) cloud() cloud {
	options := c.options()
	options["batch_mode"] = "off" // one file at a time, known to be there when it is done
	options["chunk_size"] = "8M"  // which is held in memory
	return cloud{backend: "dropbox", label: "Dropbox", options: options, folder: c.Folder}
}

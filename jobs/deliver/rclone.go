package deliver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	_ "github.com/rclone/rclone/backend/drive"   // registers "drive"
	_ "github.com/rclone/rclone/backend/dropbox" // registers "dropbox"
	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/configmap"
	"github.com/rclone/rclone/fs/fserrors"
	"github.com/rclone/rclone/fs/hash"
	"github.com/rclone/rclone/fs/object"
	"github.com/rclone/rclone/lib/atexit"
)

// This file and rclonefolders.go are the only ones that know rclone, whose Go
// interface is not stable.

// cloud is a drive that rclone reaches.
type cloud struct {
	backend string // as rclone calls it
	label   string
	options configmap.Simple
	folder  string
	// byID is set when there may be several folders of one name.
	byID bool
}

// deliverCloud places files in a drive. Drives keep an upload only once it is
// complete, so files are written under their own name; between looking and
// writing somebody else may write the same name.
func deliverCloud(ctx context.Context, d *delivery, c cloud, set *fileSettings) (Receipt, error) {
	folder, err := SafePath(c.folder)
	if err != nil {
		return Receipt{}, err
	}
	if d.env.Egress == nil {
		return Receipt{}, permanent("no outgoing connections can be made here")
	}
	open, placed := c.open, *set
	if c.byID {
		open = c.openByID
		if c.folder, err = wholeFolder(folder, &placed); err != nil {
			return Receipt{}, err
		}
		folder = c.folder
	}
	life, end := context.WithCancel(ctx)
	defer end()
	way, err := d.openTunnel(life)
	if err != nil {
		return Receipt{}, err
	}
	defer way.close()
	files := &cloudFiles{cloud: c, way: way}
	if files.fs, err = open(life, d, way, folder); err != nil {
		return Receipt{}, files.failed(ctx, "opening", "", err)
	}
	return placeFiles(rcloneContext(life, d, way), files, placed, d.docs)
}

// probeCloud opens the drive, which needs a token that is accepted, and asks how
// full it is.
func probeCloud(ctx context.Context, d *delivery, c cloud) (string, error) {
	folder, err := SafePath(c.folder)
	if err != nil {
		return "", err
	}
	if d.env.Egress == nil {
		return "", permanent("no outgoing connections can be made here")
	}
	life, end := context.WithCancel(ctx)
	defer end()
	way, err := d.openTunnel(life)
	if err != nil {
		return "", err
	}
	defer way.close()
	files := &cloudFiles{cloud: c, way: way}
	if files.fs, err = c.open(life, d, way, folder); err != nil {
		return "", files.failed(ctx, "opening", "", err)
	}
	about := files.fs.Features().About
	if about == nil {
		_, err = files.fs.List(rcloneContext(life, d, way), "")
	} else {
		_, err = about(rcloneContext(life, d, way))
	}
	if err != nil && !errors.Is(err, fs.ErrorDirNotFound) {
		return "", files.failed(ctx, "looking at", "", err)
	}
	return c.label + " accepts the sign-in of the connection", nil
}

// rcloneContext carries rclone's settings for one delivery. Nothing is read
// from the environment, from rclone's own file or from flags.
func rcloneContext(ctx context.Context, d *delivery, way *tunnel) context.Context {
	ctx, config := fs.AddConfig(ctx)
	config.HTTPProxy = way.address.String()
	config.ConnectTimeout, config.Timeout = fs.Duration(20*time.Second), fs.Duration(d.env.idle())
	config.LowLevelRetries, config.Retries = 3, 1
	config.InsecureSkipVerify, config.ClientCert, config.ClientKey, config.CaCert = false, "", "", nil
	config.Dump, config.Headers, config.UploadHeaders = 0, nil, nil
	config.UserAgent = "Quire"
	return ctx
}

func (c *cloud) open(ctx context.Context, d *delivery, way *tunnel, folder string) (fs.Fs, error) {
	// rclone would end this process when it is asked to end, in the midst of
	// what others do.
	atexit.IgnoreSignals()
	info, err := fs.Find(c.backend)
	if err != nil {
		return nil, err
	}
	options := configmap.New()
	options.AddGetter(c.options, configmap.PriorityNormal)
	options.AddGetter(rcloneDefaults{info.Options}, configmap.PriorityDefault)
	options.AddSetter(refreshed{d, c.options})
	return info.NewFs(rcloneContext(ctx, d, way), "quire", folder, options)
}

// rcloneDefaults are the defaults of a backend's options.
type rcloneDefaults struct{ options fs.Options }

func (r rcloneDefaults) Get(key string) (string, bool) {
	if o := r.options.Get(key); o != nil {
		return o.String(), true
	}
	return "", false
}

// refreshed hears of a new sign-in, to be kept in place of the old.
type refreshed struct {
	d       *delivery
	options configmap.Simple
}

func (r refreshed) Set(key, value string) {
	r.options.Set(key, value)
	if key == "token" {
		r.d.learn("token", value)
	}
}

// cloudFiles keeps files in a drive.
type cloudFiles struct {
	cloud
	fs  fs.Fs
	way *tunnel
}

func (f *cloudFiles) place(at string) string { return f.label + ": " + path.Join("/", f.folder, at) }

func (f *cloudFiles) look(ctx context.Context, at string) (*foundFile, error) {
	o, err := f.fs.NewObject(ctx, at)
	switch {
	case errors.Is(err, fs.ErrorObjectNotFound), errors.Is(err, fs.ErrorDirNotFound):
		return nil, nil
	case errors.Is(err, fs.ErrorIsDir):
		return nil, permanent("%s is a folder; choose another name", f.place(at))
	case err != nil:
		return nil, f.failed(ctx, "looking for", at, err)
	}
	return &foundFile{size: o.Size(), same: func(ctx context.Context, doc *document) (bool, bool) {
		return sameHash(ctx, o, f.fs.Hashes().GetOne(), doc)
	}}, nil
}

// sameHash compares by the kind of hash that a drive keeps.
func sameHash(ctx context.Context, o fs.Object, kind hash.Type, doc *document) (same, known bool) {
	if kind == hash.None {
		return false, false
	}
	there, err := o.Hash(ctx, kind)
	if err != nil || there == "" {
		return false, false
	}
	r, err := doc.open(ctx)
	if err != nil {
		return false, false
	}
	defer r.Close()
	sums, err := hash.StreamTypes(r, hash.NewHashSet(kind))
	return err == nil && strings.EqualFold(sums[kind], there), err == nil
}

func (f *cloudFiles) read(ctx context.Context, at string) (io.ReadCloser, error) {
	o, err := f.fs.NewObject(ctx, at)
	if err == nil {
		var r io.ReadCloser
		if r, err = o.Open(ctx); err == nil {
			return r, nil
		}
	}
	return nil, f.failed(ctx, "reading", at, err)
}

func (f *cloudFiles) write(ctx context.Context, at string, doc *document, replace bool) error {
	from, err := doc.open(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	info := object.NewStaticObjectInfo(at, time.Now(), doc.Size, true, nil, nil).WithMimeType(doc.ContentType)
	var o fs.Object
	if replace {
		o, err = f.fs.NewObject(ctx, at)
	}
	if o != nil && err == nil {
		err = o.Update(ctx, from, info)
	} else {
		o, err = f.fs.Put(ctx, from, info)
	}
	switch {
	case doc.failed() != nil:
		return doc.failed()
	case err != nil:
		return f.failed(ctx, "writing", at, err)
	case o.Size() >= 0 && o.Size() != doc.Size:
		return temporary("%s kept %d of %d bytes", f.label, o.Size(), doc.Size)
	}
	return nil
}

// failed words what rclone says.
func (f *cloudFiles) failed(ctx context.Context, doing, at string, err error) error {
	var own *Error
	switch {
	case errors.As(err, &own):
		return own
	case ctx.Err() != nil:
		return asError(ctx, err)
	case f.way.lastFailure() != nil:
		return f.way.lastFailure()
	}
	text := plain(err.Error())
	e := temporary("%s %s failed: %s", doing, f.place(at), text)
	switch {
	case errors.Is(err, fs.ErrorIsFile):
		return permanent("%s is a file, not a folder", f.place(at))
	case strings.Contains(text, "token") || strings.Contains(text, "401") || strings.Contains(text, "invalid_grant"):
		e.Permanent = true
		e.Message = fmt.Sprintf("%s no longer accepts the sign-in of the connection: %s; sign in again", f.label, text)
	case fserrors.IsFatalError(err) || fserrors.IsNoRetryError(err) || strings.Contains(text, "insufficient_permissions"):
		e.Permanent = true
	}
	if at := fserrors.RetryAfterErrorTime(err); !at.IsZero() {
		e.RetryAfter = min(max(time.Until(at), 0), maxRetryAfter)
	}
	return e
}

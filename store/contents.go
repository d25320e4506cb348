package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // registers s3:// addresses
	"gocloud.dev/gcerrors"

	"github.com/quire-reports/quire/report"
)

// Contents keeps bytes by key, in a local folder or in S3. What they are is
// known by the row that names the key; a key is never written twice.
type Contents struct {
	bucket *blob.Bucket
	folder string   // where its files are put on disk; empty when nobody does that
	known  sync.Map // the folders in it that are on disk
	hold   *hold    // keeps contents from being deleted; may be nil

	batches *s3Batches // deletes many at once; nil where that cannot be
}

// Content is an open content; Close it.
type Content struct {
	io.ReadSeekCloser
	Size        int64
	ContentType string
	ModTime     time.Time
}

// OpenContents opens a folder or a bucket that is not the storage of a store. The
// setting is named when the address is wrong.
func OpenContents(ctx context.Context, setting, address string) (*Contents, error) {
	c, err := openContents(ctx, address, true)
	var wrong *report.Problem
	if errors.As(err, &wrong) && wrong.Path == "Storage__Url" {
		wrong.Path = setting
	}
	return c, err
}

func openContents(ctx context.Context, address string, durable bool) (*Contents, error) {
	switch {
	case strings.HasPrefix(address, "file://"):
		return openFolder(strings.TrimPrefix(address, "file://"), durable)
	case strings.HasPrefix(address, "s3://"):
		return openS3(ctx, address)
	}
	return nil, settingProblem("Storage__Url", "unknown kind of storage; accepted: file://{folder} and s3://{bucket}?endpoint=…")
}

func openFolder(path string, durable bool) (*Contents, error) {
	folder, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil || path == "" {
		return nil, settingProblem("Storage__Url", "file:// needs the path of a folder")
	}
	if err := MakeFolder(folder); err != nil {
		return nil, fmt.Errorf("making the storage folder: %w", err)
	}
	bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{
		DirFileMode: 0o700,
		NoTempDir:   true, // a mounted volume: renaming into it from /tmp fails
		Metadata:    fileblob.MetadataDontWrite,
	})
	if err != nil {
		return nil, fmt.Errorf("opening the storage folder: %w", err)
	}
	if !durable {
		folder = ""
	}
	return &Contents{bucket: bucket, folder: folder}, nil
}

// openS3 opens a bucket. Credentials come from where AWS programs find them:
// environment, profile, machine role. An endpoint of our own means a server
// that is no AWS: bucket names go into the path and checksums stay as they were.
func openS3(ctx context.Context, address string) (*Contents, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, settingProblem("Storage__Url", "s3:// needs the name of a bucket, as in s3://{bucket}?endpoint=…&region=…")
	}
	q := u.Query()
	if q.Get("endpoint") != "" {
		setUnless(q, "use_path_style", "true")
		setUnless(q, "region", "us-east-1")
		setUnless(q, "request_checksum_calculation", "when_required")
		setUnless(q, "response_checksum_validation", "when_required")
	}
	u.RawQuery = q.Encode()
	bucket, err := blob.OpenBucket(ctx, u.String())
	if err != nil {
		return nil, fmt.Errorf("opening the storage bucket %s: %w", u.Host, err)
	}
	c := &Contents{bucket: bucket}
	var client *s3.Client
	if bucket.As(&client) {
		c.batches = &s3Batches{client: client, bucket: u.Host, prefix: q.Get("prefix")}
	}
	return c, nil
}

func setUnless(q url.Values, name, value string) {
	if !q.Has(name) {
		q.Set(name, value)
	}
}

// copyBuffer is how many bytes of a content are written at once.
const copyBuffer = 128 << 10

var copyBuffers = sync.Pool{New: func() any { return new([copyBuffer]byte) }}

// Put writes a content, streamed, and tells its size. When reading or writing
// fails nothing is left behind.
func (c *Contents) Put(ctx context.Context, key, contentType string, from io.Reader) (int64, error) {
	writing, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := c.bucket.NewWriter(writing, key, &blob.WriterOptions{ContentType: contentType, DisableContentTypeDetection: true})
	if err != nil {
		return 0, fmt.Errorf("writing content: %w", storageFault(ctx, err))
	}
	read := &source{Reader: from}
	buffer := copyBuffers.Get().(*[copyBuffer]byte)
	n, err := io.CopyBuffer(struct{ io.Writer }{w}, read, buffer[:]) // its own ReadFrom clears a megabyte for each content
	copyBuffers.Put(buffer)
	if err != nil {
		cancel() // before Close: the content is then given up, not kept cut
		_ = w.Close()
		if read.err != nil {
			return 0, read.err
		}
		return 0, fmt.Errorf("writing content: %w", storageFault(ctx, err))
	}
	if err := w.Close(); err != nil {
		return 0, fmt.Errorf("writing content: %w", storageFault(ctx, err))
	}
	if err := c.settle(key); err != nil {
		_ = c.bucket.Delete(ctx, key)
		return 0, fmt.Errorf("writing content: %w", storageFault(ctx, err))
	}
	return n, nil
}

// settle puts a file of the folder on disk, so that no power cut takes it from
// the row that is going to name it.
func (c *Contents) settle(key string) error {
	if c.folder == "" {
		return nil
	}
	file := filepath.Join(c.folder, filepath.FromSlash(key))
	if err := syncPath(file); err != nil {
		return err
	}
	at := filepath.Dir(file)
	if err := SyncFolder(at); err != nil {
		return err
	}
	for ; at != c.folder; at = filepath.Dir(at) {
		if _, known := c.known.Load(at); known {
			return nil
		}
		if err := SyncFolder(filepath.Dir(at)); err != nil {
			return err
		}
		c.known.Store(at, true)
	}
	return nil
}

// Open reads a content. Size and content type are the storage's: a folder
// knows no types.
func (c *Contents) Open(ctx context.Context, key string) (*Content, error) {
	r, err := c.bucket.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, report.NotFoundf("the content is gone")
	}
	if err != nil {
		return nil, fmt.Errorf("reading content: %w", storageFault(ctx, err))
	}
	return &Content{ReadSeekCloser: awayReader{ctx, r}, Size: r.Size(), ContentType: r.ContentType(), ModTime: r.ModTime()}, nil
}

// Delete removes a content; a missing one is no error. While contents are held
// it stays.
func (c *Contents) Delete(ctx context.Context, key string) error {
	if c.hold != nil && c.hold.on(ctx) {
		return nil
	}
	err := c.bucket.Delete(ctx, key)
	if err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return fmt.Errorf("deleting content: %w", storageFault(ctx, err))
	}
	return nil
}

// mostLooks is how often a page of a folder's list is asked for in which files come and
// go.
const mostLooks = 50

// list calls each for the contents below a prefix, in batches. A file that is renamed
// or removed between the folder's list and a look at it makes the whole page not
// found; then it is asked for again.
func (c *Contents) list(ctx context.Context, prefix string, each func([]*blob.ListObject) error) error {
	token := blob.FirstPageToken
	for token != nil {
		page, next, err := c.bucket.ListPage(ctx, token, 500, &blob.ListOptions{Prefix: prefix})
		for looks := 1; errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil && looks < mostLooks; looks++ {
			page, next, err = c.bucket.ListPage(ctx, token, 500, &blob.ListOptions{Prefix: prefix})
		}
		if err != nil {
			return fmt.Errorf("listing contents: %w", err)
		}
		if err := each(page); err != nil {
			return err
		}
		token = next
	}
	return nil
}

// Listed is a content that List found.
type Listed struct {
	Key  string
	Size int64
}

// List calls each for the contents below a prefix.
func (c *Contents) List(ctx context.Context, prefix string, each func(Listed) error) error {
	return c.list(ctx, prefix, func(objects []*blob.ListObject) error {
		for _, o := range objects {
			if err := each(Listed{o.Key, o.Size}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Size tells how large a content is; -1 when there is none.
func (c *Contents) Size(ctx context.Context, key string) (int64, error) {
	a, err := c.bucket.Attributes(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return -1, nil
	}
	if err != nil {
		return 0, fmt.Errorf("looking for content: %w", storageFault(ctx, err))
	}
	return a.Size, nil
}

// Close ends the connections.
func (c *Contents) Close() error { return c.close() }

// ping asks for the mark of the installation: a bucket that is there and may
// not be read is of no use, and listing it costs more.
func (c *Contents) ping(ctx context.Context) error {
	_, err := c.mark(ctx)
	return err
}

func (c *Contents) close() error { return c.bucket.Close() }

package deliver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"

	"github.com/quire-reports/quire/report"
)

var objectStorage = probed(define("s3", "Object storage", "A bucket of Amazon S3 or of a server that speaks its protocol.", deliverS3).connects("Object storage (S3)"), probeS3)

type s3Connection struct {
	Endpoint  string        `json:"endpoint" leads:"true" label:"Address of the server" editor:"text" help:"Such as https://s3.example.com. Empty means Amazon."`
	Region    string        `json:"region" label:"Region" editor:"text" default:"us-east-1"`
	Bucket    string        `json:"bucket" leads:"true" label:"Bucket" editor:"text" required:"true"`
	Prefix    string        `json:"prefix" label:"Folder in the bucket" editor:"text" help:"Deliveries write below it."`
	PathStyle bool          `json:"pathStyle" leads:"true" label:"Bucket in the path" default:"true" help:"Whether addresses are https://server/bucket/key; most servers other than Amazon's need that. Has no meaning without an address of the server."`
	AccessKey string        `json:"accessKey" leads:"true" label:"Access key" editor:"text" required:"true"`
	SecretKey report.Secret `json:"secretKey" label:"Secret key" editor:"secret" required:"true"`
}

func (c *s3Connection) validate(path string) report.Problems {
	if _, err := SafePath(c.Prefix); err != nil {
		return report.Problems{report.Problemf(report.JoinPath(path, "prefix"), "%s", err)}
	}
	return nil
}

type s3Settings struct {
	fileSettings
	Encryption string `json:"encryption" label:"Encryption by the server" enum:",AES256,aws:kms" help:"Empty means what is set for the bucket."`
	KMSKey     string `json:"kmsKey" label:"Key of the encryption" editor:"text" help:"ARN of a key, for aws:kms. Empty means the account's own."`
}

func (s *s3Settings) validate(path string) report.Problems {
	if s.KMSKey != "" && s.Encryption != "aws:kms" {
		return report.Problems{report.Problemf(report.JoinPath(path, "kmsKey"), "a key is only used with the encryption aws:kms")}
	}
	return nil
}

// deliverS3 takes its credentials from the connection alone: never from the
// server's environment, files or machine role.
func deliverS3(ctx context.Context, d *delivery, conn *s3Connection, set *s3Settings) (Receipt, error) {
	files, done, err := openS3(ctx, d, conn, set)
	if err != nil {
		return Receipt{}, err
	}
	defer done()
	return placeFiles(ctx, files, set.fileSettings, d.docs)
}

// openS3 makes ready to use a bucket; done has to be called in the end.
func openS3(ctx context.Context, d *delivery, conn *s3Connection, set *s3Settings) (files *s3Files, done func(), err error) {
	prefix, err := SafePath(conn.Prefix)
	if err != nil {
		return nil, nil, err
	}
	if d.env.Egress == nil {
		return nil, nil, permanent("no outgoing connections can be made here")
	}
	client := d.http(ctx)
	options := s3.Options{
		Region: conn.Region, HTTPClient: client,
		Credentials: credentials.NewStaticCredentialsProvider(conn.AccessKey, conn.SecretKey.Reveal(), ""),
	}
	if conn.Endpoint != "" {
		if _, err := d.address(conn.Endpoint); err != nil {
			return nil, nil, err
		}
		options.BaseEndpoint, options.UsePathStyle = &conn.Endpoint, conn.PathStyle
		options.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		options.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
	}
	bucket, err := s3blob.OpenBucket(ctx, s3.New(options), conn.Bucket, &s3blob.Options{
		EncryptionType: types.ServerSideEncryption(set.Encryption), KMSEncryptionID: set.KMSKey,
		RequestChecksumCalculation: options.RequestChecksumCalculation,
	})
	if err != nil {
		return nil, nil, permanent("the bucket cannot be used: %s", plain(err.Error()))
	}
	return &s3Files{bucket: bucket, conn: conn, prefix: prefix, tag: d.tag}, func() {
		_ = bucket.Close()
		client.CloseIdleConnections()
	}, nil
}

// s3Files keeps files in a bucket. Each carries the key of its delivery and its
// hash.
type s3Files struct {
	bucket      *blob.Bucket
	conn        *s3Connection
	prefix, tag string
}

const (
	s3Delivery = "quire-delivery"
	s3Hash     = "quire-sha256"
)

func (s *s3Files) key(at string) string   { return path.Join(s.prefix, at) }
func (s *s3Files) place(at string) string { return "s3://" + s.conn.Bucket + "/" + s.key(at) }

func (s *s3Files) look(ctx context.Context, at string) (*foundFile, error) {
	found, err := s.bucket.Attributes(ctx, s.key(at))
	switch gcerrors.Code(err) {
	case gcerrors.OK:
		return &foundFile{size: found.Size, sum: found.Metadata[s3Hash]}, nil
	case gcerrors.NotFound:
		return nil, nil
	case gcerrors.PermissionDenied: // also what Amazon says of a missing object when the key may only write
		return nil, nil
	}
	return nil, s.failed(ctx, "looking for", at, err)
}

func (s *s3Files) read(ctx context.Context, at string) (io.ReadCloser, error) {
	r, err := s.bucket.NewReader(ctx, s.key(at), nil)
	if err != nil {
		return nil, s.failed(ctx, "reading", at, err)
	}
	return r, nil
}

func (s *s3Files) write(ctx context.Context, at string, doc *document, replace bool) error {
	err := s.put(ctx, at, doc, replace)
	if !replace && statusOf(err) == http.StatusNotImplemented {
		// The server knows no conditional writing; it was asked a moment ago.
		err = s.put(ctx, at, doc, true)
	}
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return errExists
	}
	return s.failed(ctx, "writing", at, err)
}

func (s *s3Files) put(ctx context.Context, at string, doc *document, replace bool) error {
	from, err := doc.open(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	writing, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := s.bucket.NewWriter(writing, s.key(at), &blob.WriterOptions{
		ContentType: doc.ContentType, DisableContentTypeDetection: true, IfNotExist: !replace,
		Metadata: map[string]string{s3Delivery: s.tag, s3Hash: doc.sum},
	})
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, from); err != nil {
		cancel() // before Close: the object is then given up, not kept cut
		if failure := w.Close(); doc.failed() == nil && failure != nil {
			err = failure
		}
		return err
	}
	return w.Close()
}

func statusOf(err error) int {
	var response *awshttp.ResponseError
	if errors.As(err, &response) {
		return response.HTTPStatusCode()
	}
	return 0
}

// failed words what the server says; nil stays nil.
func (s *s3Files) failed(ctx context.Context, doing, at string, err error) error {
	var own *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case ctx.Err() != nil:
		return asError(ctx, err)
	}
	host := s.conn.Endpoint
	if host == "" {
		host = "Amazon S3"
	}
	var answer smithy.APIError
	if !errors.As(err, &answer) {
		return unreachable(ctx, host, err)
	}
	why := ""
	switch answer.ErrorCode() {
	case "NoSuchBucket":
		return permanent("the bucket %q does not exist at %s", s.conn.Bucket, host)
	case "AccessDenied", "Forbidden":
		why = "; the access key of the connection may not do this"
	case "InvalidAccessKeyId", "SignatureDoesNotMatch":
		why = "; check the access key and the secret key of the connection"
	case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException":
		why = "; check the region of the connection"
	}
	e := permanent("%s %s failed: %s answered %s: %s%s", doing, s.place(at), host, answer.ErrorCode(), plain(answer.ErrorMessage()), why)
	status := statusOf(err)
	e.Permanent = status < 500 && status != http.StatusTooManyRequests && status != http.StatusRequestTimeout && answer.ErrorCode() != "SlowDown" && answer.ErrorCode() != "RequestTimeout"
	return e
}

// probeS3 lists one object of the bucket.
func probeS3(ctx context.Context, d *delivery, conn *s3Connection) (string, error) {
	files, done, err := openS3(ctx, d, conn, &s3Settings{})
	if err != nil {
		return "", err
	}
	defer done()
	there, err := files.bucket.IsAccessible(ctx)
	if err != nil {
		return "", files.failed(ctx, "looking at", "", err)
	}
	if !there {
		return "", permanent("the bucket %q does not exist, or the access key of the connection may not see it", conn.Bucket)
	}
	return fmt.Sprintf("the bucket %s can be reached", conn.Bucket), nil
}

package store

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/aws/smithy-go"
	"gocloud.dev/gcerrors"
)

// markKey is the content that says whose the others are: the installation's ID.
const markKey = "installation"

// Mark tells whose contents these are, by the ID of the installation; empty when
// they are nobody's yet.
func (c *Contents) Mark(ctx context.Context) (string, error) { return c.mark(ctx) }

// SetMark says whose they are.
func (c *Contents) SetMark(ctx context.Context, installation string) error {
	_, err := c.Put(ctx, markKey, "text/plain", strings.NewReader(installation))
	return err
}

// mark reads it; empty when there is none.
func (c *Contents) mark(ctx context.Context) (string, error) {
	text, err := c.bucket.ReadAll(ctx, markKey)
	var refused smithy.APIError
	switch {
	case gcerrors.Code(err) == gcerrors.NotFound && !(errors.As(err, &refused) && refused.ErrorCode() == "NoSuchBucket"):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("reading the storage's mark: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// checkStorage marks the storage as this installation's when it is new to the
// database, and refuses one that is not: its contents are another's, and those
// that the rows name are not in it. Of several processes that start at once one
// marks it; the others wait for it.
func (s *Store) checkStorage(ctx context.Context, installation string) error {
	return s.db.inTx(ctx, func(t tx) error {
		fresh, err := t.exec(ctx, "INSERT INTO installation (name, value) VALUES ('storage', ?) ON CONFLICT (name) DO NOTHING", installation)
		if err != nil {
			return err
		}
		found, err := s.contents.mark(ctx)
		switch {
		case err != nil:
			return storageSetting(err)
		case found == installation:
			return nil
		case found != "":
			return settingProblem("Storage__Url", "this storage holds the contents of another installation than the database; name the database that it belongs to, or another storage")
		case fresh == 0:
			return settingProblem("Storage__Url", "this storage is not the one that the database was used with: every process needs the same. To go on with it, without the contents of the other, put the text %s into a content named %s", installation, markKey)
		}
		if err := s.contents.SetMark(ctx, installation); err != nil {
			return storageSetting(err)
		}
		return nil
	})
}

// storageSetting tells an operator why the storage cannot be used, in its own
// words and without what only requests know.
func storageSetting(err error) error {
	var refused smithy.APIError
	var unreached *net.OpError
	switch text := Cause(err); {
	case errors.As(err, &refused):
		return settingProblem("Storage__Url", "the storage refuses: %s: %s%s", refused.ErrorCode(), strings.TrimSuffix(refused.ErrorMessage(), "."), storageHint(refused.ErrorCode()))
	case strings.Contains(err.Error(), "credentials") || text != nil && strings.Contains(text.Error(), "credentials"):
		return settingProblem("Storage__Url", "there are no credentials for the bucket; accepted: %s", credentialPlaces)
	case errors.As(err, &unreached):
		return settingProblem("Storage__Url", "the storage cannot be reached: %s", unreached)
	case text != nil:
		return settingProblem("Storage__Url", "the storage cannot be used: %s", text)
	}
	return settingProblem("Storage__Url", "the storage cannot be used: %s", err)
}

const credentialPlaces = "the environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile of AWS_SHARED_CREDENTIALS_FILE, or the role of the machine"

func storageHint(code string) string {
	switch code {
	case "NoSuchBucket", "InvalidBucketName":
		return "; the bucket is what stands after s3://, and has to be there"
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "AccessDenied", "Forbidden":
		return "; credentials come from " + credentialPlaces
	}
	return ""
}

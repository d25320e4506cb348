package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"golang.org/x/sync/errgroup"
)

const (
	// mostInBatch is how many keys a request of S3 may name.
	mostInBatch = 1000
	// deletedAtOnce is how many contents are deleted at the same time where each
	// needs a request of its own.
	deletedAtOnce = 8
)

// DeleteAll removes contents, many at once; missing ones are no error. While
// contents are held they stay.
func (c *Contents) DeleteAll(ctx context.Context, keys []string) error {
	for some := range slices.Chunk(keys, mostInBatch) {
		if c.hold != nil && c.hold.on(ctx) {
			return nil
		}
		if done, err := c.batches.remove(ctx, some); err != nil {
			return fmt.Errorf("deleting contents: %w", storageFault(ctx, err))
		} else if done {
			continue
		}
		var group errgroup.Group
		group.SetLimit(deletedAtOnce)
		for _, key := range some {
			group.Go(func() error { return c.Delete(ctx, key) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// s3Batches deletes many objects of a bucket in one request.
type s3Batches struct {
	client         *s3.Client
	bucket, prefix string
	unknown        atomic.Bool // the server has no such request
}

// remove tells whether it has removed the objects; false where that has to be
// done one by one.
func (b *s3Batches) remove(ctx context.Context, keys []string) (bool, error) {
	if b == nil || b.unknown.Load() {
		return false, nil
	}
	objects := make([]types.ObjectIdentifier, len(keys))
	for i, key := range keys {
		objects[i].Key = aws.String(b.prefix + key)
	}
	answer, err := b.client.DeleteObjects(ctx, &s3.DeleteObjectsInput{Bucket: &b.bucket, Delete: &types.Delete{Objects: objects, Quiet: aws.Bool(true)}})
	var refused smithy.APIError
	switch {
	case errors.As(err, &refused): // what it refuses here, one by one tells why
		b.unknown.Store(slices.Contains([]string{"NotImplemented", "MethodNotAllowed", "InvalidRequest", "InvalidArgument", "MissingContentMD5"}, refused.ErrorCode()))
		return false, nil
	case err != nil:
		return false, err
	}
	for _, e := range answer.Errors {
		if code := aws.ToString(e.Code); code != "NoSuchKey" {
			return false, fmt.Errorf("the server keeps %s: %s %s", aws.ToString(e.Key), code, aws.ToString(e.Message))
		}
	}
	return true, nil
}

package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// redisClient is Redis with the prefix of this installation: two Quire
// services on one Redis do not see each other's keys.
type redisClient struct {
	client *redis.Client
	prefix string
	log    *slog.Logger
}

func openRedis(ctx context.Context, address, installation string, log *slog.Logger) (*redisClient, error) {
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, settingProblem("ConnectionStrings__Redis", "%s", CheckAddress(address))
	}
	// Both send commands that Redis 7 and Valkey do not know.
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	options.DisableIdentity = true
	options.ContextTimeoutEnabled = true // else a request waits for Redis longer than for itself
	r := &redisClient{redis.NewClient(options), "quire:" + installation + ":", log}
	if err := r.ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connecting to Redis at %s: %w", options.Addr, err), r.close())
	}
	return r, nil
}

func (r *redisClient) ping(ctx context.Context) error { return r.client.Ping(ctx).Err() }

// fault is an error of Redis as people see it; the cause goes to the log.
func (r *redisClient) fault(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	r.log.WarnContext(ctx, "Redis failed", "error", err)
	return isAway("Redis", err)
}

func (r *redisClient) close() error { return r.client.Close() }

// redisNonces keeps nonces as keys that expire by themselves. The value holds
// the expiry too, so that the service's clock decides, to the millisecond.
type redisNonces struct{ r *redisClient }

func (n redisNonces) name(key []byte) string { return n.r.prefix + "nonce:" + hex.EncodeToString(key) }

// redisNonce is a nonce as it is kept.
type redisNonce struct {
	Grant
	Expires int64 `json:"expires"`
}

func (n redisNonces) put(ctx context.Context, key []byte, g Grant, expires time.Time) error {
	value, err := json.Marshal(redisNonce{g, expires.UnixMilli()})
	if err != nil {
		return err
	}
	return n.r.fault(ctx, n.r.client.Set(ctx, n.name(key), value, NonceLifetime).Err())
}

func (n redisNonces) take(ctx context.Context, key []byte, now time.Time) (*Grant, error) {
	return n.grant(ctx, n.r.client.GetDel(ctx, n.name(key)), now)
}

func (n redisNonces) look(ctx context.Context, key []byte, now time.Time) (*Grant, error) {
	return n.grant(ctx, n.r.client.Get(ctx, n.name(key)), now)
}

func (n redisNonces) grant(ctx context.Context, found *redis.StringCmd, now time.Time) (*Grant, error) {
	value, err := found.Result()
	if errors.Is(err, redis.Nil) {
		return nil, errNoNonce
	}
	if err != nil {
		return nil, n.r.fault(ctx, err)
	}
	kept, err := readNonce(value)
	if err != nil {
		return nil, fmt.Errorf("reading a nonce: %w", err)
	}
	if kept.Expires <= now.UnixMilli() {
		return nil, errNoNonce
	}
	return &kept.Grant, nil
}

// readNonce reads also what an earlier version wrote: user and expiry.
func readNonce(value string) (n redisNonce, err error) {
	if strings.HasPrefix(value, "{") {
		return n, json.Unmarshal([]byte(value), &n)
	}
	_, err = fmt.Sscanf(value, "%d %d", &n.UserID, &n.Expires)
	return n, err
}

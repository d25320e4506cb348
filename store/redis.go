package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
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
		return nil, settingProblem("ConnectionStrings__Redis", "not a Redis address; accepted: redis://user:password@host:port/number")
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

func (n redisNonces) put(ctx context.Context, key []byte, userID int, expires time.Time) error {
	value := fmt.Sprintf("%d %d", userID, expires.UnixMilli())
	return n.r.fault(ctx, n.r.client.Set(ctx, n.name(key), value, NonceLifetime).Err())
}

func (n redisNonces) take(ctx context.Context, key []byte, now time.Time) (int, error) {
	return n.user(ctx, n.r.client.GetDel(ctx, n.name(key)), now)
}

func (n redisNonces) look(ctx context.Context, key []byte, now time.Time) (int, error) {
	return n.user(ctx, n.r.client.Get(ctx, n.name(key)), now)
}

func (n redisNonces) user(ctx context.Context, found *redis.StringCmd, now time.Time) (int, error) {
	value, err := found.Result()
	if errors.Is(err, redis.Nil) {
		return 0, errNoNonce
	}
	if err != nil {
		return 0, n.r.fault(ctx, err)
	}
	user, expiry, _ := strings.Cut(value, " ")
	userID, err := strconv.Atoi(user)
	expires, err2 := strconv.ParseInt(expiry, 10, 64)
	if err := errors.Join(err, err2); err != nil {
		return 0, fmt.Errorf("reading a nonce: %w", err)
	}
	if expires <= now.UnixMilli() {
		return 0, errNoNonce
	}
	return userID, nil
}

//go:build unix

package storetest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
)

// Redis is the address in QUIRE_TEST_REDIS, or of a private server that ends
// with the test.
func Redis(t testing.TB) string {
	t.Helper()
	if address := os.Getenv("QUIRE_TEST_REDIS"); address != "" {
		return address
	}
	return PrivateRedis(t).Address()
}

// RedisServer is a Redis of one test.
type RedisServer struct {
	port  string
	child *child
}

// PrivateRedis starts a server of this test alone, which may be restarted: it
// writes down every change.
func PrivateRedis(t testing.TB) *RedisServer {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		judges.Missing(t, "Redis is not installed (Debian: redis-server); or set QUIRE_TEST_REDIS")
	}
	dir, port := folder(t, "quire-redis-"), freePort(t)
	r := &RedisServer{port: port}
	r.child = program{stopWith: "TERM", dir: dir, command: []string{
		path, "--port", port, "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "yes", "--appendfsync", "no",
	}}.start(t)
	await(t, dir, r.ping)
	return r
}

// Address is where the server listens.
func (r *RedisServer) Address() string { return "redis://127.0.0.1:" + r.port + "/0" }

// Restart ends the server, leaves it away for a while and starts it again on
// its data.
func (r *RedisServer) Restart(t testing.TB, away time.Duration) {
	t.Helper()
	r.child.stop()
	time.Sleep(away)
	r.child.start(t)
	await(t, r.child.dir, r.ping)
}

func (r *RedisServer) ping(ctx context.Context) error { return pingRedis(ctx, "127.0.0.1:"+r.port) }

func pingRedis(ctx context.Context, address string) error {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	answer := make([]byte, 7)
	if _, err := conn.Read(answer); err != nil {
		return err
	}
	if string(answer) != "+PONG\r\n" {
		return fmt.Errorf("the server answered %q", answer)
	}
	return nil
}

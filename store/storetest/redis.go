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
)

// Redis is the address in QUIRE_TEST_REDIS, or of a private server that ends
// with the test.
func Redis(t testing.TB) string {
	t.Helper()
	if address := os.Getenv("QUIRE_TEST_REDIS"); address != "" {
		return address
	}
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("Redis is not installed (Debian: redis-server); or set QUIRE_TEST_REDIS")
	}
	dir, port := folder(t, "quire-redis-"), freePort(t)
	program{stopWith: "TERM", dir: dir, command: []string{
		path, "--port", port, "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "no",
	}}.start(t)
	await(t, dir, func(ctx context.Context) error { return pingRedis(ctx, "127.0.0.1:"+port) })
	return "redis://127.0.0.1:" + port + "/0"
}

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

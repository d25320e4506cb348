package api

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
)

// hurried is a house on a real connection, where bodies have a moment.
func hurried(t *testing.T, r Reading) (*house, *httptest.Server) {
	h := open(t, func(c *Config) { c.Reading = r })
	server := httptest.NewServer(h.handler)
	t.Cleanup(server.Close)
	return h, server
}

func TestSlowBodiesEnd(t *testing.T) {
	t.Parallel()
	h, server := hurried(t, Reading{Grace: 100 * time.Millisecond, Pause: 200 * time.Millisecond, Rate: 10 << 10})
	heads := map[string]string{
		"a form":              "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\nemail=a",
		"a form in chunks":    "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nema\r\n",
		"data":                "POST /api/v1/ws/demo/temporary-data HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer " + h.tokens["viewer"] + "\r\nContent-Length: 60000\r\n\r\n{",
		"what nobody reads":   "POST /api/v1/nonce-tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{",
		"an address of noone": "POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{",
		"what is only begun":  "POST /api/v1/ws/demo/temporary-data HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nAuthorization: Bearer " + h.tokens["viewer"] + "\r\nContent-Length: 60000\r\n\r\n{",
	}
	var clients sync.WaitGroup
	for name, head := range heads {
		for range 10 {
			clients.Go(func() {
				connection, err := net.Dial("tcp", server.Listener.Addr().String())
				if err != nil {
					t.Error(err)
					return
				}
				defer connection.Close()
				_, _ = io.WriteString(connection, head)
				_ = connection.SetReadDeadline(time.Now().Add(15 * time.Second))
				said, err := io.ReadAll(connection)
				if err != nil {
					t.Errorf("%s goes on: %v", name, err)
				}
				if strings.Contains(name, "form") && !strings.HasPrefix(string(said), "HTTP/1.1 408 ") {
					t.Errorf("%s: %.200s", name, said)
				}
			})
		}
	}
	clients.Wait()
}

// A large body over a slow line that goes on arriving is taken.
func TestSlowButHonestBodies(t *testing.T) {
	t.Parallel()
	// A busy machine holds the line up, too: only the grace is short.
	h, server := hurried(t, Reading{Grace: 500 * time.Millisecond, Pause: 10 * time.Second, Rate: 2 << 10})
	reader, writer := io.Pipe()
	go func() {
		_, _ = io.WriteString(writer, `{"content":{"text":"`)
		for range 30 { // 240 kB in 1.5 s: three times the grace
			time.Sleep(50 * time.Millisecond)
			_, _ = io.WriteString(writer, strings.Repeat("x", 8<<10))
		}
		_, _ = io.WriteString(writer, `"}}`)
		_ = writer.Close()
	}()
	request := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), "POST", server.URL+"/api/v1/ws/demo/temporary-data", reader))
	request.Header = header("Content-Type", "application/json", "Authorization", "Bearer "+h.tokens["viewer"])
	answer := must[*http.Response](t)(http.DefaultClient.Do(request))
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		t.Errorf("%s %s", answer.Status, text)
	}
}

// Once a body is there, its pace ends nothing: an export takes longer.
func TestTheAnswerMayTakeLongerThanTheBody(t *testing.T) {
	t.Parallel()
	h, _ := hurried(t, Reading{Grace: 50 * time.Millisecond, Pause: 50 * time.Millisecond, Rate: 1})
	h.export.export = func(export.Request) (*export.File, error) {
		<-time.After(400 * time.Millisecond)
		return newFile("a.pdf", "application/pdf", "%PDF"), nil
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.handler.ServeHTTP(w, r); r.Context().Err() != nil {
			t.Error("the pace of the body ended the request")
		}
	}))
	defer server.Close()
	connection := must[net.Conn](t)(net.Dial("tcp", server.Listener.Addr().String()))
	defer connection.Close()
	reader := bufio.NewReader(connection)
	for range 2 { // the connection is used again
		body := `{"data":{}}`
		_, _ = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", pdfPath, h.tokens["viewer"], len(body), body)
		answer := must[*http.Response](t)(http.ReadResponse(reader, nil))
		if content, err := io.ReadAll(answer.Body); answer.StatusCode != 200 || err != nil {
			t.Fatalf("%s %s %v", answer.Status, content, err)
		}
	}
}

package answer

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Refusal is an error of HTTP itself, with a status that no report.Kind has.
type Refusal struct {
	Status  int
	Message string
	Header  http.Header
}

// Error is the sentence for people.
func (r *Refusal) Error() string { return r.Message }

func refuse(status int, message string) *Refusal {
	return &Refusal{Status: status, Message: message, Header: http.Header{}}
}

// Unauthenticated is the answer to a caller nobody knows.
func Unauthenticated(message string) *Refusal {
	r := refuse(http.StatusUnauthorized, message)
	r.Header.Set("WWW-Authenticate", `Bearer realm="quire"`)
	return r
}

// TooMany asks the caller to wait.
func TooMany(message string, wait time.Duration) *Refusal {
	r := refuse(http.StatusTooManyRequests, message)
	r.Header.Set("Retry-After", seconds(wait))
	return r
}

// seconds is a time to wait as headers write it.
func seconds(wait time.Duration) string { return strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))) }

// TooSlow is the answer to a body that does not arrive.
func TooSlow() *Refusal {
	r := refuse(http.StatusRequestTimeout, "the body of the request arrived too slowly; send it again")
	r.Header.Set("Connection", "close")
	return r
}

// MethodNotAllowed names the methods that an address takes.
func MethodNotAllowed(method string, allowed []string) *Refusal {
	r := refuse(http.StatusMethodNotAllowed, fmt.Sprintf("%s is not accepted here; accepted: %s", method, strings.Join(allowed, ", ")))
	r.Header.Set("Allow", strings.Join(allowed, ", "))
	return r
}

package deliver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// doc is a document of given bytes, which counts nothing and can be opened at
// any time.
func doc(name, contentType string, content []byte) report.Document {
	return report.Document{Name: name, ContentType: contentType, Size: int64(len(content)), Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
}

func pdf(name string, content []byte) report.Document { return doc(name, "application/pdf", content) }

// random gives bytes that compress badly and hold every value, the same for a
// seed.
func random(seed uint64, n int) []byte {
	var key [32]byte
	key[0] = byte(seed)
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(b)
	return b
}

// broken is a document whose reading fails after some bytes.
func broken(name string, content []byte, after int) report.Document {
	d := pdf(name, content)
	d.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(content[:after]), failingReader{})), nil
	}
	return d
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("the storage went away") }

// testEnv may reach this machine.
func testEnv(t *testing.T) *Env {
	t.Helper()
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	return &Env{Egress: guard}
}

// mustDeliver delivers and fails the test when that does not succeed.
func mustDeliver(t *testing.T, env *Env, target Target, docs []report.Document, key string) Receipt {
	t.Helper()
	receipt, err := Deliver(t.Context(), env, target, docs, key)
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(receipt)
	if err != nil || !regexp.MustCompile(`"at":"[2-9][0-9-]{9}T[0-9:]{8}\.[0-9]{3}Z"`).Match(told) {
		t.Errorf("the receipt has no time with milliseconds: %s, %v", told, err)
	}
	return receipt
}

// refused delivers and wants an error with words in it.
func refused(t *testing.T, env *Env, target Target, docs []report.Document, words string) *Error {
	t.Helper()
	receipt, err := Deliver(t.Context(), env, target, docs, "key-refused")
	if err == nil {
		t.Fatalf("delivered: %+v", receipt)
	}
	if !strings.Contains(err.Error(), words) {
		t.Errorf("error %q, want words %q", err, words)
	}
	var own *Error
	if !errors.As(err, &own) {
		var problems report.Problems
		if !errors.As(err, &problems) {
			t.Fatalf("not one of our errors: %T", err)
		}
		return &Error{Message: err.Error(), Permanent: true}
	}
	var problem *report.Problem
	if !errors.As(err, &problem) || problem.Message != own.Message {
		t.Errorf("the error is no problem for people: %v", err)
	}
	return own
}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got %d bytes %s, want %d bytes %s", what, len(got), sumOf(got), len(want), sumOf(want))
	}
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func items(r Receipt) []string {
	var list []string
	for _, i := range r.Items {
		list = append(list, fmt.Sprintf("%s %d %v", i.Name, i.Size, i.Already))
	}
	return list
}

func TestEveryTypeDescribesItself(t *testing.T) {
	seen := map[string]bool{}
	for _, typ := range Types() {
		if typ.Name == "" || typ.Label == "" || typ.Help == "" || seen[typ.Name] {
			t.Errorf("%+v", typ)
		}
		seen[typ.Name] = true
		for _, f := range slices.Concat(typ.ConnectionFields(), typ.Fields()) {
			if isSecret := f.Type().String() == "report.Secret"; isSecret != (f.Editor == "secret" || f.Editor == "secret-text") {
				t.Errorf("%s.%s: a secret, and its editor is %q", typ.Name, f.Name, f.Editor)
			}
		}
		leads, secret := typ.SignsIn(), false // to a provider whose address is fixed
		for _, f := range typ.ConnectionFields() {
			leads = leads || f.Tag("leads") == "true"
			secret = secret || strings.HasPrefix(f.Editor, "secret")
		}
		if secret && !leads {
			t.Errorf("%s keeps secrets, and no field with the tag leads says where they are sent", typ.Name)
		}
		if _, problems := typ.Check(map[string]any{"colour": "red"}, "deliveries[0].settings"), typ.Check(map[string]any{"colour": "red"}, "deliveries[0].settings"); len(problems) == 0 || !strings.HasPrefix(problems.Error(), "deliveries[0].settings") {
			t.Errorf("%s accepts an unknown setting: %v", typ.Name, problems)
		}
	}
}

func TestADeliveryNeedsItsParts(t *testing.T) {
	env := testEnv(t)
	one := []report.Document{pdf("a.pdf", []byte("x"))}
	refused(t, env, Target{Type: "pigeon"}, one, `no destination of type "pigeon"`)
	refused(t, env, Target{Type: "local"}, nil, "no document")
	if _, err := Deliver(t.Context(), env, Target{Type: "local"}, one, ""); err == nil {
		t.Error("a delivery without a key was made")
	}
	refused(t, env, Target{Type: "local", Settings: map[string]any{"conflict": "maybe"}}, one, `unknown value "maybe"; accepted: number, overwrite, refuse`)
}

func TestFillRendersOnlyTemplates(t *testing.T) {
	typ, _ := Find("local")
	filled, err := typ.Fill(map[string]any{"path": "a/{$record.name}", "folder": "{keep}"}, func(f report.Field, s string) (string, error) {
		return strings.ReplaceAll(s, "{$record.name}", "Müller"), nil
	})
	if err != nil || filled["path"] != "a/Müller" || filled["folder"] != "{keep}" {
		t.Errorf("%v %v", filled, err)
	}
	_, err = typ.Fill(map[string]any{"path": "{"}, func(report.Field, string) (string, error) { return "", os.ErrInvalid })
	if !errors.Is(err, os.ErrInvalid) {
		t.Errorf("%v", err)
	}
}

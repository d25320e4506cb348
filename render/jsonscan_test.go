package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEachMember(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{}`, ""},
		{`{"id":12,"result":{"data":"a\"}b","n":[1,{"x":"]"}]},"sessionId":"S"}`, `id=12 result={"data":"a\"}b","n":[1,{"x":"]"}]} sessionId="S"`},
		{" {\n \"a\" : true , \"b\" : null }", `a=true b=null`},
		{`{"a":"\\","b":"\\\""}`, `a="\\" b="\\\""`},
	}
	for _, tt := range tests {
		var got []string
		err := eachMember([]byte(tt.in), func(key string, value []byte) { got = append(got, key+"="+string(value)) })
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, %v", tt.in, got, err)
		}
	}
}

func TestEachMemberRefuses(t *testing.T) {
	for _, in := range []string{"", "[]", "{", `{"a"`, `{"a":`, `{"a":1`, `{"a":"x}`, `{"a":{"b":1}`, `{"a" 1}`, `{,}`, `{"a":,}`, `{"a\`} {
		if err := eachMember([]byte(in), func(string, []byte) {}); err == nil {
			t.Errorf("%s was read", in)
		}
	}
}

func TestAppendQuoted(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c\nd\te\x00f\x1f", "Größe, мир, 日本, 🙂", "</script>\u2028"} {
		var back string
		if err := json.Unmarshal(appendQuoted(nil, s), &back); err != nil || back != s {
			t.Errorf("%q came back as %q: %v", s, back, err)
		}
	}
	if got := string(appendQuoted(nil, []byte("a\xffb\xe2\x82"))); got != "\"a\ufffdb\ufffd\ufffd\"" {
		t.Errorf("invalid UTF-8: %q", got)
	}
}

func TestParams(t *testing.T) {
	b := newParams(0).str("s", `a"b`).num("n", -7).bool("t", true).raw("r", []byte(`[1]`)).bytes()
	if want := `{"s":"a\"b","n":-7,"t":true,"r":[1]}`; string(b) != want {
		t.Errorf("%s", b)
	}
	var none *params
	if string(none.bytes()) != "{}" {
		t.Errorf("%s", none.bytes())
	}
}

func FuzzEachMember(f *testing.F) {
	f.Add([]byte(`{"id":12,"result":{"data":"a\"}b","n":[1,{"x":"]"}]},"sessionId":"S"}`))
	f.Add([]byte(`{"a":"\\\\"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := map[string]string{}
		err := eachMember(b, func(key string, value []byte) { got[key] = string(value) })
		var want map[string]json.RawMessage
		if json.Unmarshal(b, &want) != nil || !utf8.Valid(b) || bytes.ContainsRune(b, '\\') || bytes.HasPrefix(bytes.TrimSpace(b), []byte("null")) {
			return // only what is JSON must be read right
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: %v, %v", b, got, err)
		}
		for k, v := range want {
			if got[k] != string(v) {
				t.Fatalf("%q: member %q is %q", b, k, got[k])
			}
		}
	})
}

package claude

import (
	"encoding/json"
	"testing"
)

func TestWalk(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,"b":"x\"y}","c":{"d":[1,"]"]},"e":null}`: `a=1;b="x\"y}";c={"d":[1,"]"]};e=null;`,
		` { "a" : true , "b" : [ ] } `:                   `a=true;b=[ ];`,
		`{}`:                                             ``,
		`{"a":"\\"}`:                                     `a="\\";`,
	} {
		got := ""
		if !walk([]byte(in), func(k, v []byte) bool { got += string(k) + "=" + string(v) + ";"; return true }) || got != want {
			t.Errorf("walk(%s) = %q", in, got)
		}
	}
	for _, in := range []string{``, `x`, `{`, `{"a"`, `{"a":`, `{"a":"`, `{"a":[1,`, `{"a":1`, `{a:1}`, `[1]`} {
		if walk([]byte(in), func(_, _ []byte) bool { return true }) {
			t.Errorf("walk(%q) should not be well formed", in)
		}
	}
}

// Whatever is valid JSON is walked as encoding/json reads it.
func FuzzWalk(f *testing.F) {
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","content":"a\\\"b"}]},"n":-1.5e3}`))
	f.Add([]byte(`{"a":"\u0000","a":{}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		got := map[string]string{}
		ok := walk(in, func(k, v []byte) bool {
			var key string
			if json.Unmarshal([]byte(`"`+string(k)+`"`), &key) == nil {
				got[key] = string(v)
			}
			return true
		})
		var want map[string]json.RawMessage
		if json.Unmarshal(in, &want) != nil || want == nil {
			return
		}
		if !ok || len(got) != len(want) {
			t.Fatalf("%q: %v, want %v", in, got, want)
		}
		for k, v := range want {
			if got[k] != string(v) {
				t.Fatalf("%q: %s = %q, want %q", in, k, got[k], v)
			}
		}
	})
}

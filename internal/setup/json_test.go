package setup

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var server = map[string]any{"command": "/usr/local/bin/offstage", "args": []any{"mcp"}}

// odd are configurations as people have them; each stays as it is but for what is
// added, and is the same again when that is taken out (C3).
var odd = map[string]string{
	"empty":             "",
	"blank":             "\n",
	"empty object":      "{}",
	"empty, two lines":  "{\n}\n",
	"one line":          `{"a": 1}`,
	"two blanks":        "{\n  \"a\": 1\n}\n",
	"four blanks":       "{\n    \"a\": {\n        \"b\": 2\n    }\n}\n",
	"tabs":              "{\n\t\"a\": 1\n}\n",
	"no last newline":   "{\n  \"a\": 1\n}",
	"CRLF":              "{\r\n  \"a\": 1\r\n}\r\n",
	"trailing comma":    "{\n  \"a\": 1,\n}\n",
	"comments":          "// mine\n{\n  // one, two\n  \"a\": 1, /* three, */\n  \"b\": [1, 2] // last, really\n}\n// end\n",
	"only a comment":    "{\n  // nothing yet\n}\n",
	"another server":    "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}\n  },\n  \"z\": true\n}\n",
	"empty servers":     "{\n  \"mcpServers\": {},\n  \"z\": true\n}\n",
	"servers, comma":    "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"},\n  },\n}\n",
	"byte order mark":   "\xef\xbb\xbf{\"a\":1}",
	"escapes in a name": `{"a\"}{": "\\", "b": "//no comment"}`,
	"unicode":           "{\n  \"é\": \"日本\\u00e9\"\n}\n",
}

var mcpPath = []string{"mcpServers", "offstage"}

func TestJSONSetAndDrop(t *testing.T) {
	for name, text := range odd {
		t.Run(name, func(t *testing.T) {
			with, err := JSONSet([]byte(text), mcpPath, server)
			if err != nil {
				t.Fatal(err)
			}
			again, err := JSONSet(with, mcpPath, server)
			if err != nil || string(again) != string(with) {
				t.Errorf("the second time changes something: %v\n%s", err, again)
			}
			var got map[string]any
			if ok, err := JSONGet(with, mcpPath, &got); !ok || err != nil || got["command"] != server["command"] {
				t.Fatalf("not there: %v\n%s", err, with)
			}
			if strings.Contains(text, "\r\n") && strings.Contains(strings.ReplaceAll(string(with), "\r\n", ""), "\n") {
				t.Errorf("line ends are mixed: %q", with)
			}
			if !strings.ContainsAny(strings.ReplaceAll(text, "//no comment", ""), "/") && !strings.Contains(text, ",\n}") && !strings.Contains(text, ",\n  }") && !strings.HasPrefix(text, "\xef") && !json.Valid(with) {
				t.Errorf("strict JSON is strict no more:\n%s", with)
			}
			back, done := diff([]byte(text), with).back(with)
			if !done || string(back) != text {
				t.Errorf("byte for byte: got %q, want %q", back, text)
			}
			without, err := JSONDrop(with, mcpPath)
			if err != nil || strings.Contains(string(without), "offstage") {
				t.Errorf("by the rules: %v\n%s", err, without)
			}
			if text != "" && text != "\n" && !sameJSON(t, without, text) {
				t.Errorf("the rest is another:\n%s", without)
			}
		})
	}
}

// sameJSON says that two texts mean the same, an object that our removal took
// along when it was empty aside.
func sameJSON(t *testing.T, got []byte, want string) bool {
	t.Helper()
	a, okA, errA := parseJSON(got)
	b, _, errB := parseJSON([]byte(want))
	if errA != nil || errB != nil {
		t.Errorf("%v %v", errA, errB)
		return false
	}
	if !okA {
		return false
	}
	x, y := string(plain(got, a)), string(plain([]byte(want), b))
	return x == strings.Replace(y, `"mcpServers":{},`, "", 1)
}

func TestJSONArrays(t *testing.T) {
	entry := map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "offstage hook"}}}
	ours := func(item json.RawMessage) bool { return strings.Contains(string(item), "offstage hook") }
	path := []string{"hooks", "Stop"}
	for name, text := range map[string]string{
		"none":      `{"a": 1}`,
		"empty":     "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
		"one":       "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"command\": \"x\"}]}\n    ]\n  }\n}\n",
		"one line":  `{"hooks": {"Stop": [{"hooks": []}], "Other": [1]}}`,
		"commented": "{\"hooks\": {\"Stop\": [\n  1, // one\n  2, // two\n]}}",
	} {
		t.Run(name, func(t *testing.T) {
			with, err := JSONAppend([]byte(text), path, entry)
			if err != nil {
				t.Fatal(err)
			}
			var list []json.RawMessage
			if ok, err := JSONGet(with, path, &list); !ok || err != nil || !ours(list[len(list)-1]) {
				t.Fatalf("%v\n%s", err, with)
			}
			back, done := diff([]byte(text), with).back(with)
			if !done || string(back) != text {
				t.Errorf("byte for byte: got %q, want %q", back, text)
			}
			without, err := JSONDropItems(with, path, ours)
			if err != nil || strings.Contains(string(without), "offstage") {
				t.Errorf("%v\n%s", err, without)
			}
			if _, _, err := parseJSON(without); err != nil {
				t.Errorf("%v\n%s", err, without)
			}
		})
	}
}

// What is no JSON, or has something else in our place, is left alone.
func TestJSONRefuses(t *testing.T) {
	for _, text := range []string{"[1]", "{", `{"a" 1}`, `{"a": }`, `{"a": 1} x`, "hello", `{"mcpServers": 3}`, `{"mcpServers": [1]}`, "{\"a\": \"b\nc\"}", strings.Repeat("[", 1000), `{a: 1}`} {
		if out, err := JSONSet([]byte(text), mcpPath, server); err == nil {
			t.Errorf("%q was taken: %s", text, out)
		}
	}
}

// Any object: what is set is there, all else means the same, and the edit goes
// back byte for byte.
func TestJSONAnyObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.MapOf(rapid.StringMatching(`[a-z]{1,4}`), rapid.OneOf(rapid.Just[any](1.0), rapid.Just[any]("x,}"), rapid.Just[any](map[string]any{}), rapid.Just[any]([]any{"//", 2.0}))).Draw(t, "object")
		indent := rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent")
		text, _ := json.MarshalIndent(value, "", indent)
		if indent == "" {
			text, _ = json.Marshal(value)
		}
		with, err := JSONSet(text, mcpPath, server)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(with, &got); err != nil {
			t.Fatalf("%v\n%s", err, with)
		}
		if len(got) != len(value)+1 {
			t.Fatalf("%s", with)
		}
		if back, done := diff(text, with).back(with); !done || string(back) != string(text) {
			t.Fatalf("got %q want %q", back, text)
		}
	})
}

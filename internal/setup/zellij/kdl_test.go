package zellij

import (
	"strings"
	"testing"
)

// What a person may write in KDL around the one node that matters.
func TestScan(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"a 1\nb {\n}\nc":                      "a b{} c",
		"a { b { c } }; d":                    "a{} d",
		"// a {\n/* b { /* c */ } */ d \"}\"": "d",
		"/- a {\n b\n}\nc":                    "c",
		"/-\na 1\nb":                          "b",
		"a r#\"} \" {\"# { b }\n":             "a{}",
		"a \\\n  1 \\ // x\n 2\nb":            "a b",
		"\"quoted name\" { }\nrest":           "quoted name{} rest",
		"a {\n /- b { c }\n}\n":               "a{}",
		"a \"\\\"{\" \n b 1":                  "a b",
	} {
		nodes, err := scan([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, n := range nodes {
			if n.open >= 0 {
				n.name += string(text[n.open]) + string(text[n.shut])
			}
			got = append(got, n.name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, " "), want)
		}
	}
	for _, text := range []string{"a {", "}", "{ a }", "a \"", "/* a", "a r#\"x\"", "r##"} {
		if nodes, err := scan([]byte(text)); err == nil && text != "r##" {
			t.Errorf("%q is taken: %+v", text, nodes)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("keybinds {\n r#\"\"# /- a /* } */ }")
	f.Fuzz(func(t *testing.T, text string) {
		nodes, err := scan([]byte(text))
		for _, n := range nodes {
			if err == nil && n.open >= 0 && (n.shut <= n.open || text[n.open] != '{' || text[n.shut] != '}') {
				t.Errorf("%+v", n)
			}
		}
	})
}

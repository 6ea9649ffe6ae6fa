package redact

import (
	"strings"
	"testing"
)

// TestDict: a word is found in any case, nothing else is, and no word of a table
// is too long to be in it.
func TestDict(t *testing.T) {
	prepare()
	d := dictOf("a ab key token12 password credentials x-amz-credential")
	d.fill()
	for _, w := range []string{"a", "A", "Ab", "KEY", "Token12", "passWord", "CREDENTIALS", "X-Amz-Credential"} {
		if !d.has(w) {
			t.Errorf("%q is missing", w)
		}
	}
	for _, w := range []string{"", "b", "ke", "keys", "token1", "token123", "passwore", "credential", "credentialz", "k\x05y", strings.Repeat("a", 40)} {
		if d.has(w) {
			t.Errorf("%q is there", w)
		}
	}
	for name, table := range map[string]*dict{"names": nameWords, "status": statusWords, "glue": glueWords, "roots": codeRoots,
		"parser": parserWords, "trouble": troubleWords, "empty": emptyWords, "tools": toolWords, "login": loginTools,
		"single": singleToken, "list": listScheme, "said": saidWords, "cookie": cookieHeaders, "field": nameFields, "value": valueFields} {
		if table.dropped > 0 || len(table.slots) == 0 {
			t.Errorf("%s: %d words are too long", name, table.dropped)
		}
	}
}

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The change that is shown is the change: a table of texts and how they are told.
func TestDiffLines(t *testing.T) {
	many := func(n int, at map[int]string) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			if s, ok := at[i]; ok {
				b.WriteString(s)
				continue
			}
			fmt.Fprintf(&b, "l%d\n", i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ old, next, want string }{
		"none":        {"", "a\nb\n", "@@ line 1 @@|+a|+b"},
		"same":        {"a\n", "a\n", ""},
		"gone":        {"a\nb\n", "", "@@ line 1 @@|-a|-b"},
		"in between":  {many(20, nil), many(20, map[int]string{10: "x\n"}), "@@ line 7 @@| l7| l8| l9|-l10|+x| l11| l12| l13"},
		"two places":  {many(40, nil), many(40, map[int]string{5: "l5\nx\n", 30: ""}), "@@ line 3 @@| l3| l4| l5|+x| l6| l7| l8|@@ line 27 @@| l27| l28| l29|-l30| l31| l32| l33"},
		"CRLF":        {"a\r\nb\r\n", "a\r\nx\r\nb\r\n", "@@ line 1 @@| a|+x| b"},
		"for the eye": {"", "\x1b[31mred\x07\u202e\n", "@@ line 1 @@|+red"},
		"a secret":    {"password = \"Hq7zPw2kXn5t\"\n", "password = \"Hq7zPw2kXn5t\"\nx\n", "@@ line 1 @@| password = \"[redacted]\"|+x"},
	} {
		if got := strings.Join(diffLines([]byte(c.old), []byte(c.next)), "|"); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// A text beyond the bound of the comparison is told all the same.
func TestDiffOfLargeTexts(t *testing.T) {
	var old, next strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&old, "a%d\n", i)
		fmt.Fprintf(&next, "b%d\n", i)
	}
	if got := diffLines([]byte(old.String()), []byte(next.String())); len(got) != 6001 || got[1] != "-a0" || got[6000] != "+b2999" {
		t.Errorf("%d lines: %q … %q", len(got), got[1], got[len(got)-1])
	}
}

// C3: only the path of a program that stays is written.
func TestPassingPrograms(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "tmp"))
	for path, want := range map[string]bool{
		"/home/me/.cache/go-build/ab/x-d/offstage":           true,
		filepath.Join(os.TempDir(), "go-build12/exe/main"):   true,
		filepath.Join(os.TempDir(), "offstage"):              true,
		"/usr/local/bin/offstage":                            false,
		"/home/me/go/bin/offstage":                           false,
		filepath.Join(filepath.Dir(os.TempDir()), "tmpbins"): false,
	} {
		if passing(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPatternsInPanel: a running panel takes a change of redact.patterns up, in the
// list and in an open console; so does the plain filter from its start (spec 5, C1).
func TestPatternsInPanel(t *testing.T) {
	const own = "acme_f1k9d2m8s3w7q4z6"
	home, dir := t.TempDir(), t.TempDir()
	log := logFile(t, dir, "badge.log", "reading\nbadge "+own+" read\n")
	env := canaryEnv(home, "")
	s := runWith(t, 100, 30, home, env, "--files", dir, "--task", "badge.log")
	s.shows("badge " + own)
	if err := os.MkdirAll(filepath.Join(home, "config", "offstage"), 0o700); err != nil {
		t.Fatal(err)
	}
	logFile(t, filepath.Join(home, "config", "offstage"), "config.toml", "[redact]\npatterns = [\"acme_\", \"ac\"]\n")
	s.until("the token hidden", func(text string) bool {
		return strings.Contains(text, "badge [redacted] read") && !strings.Contains(text, own[:10])
	})
	c := redactor(t, log)
	c.Env, c.Dir = env, home
	var words strings.Builder
	c.Stderr = &words
	if out, err := c.Output(); err != nil || string(out) != "reading\nbadge [redacted] read\n" {
		t.Errorf("the filter: %v, %q", err, out)
	}
	if want := "config.toml:2: redact.patterns: unusable pattern \"ac\": a prefix has 3 to 256 characters; it is left out\n"; !strings.HasSuffix(words.String(), want) || strings.Count(words.String(), "\n") != 1 {
		t.Errorf("of the bad pattern was said %q", words.String())
	}
}

// TestSettingsInPanel: a running panel takes changes of its settings up within two
// seconds, with nothing else going on, and says what is wrong in them (spec 5).
func TestSettingsInPanel(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	logFile(t, dir, "a.log", "one\n")
	s := runWith(t, 200, 30, home, canaryEnv(home, ""), "--files", dir)
	s.until("the mark of a log", func(text string) bool {
		return strings.Contains(text, "a.log") && strings.ContainsAny(text, "─●◌○✓")
	})
	folder := filepath.Join(home, "config", "offstage")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	logFile(t, folder, "config.toml", "marks = \"ascii\"\nnonsense = 1\n")
	s.until("ASCII marks, and what is wrong", func(text string) bool {
		return strings.Contains(text, "a.log") && !strings.ContainsAny(text, "─●◌○✓") && strings.Contains(text, "there is no setting nonsense")
	})
}

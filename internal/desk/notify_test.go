package desk

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func vars(kv ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i+1 < len(kv); i += 2 {
		m[kv[i]] = kv[i+1]
	}
	return func(k string) string { return m[k] }
}

// N4: each terminal gets the form that it knows; tmux hands it through and has a
// bell of its own.
func TestTerminalNotice(t *testing.T) {
	for _, c := range []struct {
		name string
		env  func(string) string
		want string
	}{
		{"iTerm2", vars("TERM", "xterm-256color", "TERM_PROGRAM", "iTerm.app"), "\x1b]9;Offstage: ✘ the tests; 2 failed\a"},
		{"kitty", vars("TERM", "xterm-kitty"), "\x1b]99;i=offstage:d=0:p=title;Offstage\x1b\\\x1b]99;i=offstage:d=1:p=body;✘ the tests; 2 failed\x1b\\"},
		{"GNOME Terminal", vars("TERM", "xterm-256color", "VTE_VERSION", "7600"), "\x1b]777;notify;Offstage;✘ the tests, 2 failed\a"},
		{"foot", vars("TERM", "foot"), "\x1b]777;notify;Offstage;✘ the tests, 2 failed\a"},
		{"tmux", vars("TERM", "tmux-256color", "TMUX", "/tmp/x,1,0"), "\x1bPtmux;\x1b\x1b]9;Offstage: ✘ the tests; 2 failed\a\x1b\\\a"},
		{"screen", vars("TERM", "screen", "STY", "1.x"), "\a"},
	} {
		if got := TerminalNotice("Offstage", "✘ the tests; 2 failed", c.env); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Spec 1 C: no byte of a task reaches the terminal raw, not by way of a notice.
func TestNoticeTextIsPlain(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b]0;title\x07b":              "a]0;titleb",
		"end\x1b\\\x9c\x1bPq":             "end\\Pq",
		"two\nlines\tand\u00a0more":       "two lines and more",
		"\u202egnp.exe\u2066\ufeff\u200b": "gnp.exe",
		"bad \xff\xfe bytes \ue000":       "bad bytes",
		"déploiement 日本 ✓":                "déploiement 日本 ✓",
		strings.Repeat("x", 300):          strings.Repeat("x", 200) + "…",
	} {
		if got := NoticeText(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzTerminalNotice(f *testing.F) {
	f.Add("Offstage", "a\x1b]9;4;1;50\x07\x9d", true)
	f.Fuzz(func(t *testing.T, title, text string, tmux bool) {
		env := vars("TERM", "xterm")
		if tmux {
			env = vars("TERM", "tmux", "TMUX", "x")
		}
		seq := TerminalNotice(title, text, env)
		if tmux {
			seq = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(seq, "\x1bPtmux;\x1b"), "\a"), "\x1b\\")
		}
		inner := strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b]9;"), "\a")
		if strings.ContainsFunc(inner, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
			t.Fatalf("%q", seq)
		}
	})
}

// N4: the desktop's program gets the text as one argument, behind the end of its
// flags, and no shell reads it.
func TestShowNotice(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("notify-send is Linux's")
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "got")
	body := "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\n' \"$a\"; done > " + out + "\n"
	if err := os.WriteFile(filepath.Join(dir, "notify-send"), []byte(body), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	bus := vars("DBUS_SESSION_BUS_ADDRESS", "unix:path=/x")
	if err := ShowNotice(context.Background(), "Offstage", "--help $(touch x) <b>\x1b[31m\"it\" failed", bus); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(out)
	if string(b) != "--app-name=Offstage\n--\n--help $(touch x) <b>[31m\"it\" failed\n" {
		t.Errorf("it got %q", b)
	}
	if err := os.WriteFile(filepath.Join(dir, "notify-send"), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := ShowNotice(context.Background(), "Offstage", "x", bus); !errors.As(err, &exit) {
		t.Errorf("one that fails: %v", err)
	}
	if err := ShowNotice(context.Background(), "Offstage", "x", vars()); !errors.Is(err, ErrNoNotices) {
		t.Errorf("without a desktop: %v", err)
	}
}

// The Mac's script takes the text as an argument and never as a part of itself.
func TestMacNotifiers(t *testing.T) {
	list := notifiers("darwin")
	if got := list[0].argv("Offstage", `✘ "x"`); !slices.Equal(got, []string{"terminal-notifier", "-title", "Offstage", "-message", `✘ "x"`}) {
		t.Errorf("%q", got)
	}
	got := list[1].argv("Offstage", `" & do shell script "x`)
	if got[len(got)-2] != `" & do shell script "x` || strings.Contains(strings.Join(got[:len(got)-2], " "), "x\"") {
		t.Errorf("%q", got)
	}
}

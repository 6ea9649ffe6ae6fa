package hosts

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"offstage/internal/setup"
)

// place is a home of its own with one host's file in it.
type place struct {
	t    *testing.T
	h    setup.Host
	e    setup.Env
	dir  string
	path string
}

func at(t *testing.T, name string) *place {
	t.Helper()
	h, ok := Find(name)
	if !ok {
		t.Fatalf("there is no host %s", name)
	}
	home := t.TempDir()
	e := setup.Env{Home: home, Program: "/usr/local/bin/offstage", Getenv: func(string) string { return "" }}
	return &place{t: t, h: h, e: e, dir: filepath.Join(t.TempDir(), "setup"), path: h.Parts(e)[0].Path}
}

// write puts the file there, behind a link into another folder where linked.
func (p *place) write(text string, linked bool) {
	p.t.Helper()
	real := p.path
	if linked {
		real = filepath.Join(p.e.Home, "dotfiles", filepath.Base(p.path))
	}
	for _, dir := range []string{filepath.Dir(real), filepath.Dir(p.path)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	if err := os.WriteFile(real, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	if linked {
		if err := os.Symlink(real, p.path); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *place) read() string {
	b, err := os.ReadFile(p.path)
	if err != nil {
		return "no file"
	}
	return string(b)
}

func (p *place) add() []setup.Change {
	p.t.Helper()
	changes, err := setup.Add(p.h, p.e)
	if err == nil {
		err = setup.Apply(p.h, p.dir, changes)
	}
	if err != nil {
		p.t.Fatalf("set up: %v", err)
	}
	return changes
}

func (p *place) remove() {
	p.t.Helper()
	changes, err := setup.Remove(p.h, p.e, p.dir)
	if err == nil {
		err = setup.Apply(p.h, p.dir, changes)
	}
	if err == nil {
		err = setup.Forget(p.dir, p.h.Name())
	}
	if err != nil {
		p.t.Fatalf("take it out: %v", err)
	}
}

// C3, for every host: the change is shown, the host can read the result, a second
// time there is nothing to do, an older entry is followed, a link stays one, and
// what was put in comes out byte for byte, with the journal and by the rules.
func TestOddConfigurations(t *testing.T) {
	for _, f := range families() {
		for _, host := range f.hosts {
			for name, text := range f.odd {
				for _, linked := range []bool{false, true} {
					t.Run(host+"/"+name+map[bool]string{true: " linked"}[linked], func(t *testing.T) { oddOne(t, f, host, text, linked) })
				}
			}
		}
	}
}

func oddOne(t *testing.T, f family, host, text string, linked bool) {
	p := at(t, host)
	if text != "no file" {
		p.write(text, linked)
	} else if linked {
		return // there is nothing to link to
	}
	changes := p.add()
	got := p.read()
	if changes[0].None() || len(changes[0].What) == 0 || !strings.Contains(string(changes[0].After), p.e.Program) {
		t.Errorf("the change does not show what is put in: %+v", changes[0])
	}
	if got != string(changes[0].After) || strings.Contains(got, "/old/") {
		t.Errorf("not what was shown, or the older entry is left:\n%s", got)
	}
	f.reads(t, host, got)
	if host != "tmux" && strings.Contains(text, "\r\n") && strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\n") {
		t.Errorf("line ends are mixed: %q", got)
	}
	again, err := setup.Add(p.h, p.e)
	if err != nil || !again[0].None() {
		t.Errorf("the second time there is something to do: %v", err)
	}
	p.remove()
	if p.read() != text {
		t.Errorf("not byte for byte: %q, want %q", p.read(), text)
	}
	if st, err := os.Lstat(p.path); linked && (err != nil || st.Mode()&os.ModeSymlink == 0) {
		t.Error("the link was replaced")
	}
	p.add()
	if err := setup.Forget(p.dir, host); err != nil {
		t.Fatal(err)
	}
	p.remove() // nothing is remembered: by the rules
	if left := p.read(); strings.Contains(left, "offstage") {
		t.Errorf("by the rules something is left: %q", left)
	}
}

// A file that may not be written is said so and stays; what the host cannot read
// is left alone with the lines to add.
func TestLeftAlone(t *testing.T) {
	broken := map[string]string{"codex": "a = = 1\n", "wezterm": "return { keys = {} }\n", "zellij": "keybinds {\n", "kitty": "# offstage: begin\n", "tmux": "# offstage: begin\n"}
	for _, h := range All() {
		t.Run(h.Name(), func(t *testing.T) {
			p := at(t, h.Name())
			text, ok := broken[h.Name()]
			if !ok {
				text = "{\n  \"a\": 1,,\n}\n"
			}
			p.write(text, false)
			changes := p.add()
			if p.read() != text || changes[0].ByHand == "" || !strings.Contains(changes[0].ByHand, "/usr/local/bin/offstage") || changes[0].Why == "" {
				t.Errorf("%+v\n%s", changes[0], p.read())
			}
			if os.Geteuid() == 0 {
				t.Skip("root may write every file: read-only is not tried")
			}
			if err := os.WriteFile(p.path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(p.path, 0o400); err != nil {
				t.Fatal(err)
			}
			changes, err := setup.Add(p.h, p.e)
			if err != nil {
				t.Fatal(err)
			}
			if err := setup.Apply(p.h, p.dir, changes); err == nil || !strings.Contains(err.Error(), "may not be written") {
				t.Errorf("a read-only file: %v", err)
			}
		})
	}
}

// Who reads strict JSON only is not given a file with comments in it for good.
func TestStricterThanTheFile(t *testing.T) {
	for host, text := range map[string]string{"claude": "{ // c\n}", "kimi": "{\"a\": 1,}", "gemini": "{\"a\": 1,}", "qwen": "{\"a\": [1,],}", "copilot": "/* */ {}", "cursor": "{} // c"} {
		p := at(t, host)
		p.write(text, false)
		if changes := p.add(); p.read() != text || !strings.Contains(changes[0].Why, "wants JSON without") {
			t.Errorf("%s: %+v", host, changes[0])
		}
	}
}

// C2: a taken key is noticed and another is offered; with another it goes.
func TestTakenKey(t *testing.T) {
	for host, c := range map[string]struct{ text, by, other string }{
		"tmux":    {"bind-key -r -N 'my note here' b break-pane\n", "break-pane", "B"},
		"kitty":   {"kitty_mod ctrl+alt\nmap ctrl+alt+y new_tab\n", "new_tab", "kitty_mod+i"},
		"wezterm": {"local c = {}\nc.keys = {\n  { key = \"b\", mods = \"SHIFT|CTRL\", action = x },\n}\nreturn c\n", "the line {", "i"},
		"zellij":  {"keybinds {\n    tmux {\n        bind \"b\" { NewTab; }\n    }\n}\n", "{ NewTab; }", "Alt i"},
	} {
		p := at(t, host)
		p.write(c.text, false)
		_, err := setup.Add(p.h, p.e)
		var taken *setup.TakenError
		if !errors.As(err, &taken) || !strings.Contains(taken.By, c.by) || !strings.Contains(taken.Do, "--key") {
			t.Errorf("%s: %v", host, err)
		}
		p.e.Key = c.other
		p.add()
		if !strings.Contains(p.read(), c.other) && !strings.Contains(p.read(), "'"+c.other+"'") {
			t.Errorf("%s: the other key is not there:\n%s", host, p.read())
		}
		p.e.Key = "no key;"
		if _, err := setup.Add(p.h, p.e); err == nil {
			t.Errorf("%s takes %q for a key", host, p.e.Key)
		}
	}
}

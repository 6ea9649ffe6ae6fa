package hosts

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

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

// family are the hosts whose files are of one kind: how they are read, and what
// people have in them.
type family struct {
	hosts []string
	// reads is the host's own rule, as far as it can be had here.
	reads func(t *testing.T, host, text string)
	odd   map[string]string
}

func families() []family {
	strict := map[string]string{
		"none": "no file", "empty": "", "empty object": "{}", "one line": `{"a": 1}`, "two blanks": "{\n  \"a\": 1\n}\n", "tabs": "{\n\t\"a\": {\n\t\t\"b\": [1, 2]\n\t}\n}",
		"CRLF": "{\r\n  \"a\": 1\r\n}\r\n", "another server": "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}\n  },\n  \"mcp\": {\"x\": {\"type\": \"local\"}},\n  \"z\": true\n}\n",
		"no newline": "{\n    \"é\": \"日本\"\n}",
	}
	comments := with(strict, map[string]string{"comments": "// mine\n{\n  \"a\": 1, // one, two\n  /* b */ \"b\": \"//\"\n}\n"})
	servers := map[string]string{"older entry": "{\n  \"mcpServers\": {\"offstage\": {\"command\": \"/old/offstage\", \"args\": [\"mcp\"]}},\n  \"z\": 1\n}\n"}
	loose := with(comments, map[string]string{"older entry": "{\n  \"mcp\": {\"offstage\": {\"type\": \"local\", \"command\": [\"/old/offstage\"]}}\n}\n", "comma at the end": "{\n  // c\n  \"mcp\": {\"x\": {\"type\": \"local\"},},\n}\n"})
	return []family{
		{[]string{"claude"}, readsStrict, with(strict, map[string]string{
			"own line":    "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"sh -c 'echo \\\"hi\\\"'\", \"padding\": 0}\n}\n",
			"older entry": "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"/old/offstage pill --format statusline --wrap 'my line'\"},\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"'/old/off stage/offstage' hook\"}, {\"type\": \"command\", \"command\": \"mine\"}]}\n    ]\n  }\n}\n",
		})},
		{[]string{"kimi", "cursor", "copilot"}, readsStrict, with(strict, servers)},
		{[]string{"gemini", "qwen"}, readsComments, with(comments, servers)},
		{[]string{"opencode"}, readsLoose, loose},
		{[]string{"codex"}, readsTOML, map[string]string{
			"none": "no file", "empty": "", "comments": "# mine\nmodel = \"x\" # why\n\n# end\n", "CRLF": "model = \"x\"\r\n[a]\r\nb = 1\r\n", "tabs": "[a]\n\tb = 1\n\tc = [\n\t\t1,\n\t\t2,\n\t]\n",
			"another server": "[mcp_servers.other]\ncommand = \"y\"\n\n[profiles.\"a.b\"] # c\nx = 1\n", "no newline": "model = \"x\"",
			"older entry": "a = 1\n[mcp_servers.offstage]\ncommand = \"/old/offstage\"\n\n# next\n[z]\nb = 2\n",
		}},
		{[]string{"kitty"}, readsBlock, map[string]string{
			"none": "no file", "empty": "", "comments": "# mine\nfont_size 12\n", "CRLF": "font_size 12\r\nmap ctrl+a new_tab\r\n", "tabs": "map\tctrl+a\tnew_tab\n", "no newline": "font_size 12",
			"older entry": "a b\n# offstage: begin (old)\nmap kitty_mod+y launch /old/offstage\n# offstage: end\nc d\n",
		}},
		{[]string{"wezterm"}, readsLua, map[string]string{
			"none": "no file", "empty": "", "comments": "-- mine\nlocal c = {} -- x\nreturn c -- end\n", "CRLF": "local config = {}\r\nreturn config\r\n",
			"tabs": "local config = {\n\tkeys = {\n\t\t{ key = 'b', mods = 'CTRL' },\n\t},\n}\nreturn config", "own pill": "local w = require 'wezterm'\nw.on('update-status', function(x) x:set_right_status('me') end)\nlocal k = {}\nreturn k\n",
			"older entry": "local config = {}\n-- offstage: begin (old)\n-- /old/offstage\n-- offstage: end\nreturn config\n",
		}},
		{[]string{"zellij"}, readsBlock, map[string]string{
			"none": "no file", "empty": "", "comments": "// mine { not one\n/* { /* } */ */\ntheme \"x{\"\n", "keybinds": "theme \"x\"\nkeybinds clear-defaults=true {\n    normal {\n        bind \"Ctrl g\" { SwitchToMode \"Locked\"; }\n    }\n}\nui {\n}\n",
			"CRLF": "keybinds {\r\n\tnormal {\r\n\t}\r\n}\r\n", "raw text": "a r#\"}\"# // }\nkeybinds {\n    tmux {\n        bind \"c\" { NewTab; }\n    }\n}", "taken out": "/- keybinds {\n}\nx 1\n",
			"older entry": "keybinds {\n// offstage: begin (old)\n    tmux {\n        bind \"b\" { Run \"/old/offstage\"; }\n    }\n// offstage: end\n}\n",
		}},
		{[]string{"tmux"}, readsTmux, map[string]string{
			"none": "no file", "empty": "", "comments": "# mine\nset -g status-right \"me %H\" # why\n", "CRLF": "# mine\r\nset -g @me x\r\n", "tabs": "set\t-g\tmouse\ton\nbind\tC-b\tsend-prefix\n", "no newline": "set -g mouse on",
			"braces":      "bind x {\n  display-message hi\n}\nunbind b\n",
			"older entry": "set -g mouse on\n# offstage: begin (old)\nbind-key B run-shell -b \"'/old/offstage' open --toggle --tmux-pane '#{pane_id}'\"\n# offstage: end\nset -g base-index 1\n",
		}},
	}
}

func with(a, b map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		out[k] = v
	}
	return out
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

func readsStrict(t *testing.T, _, text string) {
	t.Helper()
	if !json.Valid([]byte(text)) {
		t.Errorf("no strict JSON:\n%s", text)
	}
}

func readsComments(t *testing.T, _, text string) {
	t.Helper()
	if err := setup.CheckJSON([]byte(text), setup.Comments); err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
}

func readsLoose(t *testing.T, _, text string) {
	t.Helper()
	var v struct{ Command []string }
	if ok, err := setup.JSONGet([]byte(text), []string{"mcp", "offstage"}, &v); !ok || err != nil || len(v.Command) != 2 {
		t.Errorf("%v:\n%s", err, text)
	}
}

func readsTOML(t *testing.T, _, text string) {
	t.Helper()
	var v struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal([]byte(text), &v); err != nil || v.Servers["offstage"].Command != "/usr/local/bin/offstage" {
		t.Errorf("%v:\n%s", err, text)
	}
}

// readsBlock: the programs are not asked here; one block of ours, whole.
func readsBlock(t *testing.T, host, text string) {
	t.Helper()
	if strings.Count(text, "offstage: begin") != 1 || strings.Count(text, "offstage: end") != 1 {
		t.Errorf("not one block:\n%s", text)
	}
	if program, err := exec.LookPath(host); host == "zellij" && err == nil {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "config.kdl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "--config-dir", home, "setup", "--check")
		cmd.Env = append(os.Environ(), "HOME="+home)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("zellij: %v\n%s", err, out)
		}
	}
}

func readsLua(t *testing.T, host, text string) {
	t.Helper()
	readsBlock(t, host, text)
	luac, err := exec.LookPath("luac")
	if err != nil {
		return // the shape is checked; the syntax where there is a Lua
	}
	cmd := exec.Command(luac, "-p", "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("lua: %v\n%s\n%s", err, out, text)
	}
}

// readsTmux lets the real program read the file where there is one.
func readsTmux(t *testing.T, host, text string) {
	t.Helper()
	readsBlock(t, host, text)
	program, err := exec.LookPath("tmux")
	if err != nil {
		return
	}
	dir, err := os.MkdirTemp("", "tm")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	conf := filepath.Join(dir, "c")
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		cmd := exec.Command(program, append([]string{"-S", filepath.Join(dir, "s"), "-f", "/dev/null"}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "TMUX=")
		out, err := cmd.CombinedOutput()
		if err != nil && args[0] != "kill-server" {
			t.Errorf("tmux %v: %v\n%s\n%s", args, err, out, text)
		}
		return string(out)
	}
	run("new-session", "-d", "cat")
	defer run("kill-server")
	for range 2 { // a reload puts it in once
		run("source-file", conf)
	}
	if got := run("show-options", "-gv", "status-right"); strings.Count(got, "@offstage_pill") != 1 {
		t.Errorf("status-right: %s", got)
	}
	if got := run("list-keys", "-T", "prefix"); strings.Count(got, "--tmux-pane") != 1 {
		t.Errorf("keys: %s", got)
	}
}

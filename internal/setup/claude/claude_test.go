package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"offstage/internal/setup"
)

func env(t *testing.T, program string) setup.Env {
	t.Helper()
	return setup.Env{Home: t.TempDir(), Program: program, Getenv: func(string) string { return "" }}
}

func part(t *testing.T, e setup.Env, what string) setup.Part {
	t.Helper()
	for _, p := range Host().Parts(e) {
		if p.What == what {
			return p
		}
	}
	t.Fatalf("there is no part %q", what)
	return setup.Part{}
}

// C1: the old command is inside ours, whatever its quotes; ours of an earlier
// setup is not wrapped again; by the rules the old one comes back.
func TestStatusLineIsWrapped(t *testing.T) {
	for _, old := range []string{"cat", "~/.claude/line.sh --x 1", `sh -c 'echo "a b"'`, `it's 'quoted' and \ back`, "jq -r '.model.display_name'", "offstage-like pill --format statusline", "npx ccstatusline@latest"} {
		for _, program := range []string{"/usr/local/bin/offstage", "/home/a b/it's/offstage"} {
			p := part(t, env(t, program), "status line")
			quoted, _ := json.Marshal(old)
			text := `{"statusLine": {"type": "command", "command": ` + string(quoted) + `, "padding": 0}}`
			with, err := p.Add([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var got line
			if _, err := setup.JSONGet(with, linePath, &got); err != nil {
				t.Fatal(err)
			}
			if got.Refresh == nil || *got.Refresh != 2 || !strings.HasPrefix(got.Command, setup.Quote(program)+" pill --format statusline --wrap ") {
				t.Errorf("%s", with)
			}
			if inner, ours := unwrap(got.Command); inner != old || !ours {
				t.Errorf("inside is %q, want %q", inner, old)
			}
			moved := part(t, env(t, "/opt/offstage"), "status line")
			again, err := moved.Add(with)
			if err != nil || strings.Count(string(again), "--wrap") != 1 || !strings.Contains(string(again), "/opt/offstage pill") {
				t.Errorf("a moved program: %v %s", err, again)
			}
			back, err := moved.Remove(again)
			if err != nil || string(back) != text {
				t.Errorf("by the rules: %v\n%s\nwant\n%s", err, back, text)
			}
		}
	}
}

// A refresh that the person chose stays; where there was no line none is left.
func TestStatusLineOfNoneAndOwnRefresh(t *testing.T) {
	p := part(t, env(t, "/x/offstage"), "status line")
	with, err := p.Add([]byte(`{"statusLine":{"type":"command","command":"a","refreshInterval":30}}`))
	if err != nil || !strings.Contains(string(with), `"refreshInterval":30`) {
		t.Errorf("%v %s", err, with)
	}
	if back, err := p.Remove(with); err != nil || string(back) != `{"statusLine":{"type":"command","command":"a","refreshInterval":30}}` {
		t.Errorf("%v %s", err, back)
	}
	with, err = p.Add([]byte("{}"))
	if err != nil || strings.Contains(string(with), "--wrap") {
		t.Errorf("%v %s", err, with)
	}
	if back, err := p.Remove(with); err != nil || strings.Contains(string(back), "statusLine") {
		t.Errorf("%v %s", err, back)
	}
}

// H1: each event has our hook once, beside those of the person.
func TestHooksBesideOthers(t *testing.T) {
	e := env(t, "/x/offstage")
	text := []byte(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}], "PreToolUse": []}}`)
	with := text
	for range 2 {
		for _, ev := range events {
			var err error
			if with, err = part(t, e, "hook for "+ev.name).Add(with); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got struct{ Hooks map[string][]entry }
	if err := json.Unmarshal(with, &got); err != nil {
		t.Fatal(err)
	}
	for _, ev := range events {
		list := got.Hooks[ev.name]
		if !once(list, "/x/offstage hook") || list[len(list)-1].Matcher != ev.matcher {
			t.Errorf("%s: %+v", ev.name, list)
		}
	}
	if len(got.Hooks["Stop"]) != 2 || got.Hooks["Stop"][0].Hooks[0].Command != "mine" {
		t.Errorf("%+v", got.Hooks["Stop"])
	}
	for _, ev := range events {
		with, _ = part(t, e, "hook for "+ev.name).Remove(with)
	}
	var want, back any
	if json.Unmarshal(with, &back) != nil || json.Unmarshal(text, &want) != nil {
		t.Fatal("no JSON")
	}
	x, _ := json.Marshal(back)
	y, _ := json.Marshal(want)
	if string(x) != string(y) {
		t.Errorf("%s, want %s", x, y)
	}
}

// A command file of the person's own is left alone, and so is a hook that only
// looks like ours; where files lie goes by CLAUDE_CONFIG_DIR.
func TestNotOurs(t *testing.T) {
	e := env(t, "/x/offstage")
	p := part(t, e, "command /offstage")
	if err := os.MkdirAll(filepath.Dir(p.Path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.Path, []byte("my own words\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	changes, err := setup.Add(Host(), e)
	if err != nil {
		t.Fatal(err)
	}
	last := changes[len(changes)-1]
	if !last.None() && last.ByHand == "" || !strings.Contains(last.Why, "holds something of your own") || string(last.After) != "my own words\n" {
		t.Errorf("%+v", last)
	}
	if back, err := p.Remove([]byte("my own words\n")); err != nil || string(back) != "my own words\n" {
		t.Errorf("%q %v", back, err)
	}
	for command, want := range map[string]bool{"/a/offstage hook": true, "'/a b/offstage' hook": true, "/a/offstage.exe hook --x": true, "/a/offstage hooks": false, "/a/my-offstage hook": false, "echo offstage hook": false} {
		if isHook(command) != want {
			t.Errorf("%q: %v", command, !want)
		}
	}
	e.Getenv = func(key string) string { return map[string]string{"CLAUDE_CONFIG_DIR": "/c"}[key] }
	for _, p := range Host().Parts(e) {
		if filepath.ToSlash(p.Path) != "/c/settings.json" && filepath.ToSlash(p.Path) != "/c/.claude.json" && filepath.ToSlash(p.Path) != "/c/commands/offstage.md" {
			t.Errorf("%s lies at %s", p.What, p.Path)
		}
	}
}

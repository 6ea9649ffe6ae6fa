package setup

import (
	"errors"
	"strings"
	"testing"
)

const tomlBody = "command = \"/usr/local/bin/offstage\"\nargs = [\"mcp\"]\n"

func TestTOMLSetAndDrop(t *testing.T) {
	for name, text := range map[string]string{
		"empty":           "",
		"keys":            "model = \"x\"\n",
		"no last newline": "model = \"x\"",
		"CRLF":            "model = \"x\"\r\n[a]\r\nb = 1\r\n",
		"tables":          "[mcp_servers.other]\ncommand = \"y\"\n\n[profiles.\"a.b\"] # c\nx = 1\n",
		"comments":        "# mine\nmodel = \"x\" # why\n\n# end\n",
		"a text of lines": "prompt = \"\"\"\nhello\n[world]\n\"\"\"\n",
		"an array":        "[[x]]\na = 1\n[[x]]\na = 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			with, err := TOMLSet([]byte(text), "mcp_servers.offstage", tomlBody)
			if err != nil {
				t.Fatal(err)
			}
			if m, err := tomlOf(with); err != nil || !tomlHas(m, "mcp_servers.offstage.command") {
				t.Fatalf("%v\n%s", err, with)
			}
			if strings.Contains(text, "\r\n") && strings.Contains(strings.ReplaceAll(string(with), "\r\n", ""), "\n") {
				t.Errorf("line ends are mixed: %q", with)
			}
			if again, err := TOMLSet(with, "mcp_servers.offstage", tomlBody); err != nil || string(again) != string(with) {
				t.Errorf("again: %v\n%s", err, again)
			}
			if back, done := diff([]byte(text), with).back(with); !done || string(back) != text {
				t.Errorf("byte for byte: %q want %q", back, text)
			}
			if back, err := TOMLDrop(with, "mcp_servers.offstage"); err != nil || strings.TrimRight(string(back), "\r\n") != strings.TrimRight(text, "\r\n") {
				t.Errorf("by the rules: %v %q want %q", err, back, text)
			}
		})
	}
}

// An older entry of ours is replaced where it stands; what follows stays.
func TestTOMLReplaces(t *testing.T) {
	text := "a = 1\n\n[mcp_servers.offstage]\ncommand = \"/old/offstage\"\n\n# the next\n[b]\nc = 2\n"
	got, err := TOMLSet([]byte(text), "mcp_servers.offstage", tomlBody)
	if err != nil || !strings.Contains(string(got), "/usr/local/bin") || strings.Contains(string(got), "/old") || !strings.HasSuffix(string(got), "\n# the next\n[b]\nc = 2\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

// Another form of the same table, and what is no TOML, is left alone.
func TestTOMLRefuses(t *testing.T) {
	for _, text := range []string{"mcp_servers = { offstage = { command = \"x\" } }\n", "mcp_servers.offstage.command = \"x\"\n", "a = \n", "a = \"\"\"\n[mcp_servers.offstage]\n\"\"\"\n"} {
		if out, err := TOMLSet([]byte(text), "mcp_servers.offstage", tomlBody); !errors.Is(err, ErrCannotParse) {
			t.Errorf("%q was taken: %v\n%s", text, err, out)
		}
	}
}

func TestBlocks(t *testing.T) {
	for _, text := range []string{"", "set -g mouse on\n", "set -g mouse on", "a\r\nb\r\n", "# offstage is nice\n"} {
		with, err := BlockSet([]byte(text), "#", "tmux", "bind b run x\n")
		if err != nil || !strings.Contains(string(with), "bind b run x") {
			t.Fatalf("%v %q", err, with)
		}
		if again, err := BlockSet(with, "#", "tmux", "bind b run x\n"); err != nil || string(again) != string(with) {
			t.Errorf("again: %v %q", err, again)
		}
		other, err := BlockSet(with, "#", "tmux", "bind B run y\n")
		if err != nil || strings.Contains(string(other), "run x") || !strings.Contains(string(other), "run y") {
			t.Errorf("another: %v %q", err, other)
		}
		if back, done := diff([]byte(text), with).back(with); !done || string(back) != text {
			t.Errorf("byte for byte: %q want %q", back, text)
		}
		if back, err := BlockDrop(append(with, "more\n"...), "#"); err != nil || strings.Contains(string(back), "offstage: ") || !strings.HasSuffix(string(back), "more\n") {
			t.Errorf("%v %q", err, back)
		}
	}
	for _, text := range []string{"# offstage: begin\nx\n", "# offstage: begin\n# offstage: begin\n# offstage: end\n"} {
		if _, err := BlockSet([]byte(text), "#", "tmux", "x"); !errors.Is(err, ErrCannotParse) {
			t.Errorf("%q was taken: %v", text, err)
		}
	}
}

package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// T9: the commands that are asked are words, never a line for a shell.
func TestTodoHooks(t *testing.T) {
	load := func(text string) (Settings, []string) {
		path := filepath.Join(t.TempDir(), "c.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return Load([]Layer{{Path: path}}, func(string) string { return "" })
	}
	s, wrong := load("[todo]\non_create = [\"check\", \"--new\"]\non_complete = \"/opt/done it\"\n")
	if len(wrong) > 0 || !slices.Equal(s.OnCreate, []string{"check", "--new"}) || !slices.Equal(s.OnComplete, []string{"/opt/done it"}) {
		t.Errorf("%+v %v", s, wrong)
	}
	for _, text := range []string{"todo.on_create = 3\n", "todo.on_create = []\n", "todo.on_create = [1]\n", "todo.on_create = \"\"\n"} {
		if s, wrong := load(text); len(wrong) != 1 || !strings.Contains(wrong[0], "todo.on_create") || s.OnCreate != nil {
			t.Errorf("%q: %v", text, wrong)
		}
	}
	if _, wrong := load("todo.later = 3\n"); len(wrong) != 1 || !strings.Contains(wrong[0], "there is no setting todo.later") {
		t.Errorf("%v", wrong)
	}
	path := filepath.Join(t.TempDir(), ".offstage.toml")
	if err := os.WriteFile(path, []byte("todo.on_create = \"/tmp/evil\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, wrong := Load([]Layer{{Path: path, Project: true}}, func(string) string { return "" }); s.OnCreate != nil || len(wrong) != 1 || !strings.Contains(wrong[0], "can start no program") {
		t.Errorf("a project's file: %v %v", s.OnCreate, wrong)
	}
}

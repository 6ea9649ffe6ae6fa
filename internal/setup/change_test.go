package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// editor is a host with one file of two parts.
type editor struct{ path string }

func (editor) Name() string     { return "editor" }
func (editor) Title() string    { return "Editor" }
func (editor) After(Env) string { return "" }

func (h editor) Parts(e Env) []Part {
	part := func(key string) Part {
		path := []string{"offstage", key}
		return Part{Path: h.path, What: key, ByHand: key + "\n",
			Add:    func(text []byte) ([]byte, error) { return JSONSet(text, path, e.Program) },
			Remove: func(text []byte) ([]byte, error) { return JSONDrop(text, path) }}
	}
	return []Part{part("one"), part("two")}
}

func apply(t *testing.T, h Host, e Env, dir string) []Change {
	t.Helper()
	changes, err := Add(h, e)
	if err != nil {
		t.Fatal(err)
	}
	if err := Apply(h, dir, changes); err != nil {
		t.Fatal(err)
	}
	return changes
}

func remove(t *testing.T, h Host, e Env, dir string) {
	t.Helper()
	changes, err := Remove(h, e, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := Apply(h, dir, changes); err != nil {
		t.Fatal(err)
	}
	if err := Forget(dir, h.Name()); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		return "no file"
	}
	return string(b)
}

// C3: a change keeps a copy and the mode, writes through a link, is the same the
// second time, follows a new program, and is taken out byte for byte, also after
// the person went on editing.
func TestApplyAndRemove(t *testing.T) {
	for name, text := range map[string]string{"none": "no file", "plain": "{\n  \"a\": 1\n}\n", "tabs": "{\n\t\"a\": 1 // x\n}"} {
		t.Run(name, func(t *testing.T) {
			home, dir := t.TempDir(), filepath.Join(t.TempDir(), "setup")
			real, path := filepath.Join(home, "dotfiles", "c.json"), filepath.Join(home, ".c.json")
			if text != "no file" {
				if err := os.MkdirAll(filepath.Dir(real), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(real, []byte(text), 0o640); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(real, path); err != nil {
					t.Fatal(err)
				}
			}
			h, e := editor{path}, Env{Home: home, Program: "/usr/local/bin/offstage"}
			changes := apply(t, h, e, dir)
			if len(changes) != 1 || len(changes[0].What) != 2 || !strings.Contains(read(t, path), "/usr/local/bin/offstage") {
				t.Fatalf("%+v\n%s", changes, read(t, path))
			}
			if text != "no file" {
				if st, err := os.Lstat(path); err != nil || st.Mode()&os.ModeSymlink == 0 {
					t.Error("the link was replaced by a file")
				}
				if st, err := os.Stat(real); err != nil || st.Mode().Perm() != 0o640 {
					t.Errorf("the mode was not kept: %v", st.Mode())
				}
				if read(t, filepath.Join(dir, "editor-.c.json.1")) != text {
					t.Error("no copy of the file as it was")
				}
			}
			if again, err := Add(h, e); err != nil || !again[0].None() {
				t.Errorf("the second time there is something to do: %v %+v", err, again)
			}
			moved := Env{Home: home, Program: "/opt/offstage"}
			apply(t, h, moved, dir)
			if !strings.Contains(read(t, path), "/opt/offstage") || strings.Contains(read(t, path), "/usr/local") {
				t.Error("the new program is not there: " + read(t, path))
			}
			remove(t, h, moved, dir)
			if read(t, path) != text {
				t.Errorf("not as it was: %q, want %q", read(t, path), text)
			}

			apply(t, h, e, dir)
			edited := strings.Replace(read(t, path), "{", "{\n  \"mine\": true,", 1)
			if err := os.WriteFile(path, []byte(edited), 0o640); err != nil {
				t.Fatal(err)
			}
			remove(t, h, e, dir)
			got := read(t, path)
			if strings.Contains(got, "offstage") || !strings.Contains(got, `"mine": true`) {
				t.Errorf("after an edit of the person's: %q", got)
			}
			if text != "no file" && got != strings.Replace(text, "{", "{\n  \"mine\": true,", 1) {
				t.Errorf("not the person's own bytes: %q", got)
			}
		})
	}
}

// What cannot be parsed, or not be written, is left alone and says what to do.
func TestLeftAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "setup")
	path := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(path, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	h, e := editor{path}, Env{Program: "/x/offstage"}
	changes := apply(t, h, e, dir)
	if changes[0].ByHand != "one\ntwo\n" || changes[0].Why == "" || read(t, path) != "{broken" {
		t.Errorf("%+v", changes)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o400); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		changes, err := Add(h, e)
		if err != nil {
			t.Fatal(err)
		}
		if err := Apply(h, dir, changes); err == nil || !strings.Contains(err.Error(), "may not be written") {
			t.Errorf("a read-only file: %v", err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nowhere/at/all", path); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(h, e); err == nil || !strings.Contains(err.Error(), "is a link to /nowhere/at/all") {
		t.Errorf("a dangling link: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(h, e); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("a folder: %v", err)
	}
}

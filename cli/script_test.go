package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"offstage/internal/registry"
	"offstage/internal/source/claude"
	"offstage/internal/source/demo"
	"offstage/internal/source/files"
)

// TestMain lets the scripts run this very program under its own name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"offstage": func() {
		os.Exit(Main(os.Args[1:], Wiring{Version: "test", Sources: func(o SourceOptions) []registry.Named {
			switch {
			case o.Files != "":
				return []registry.Named{{Name: "files", Source: files.New(o.World, o.Files, files.Options{Procs: o.Procs.Table})}}
			case o.Demo != "":
				return []registry.Named{{Name: "demo", Source: demo.New(o.World, o.Demo, o.Procs.Table)}}
			}
			return []registry.Named{{Name: claude.Name, Source: claude.New(o.World, claude.Options{Procs: o.Procs.Table})}}
		}}))
	}})
}

// TestScripts runs the scripts in testdata/script: each is a promise of spec 5
// on the real program, in a home of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			for k, v := range map[string]string{
				"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config"), "TMPDIR": filepath.Join(e.WorkDir, "tmp"),
				"NO_COLOR": "", "CLICOLOR_FORCE": "", "TERM": "xterm", "OFFSTAGE_PLAIN": "",
			} {
				e.Setenv(k, v)
			}
			if err := os.MkdirAll(filepath.Join(e.WorkDir, "tmp"), 0o700); err != nil {
				return err
			}
			return os.MkdirAll(home, 0o700)
		},
	})
}

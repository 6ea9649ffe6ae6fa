package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"offstage/internal/registry"
	"offstage/internal/runner"
	"offstage/internal/source/claude"
	"offstage/internal/source/demo"
	"offstage/internal/source/files"
	"offstage/internal/source/own"
	"offstage/internal/world"
)

// TestMain lets the scripts run this very program under its own name.
func TestMain(m *testing.M) {
	program := func() {
		os.Exit(Main(os.Args[1:], Wiring{Version: "test", Sources: func(o SourceOptions) []registry.Named {
			switch {
			case plants(o) != nil:
				return plants(o)
			case o.Files != "":
				return []registry.Named{{Name: "files", Source: files.New(o.World, o.Files, files.Options{Procs: o.Procs.Table})}}
			case o.Demo != "":
				return []registry.Named{{Name: "demo", Source: demo.New(o.World, o.Demo, o.Procs.Table)}}
			}
			return []registry.Named{
				{Name: claude.Name, Sees: claude.Sees, Source: claude.New(o.World, claude.Options{Procs: o.Procs.Table})},
				{Name: own.Name, Sees: own.Sees, Source: own.New(o.World, o.State, o.Procs.Table)},
			}
		}, SuperviseVerb: runner.Verb, Supervise: supervise}))
	}
	if os.Getenv(programVar) != "" {
		program()
	}
	testscript.Main(m, map[string]func(){"offstage": program})
}

// supervise is the hidden verb, as main wires it.
func supervise(path string) int {
	w, err := world.New(world.Options{})
	if err != nil {
		return 1
	}
	state := filepath.Dir(filepath.Dir(path))
	return runner.Supervise(w, path, runner.SuperviseOptions{Ended: func(e runner.End) {
		if registry.RecordEnd(state, w.Now, e.Dir, e.Record, e.Exit) == nil {
			TellEnd(w, state, e.Dir.ID())
		}
	}})
}

// programVar makes the test's own binary the program, for tests that start it
// in a pseudo-terminal.
const programVar = "OFFSTAGE_TEST_PROGRAM"

// exits N COMMAND … runs the command and wants exit code N (spec 5).
func exits(ts *testscript.TestScript, _ bool, argv []string) {
	if len(argv) < 2 {
		ts.Fatalf("exits CODE COMMAND …")
	}
	got, err := 0, ts.Exec(argv[1], argv[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want := argv[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}

// TestScripts runs the scripts in testdata/script: each is a promise of spec 5
// on the real program, in a home of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  filepath.Join("testdata", "script"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
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

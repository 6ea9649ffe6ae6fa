//go:build unix

package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
)

// helper puts a script into a folder that goes in front of PATH.
func helper(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// H2: while the task runs a sleep inhibitor is held, and no longer; a stop of the
// task is none of it.
func TestKeepAwake(t *testing.T) {
	w, state := stage(t)
	log := filepath.Join(t.TempDir(), "log")
	helper(t, "systemd-inhibit", "echo held >> "+log+"\ncat > /dev/null\necho gone >> "+log+"\n")
	st := start(t, w, Spec{State: state, Shell: "sleep 0.5", KeepAwake: true})
	read := func() string { b, _ := os.ReadFile(log); return string(b) }
	wait(t, "the inhibitor", func() bool { return read() == "held\n" })
	if s, err := taskdir.ReadStarted(st.Dir); err != nil || !s.Awake {
		t.Errorf("%+v, %v", s, err)
	}
	e := ended(t, st.Dir, 10*time.Second)
	wait(t, "the inhibitor's end", func() bool { return read() == "held\ngone\n" })
	if len(e.Survivors) > 0 {
		t.Errorf("the inhibitor counts as left behind: %+v", e)
	}
}

// A user manager that is slow, fails or lies holds no start up for long, and the
// scope is recorded only where the supervisor is in it.
func TestScopeOfAUserManager(t *testing.T) {
	w, state := stage(t)
	runtime := t.TempDir()
	if err := os.MkdirAll(filepath.Join(runtime, "systemd", "private"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	log := filepath.Join(t.TempDir(), "log")
	for name, script := range map[string]string{"slow": "sleep 5", "fails": "exit 1", "lies": "echo \"$@\" >> " + log} {
		t.Run(name, func(t *testing.T) {
			helper(t, "busctl", script)
			began := time.Now()
			st := start(t, w, Spec{State: state, Shell: "exec sleep 300"})
			if took := time.Since(began); took > 4*time.Second {
				t.Errorf("the start took %v", took)
			}
			s, err := taskdir.ReadStarted(st.Dir)
			if err != nil || s.Scope != "" || st.Scope != "" {
				t.Errorf("%+v, %v", s, err)
			}
			if name == "lies" {
				b, _ := os.ReadFile(log)
				if want := "StartTransientUnit ssa(sv)a(sa(sv)) offstage-" + st.ID + ".scope fail 3 PIDs au 1 "; !strings.Contains(string(b), want) {
					t.Errorf("asked %q", b)
				}
			}
		})
	}
}

// The scope that a login owns is found in the path of a control group.
func TestLoginScope(t *testing.T) {
	for path, want := range map[string]string{
		"/user.slice/user-1000.slice/session-3.scope":                            "session-3.scope",
		"/user.slice/user-1000.slice/user@1000.service/app.slice/app-term.scope": "",
		"/system.slice/ssh.service":                                              "", "": "",
	} {
		if got := loginScope(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// The supervisor is nobody's child who could take it along, carries none of the
// agents' marks, and the command has its own session and the asker's environment.
func TestSupervisorStandsAlone(t *testing.T) {
	w, state := stage(t)
	t.Setenv("CLAUDECODE", "1")
	t.Setenv("CLAUDE_CODE_SESSION_ID", "5f6e")
	t.Setenv("NO_COLOR", "")
	st := start(t, w, Spec{State: state, Shell: "exec sleep 300"})
	table, err := proc.Scan(w)
	if err != nil {
		t.Fatal(err)
	}
	s, err := taskdir.ReadStarted(st.Dir)
	if err != nil {
		t.Fatal(err)
	}
	sup, _ := table.Get(s.Supervisor.PID)
	if sup.PPID == os.Getpid() || sup.SID != sup.PID {
		t.Errorf("supervisor %+v", sup)
	}
	if env := table.Env(sup.PID, "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", taskdir.MarkVar, taskdir.SupervisorVar); len(env) != 1 || env[taskdir.SupervisorVar] != st.ID {
		t.Errorf("its environment %v", env)
	}
	child, _ := table.Get(s.Child.PID)
	if child.PPID != sup.PID || child.SID != child.PID || child.PGID != child.PID {
		t.Errorf("command %+v", child)
	}
	if env := table.Env(child.PID, "CLAUDECODE", taskdir.MarkVar, taskdir.SupervisorVar, "GOMEMLIMIT"); env["CLAUDECODE"] != "1" || env[taskdir.MarkVar] != st.ID || len(env) != 2 {
		t.Errorf("its environment %v", env)
	}
	if a := AskerOf([]string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=5f6e", taskdir.MarkVar + "=t-0123abcd"}); a != (taskdir.Asker{Agent: "claude", Session: "5f6e", Task: "t-0123abcd"}) {
		t.Errorf("%+v", a)
	}
	if a := AskerOf([]string{"TERM=xterm", taskdir.MarkVar + "=../../x"}); a != (taskdir.Asker{}) {
		t.Errorf("a person: %+v", a)
	}
}

// What makes programs write at once and in colour is added, unless the person
// decided.
func TestChildEnv(t *testing.T) {
	for name, c := range map[string]struct {
		env  []string
		tty  bool
		want string
	}{
		"file":      {[]string{"A=b"}, false, "A=b OFFSTAGE_TASK=t PYTHONUNBUFFERED=1 COLUMNS=120 FORCE_COLOR=1 CLICOLOR_FORCE=1"},
		"no colour": {[]string{"NO_COLOR=1"}, false, "NO_COLOR=1 OFFSTAGE_TASK=t PYTHONUNBUFFERED=1 COLUMNS=120"},
		"decided":   {[]string{"FORCE_COLOR=0", "COLUMNS=80"}, false, "FORCE_COLOR=0 COLUMNS=80 OFFSTAGE_TASK=t PYTHONUNBUFFERED=1 CLICOLOR_FORCE=1"},
		"terminal":  {[]string{"TERM=dumb"}, true, "OFFSTAGE_TASK=t TERM=xterm-256color"},
		"nearest":   {[]string{"OFFSTAGE_TASK=outer", "OFFSTAGE_SUPERVISOR=x", "TERM=screen"}, true, "TERM=screen OFFSTAGE_TASK=t"},
	} {
		if got := strings.Join(childEnv(c.env, "t", c.tty), " "); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

package runner

import (
	"slices"
	"strings"

	"offstage/internal/taskdir"
)

// The size of a terminal that nobody looks at.
const (
	columns = "120"
	rows    = 40
)

// childEnv is the environment of the command: what it was asked in, the mark of
// this task (the nearest wins), and, for a command whose output is a file, what
// makes common programs write at once and in colour, unless the person decided.
func childEnv(env []string, id string, tty bool) []string {
	out := without(env, taskdir.MarkVar, taskdir.SupervisorVar)
	out = append(out, taskdir.MarkVar+"="+id)
	has := func(name string) bool {
		return slices.ContainsFunc(out, func(e string) bool { return strings.HasPrefix(e, name+"=") })
	}
	add := func(name, value string) {
		if !has(name) {
			out = append(out, name+"="+value)
		}
	}
	if tty {
		if t := variable(out, "TERM"); t == "" || t == "dumb" {
			out = append(without(out, "TERM"), "TERM=xterm-256color")
		}
		return out
	}
	add("PYTHONUNBUFFERED", "1")
	add("COLUMNS", columns)
	if !has("NO_COLOR") {
		add("FORCE_COLOR", "1")
		add("CLICOLOR_FORCE", "1")
	}
	return out
}

func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(names, name)
	})
}

// kept are the variables that a supervisor needs itself: to be found, to tell of
// an end, to ask for a scope. Marks of agents are none of them, or it would count
// as one of their processes.
var kept = []string{"PATH", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "SSL_CERT_FILE"}

// supervisorEnv is the environment of the supervisor of task id. One thread is
// all that it needs, so none is counted; nothing is collected before its command
// runs (see beSmall).
func supervisorEnv(env []string, home, id string) []string {
	var out []string
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		if slices.Contains(kept, name) || strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "OFFSTAGE_") && name != taskdir.MarkVar && name != taskdir.SupervisorVar {
			out = append(out, e)
		}
	}
	return append(out, "HOME="+home, taskdir.SupervisorVar+"="+id, "GOMAXPROCS=1", "GOGC=off", "GODEBUG=containermaxprocs=0,updatemaxprocs=0")
}

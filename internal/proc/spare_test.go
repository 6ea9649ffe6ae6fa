package proc

import (
	"strings"
	"testing"
)

// K3: which shells a person types into, and which run a task.
func TestInteractive(t *testing.T) {
	for line, want := range map[string]bool{
		"bash": true, "-zsh": true, "bash -i": true, "zsh -l": true, "bash --norc -i": true,
		"bash --init-file /opt/editor/shellIntegration-bash.sh": true, "fish -C greet": true,
		"bash -c x": false, "bash -lc x": false, "bash run.sh": false, "sh -e build.sh": false, "zsh -ic x": false,
	} {
		if got := interactive(strings.Fields(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func TestServicesAndAgentsByName(t *testing.T) {
	for comm, want := range map[string]bool{"tmux: server": true, "tmux": true, "sshd-session": true, "SCREEN": true, "systemd": true,
		"systemd-logind": true, "containerd-shim": true, "node": false, "tmuxinator": false, "initdb": false} {
		if got := service(comm); got != want {
			t.Errorf("service %q: %v", comm, got)
		}
	}
	for line, want := range map[string]bool{"claude": true, "node /usr/local/bin/codex": true, "node server.js": false,
		"vim claude": false, "bash /x/claude": false, "node claude.js": false} {
		args := strings.Fields(line)
		if got := knownAgent(Proc{Comm: args[0]}, args); got != want {
			t.Errorf("agent %q: %v", line, got)
		}
	}
}

// The command in a wrapper's arguments, however it was quoted.
func TestRuns(t *testing.T) {
	const pre = "source /home/dev/x.sh 2>/dev/null || true && shopt -u extglob && { \\builtin unalias -- 'which'; } && eval "
	for _, c := range []struct {
		arg, command string
		want         bool
	}{
		{pre + "'node server.js' < /dev/null && pwd -P >| /tmp/c-cwd", "node server.js", true},
		{pre + "'node server.js' < /dev/null", "node server", false},
		{pre + "'node server' < /dev/null", "node server.js", false},
		{pre + `'echo '\''hi'\''' < /dev/null`, "echo 'hi'", true},
		{pre + `'echo '"'"'hi'"'"'' < /dev/null`, "echo 'hi'", true},
		{pre + `"it's \$HOME" < /dev/null`, "it's $HOME", true},
		{pre + "ls < /dev/null", "ls", true},
		{pre + "'node server.js --po", "node server.js --port 3000", true}, // cut
		{pre + "'node", "node server.js", false},                           // cut too short
		{"npm run dev", "npm run dev", true},
		{"retrieval 'npm run dev'", "npm run dev", false},
		{"", "npm run dev", false},
	} {
		if got := runs([]string{"/bin/bash", "-c", c.arg}, c.command); got != c.want {
			t.Errorf("%q runs %q: %v", c.arg, c.command, got)
		}
	}
}

func TestShortCommand(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"/usr/bin/node", "server.js"}, "node server.js"},
		{[]string{"npm run dev"}, "npm run dev"},
		{[]string{"/bin/bash", "-c", "true && eval 'npm run dev' < /dev/null"}, "npm run dev"},
		{[]string{"sh", "-c", "a\n\tb\x1b[31m"}, "sh -c a b[31m"},
		{[]string{"x", strings.Repeat("é", maxKept)}, "x " + strings.Repeat("é", maxKept-2) + "…"},
		{nil, "comm"},
	} {
		if got := shortCommand(Proc{Comm: "comm"}, c.args); got != c.want {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}

func TestHeights(t *testing.T) {
	m := func(pid, ppid int) Member { return Member{Proc: Proc{ID: ID{PID: pid}, PPID: ppid}} }
	got := heights([]Member{m(1, 0), m(2, 1), m(3, 2), m(4, 1), m(9, 8), m(7, 7)})
	for i, want := range []int{2, 1, 0, 0, 0, 0} {
		if got[i] != want {
			t.Errorf("heights %v", got)
		}
	}
}

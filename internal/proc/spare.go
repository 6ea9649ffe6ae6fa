package proc

import (
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// guard knows what is never signalled, whatever speaks for it.
type guard struct {
	t     *Table
	uid   int // -1 where owners mean nothing
	agent Proc
	fixed map[int]string // pid → why
}

// Why a process is spared; a person reads these behind its name.
const (
	whyInit     = "the first process of the machine"
	whyUs       = "Offstage itself"
	whyAncestor = "Offstage runs inside it"
	whyAgent    = "the agent itself"
	whyAbove    = "the agent runs inside it"
	whyKept     = "a task of its own"
	whyUser     = "belongs to another user"
	whyServer   = "a terminal or login service"
	whyShell    = "a person's shell"
	whyOther    = "an agent, and not started by this one"
)

func newGuard(t *Table, tg Target) *guard {
	g := &guard{t: t, uid: os.Geteuid(), fixed: map[int]string{1: whyInit}}
	if tg.AgentPID > 0 && t.Alive(ID{tg.AgentPID, tg.AgentStart}) {
		g.agent, _ = t.Get(tg.AgentPID)
		g.mark(tg.AgentPID, whyAgent, whyAbove)
	}
	if t.recorded {
		g.uid = -1
	} else {
		g.mark(os.Getpid(), whyUs, whyAncestor)
	}
	for _, id := range tg.Keep {
		if t.Alive(id) {
			g.keep(id.PID)
		}
	}
	return g
}

// mark fixes pid and its ancestors; a reason that stands already stays.
func (g *guard) mark(pid int, why, above string) {
	if g.fixed[pid] == "" {
		g.fixed[pid] = why
	}
	for _, p := range g.t.Ancestors(pid) {
		if g.fixed[p.PID] == "" {
			g.fixed[p.PID] = above
		}
	}
}

func (g *guard) keep(pid int) {
	if g.fixed[pid] == whyKept {
		return
	}
	if g.fixed[pid] == "" {
		g.fixed[pid] = whyKept
	}
	for _, c := range g.t.Children(pid) {
		g.keep(c.PID)
	}
}

// why is "" where p may be ended, else the reason why not.
func (g *guard) why(p Proc) string {
	if why := g.fixed[p.PID]; why != "" {
		return why
	}
	switch {
	case g.uid >= 0 && p.UID != g.uid:
		return whyUser + " (uid " + strconv.Itoa(p.UID) + ")"
	case service(p.Comm):
		return whyServer
	}
	args := g.t.Args(p.PID)
	if p.TTY && isShell(p, args) && interactive(args) {
		return whyShell
	}
	if knownAgent(p, args) && !g.underAgent(p) {
		return whyOther
	}
	return ""
}

// underAgent: the agent started it, so it is work of the task, not a colleague.
func (g *guard) underAgent(p Proc) bool {
	return g.agent.PID > 0 && slices.ContainsFunc(g.t.Ancestors(p.PID), func(a Proc) bool { return a.PID == g.agent.PID })
}

// service names what holds people's sessions; the kernel cuts names at 15 bytes.
func service(comm string) bool {
	name, _, _ := strings.Cut(strings.ToLower(comm), ":")
	switch name {
	case "tmux", "screen", "zellij", "abduco", "dtach", "mosh-server", "sshd", "sshd-session", "login", "init",
		"systemd", "launchd", "loginwindow", "windowserver", "dockerd", "containerd", "dbus-daemon", "gnome-shell", "kwin_wayland":
		return true
	}
	return strings.HasPrefix(name, "systemd-") || strings.HasPrefix(name, "containerd-shi")
}

var shells = []string{"sh", "bash", "zsh", "fish", "dash", "ash", "ksh", "mksh", "tcsh", "csh", "nu", "elvish", "xonsh", "pwsh"}

// isShell goes by the name of the program, a login shell's "-zsh" included.
func isShell(p Proc, args []string) bool {
	if slices.Contains(shells, strings.TrimPrefix(p.Comm, "-")) {
		return true
	}
	return len(args) > 0 && slices.Contains(shells, strings.TrimPrefix(path.Base(args[0]), "-"))
}

// valued are options of shells that take the next word and leave the shell
// interactive (terminals of editors start "bash --init-file …").
var valued = []string{"--rcfile", "--init-file", "--init-command", "-C", "--config", "--env-config", "-o", "-O", "+O"}

// interactive: no command and no script was given, so a person types there.
func interactive(args []string) bool {
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains(valued, a):
			i++
		case !strings.HasPrefix(a, "-") || commandFlag(a):
			return false
		}
	}
	return true
}

// commandFlag is -c, alone or behind other letters (-lc).
func commandFlag(a string) bool {
	return len(a) >= 2 && a[0] == '-' && a[1] != '-' && strings.HasSuffix(a, "c") && strings.Trim(a[1:], "abcdefhiklmnprstuvx") == ""
}

var agents = []string{"claude", "codex", "gemini", "qwen", "copilot", "opencode", "crush", "kimi", "cursor-agent", "goose", "amp", "aider"}

// knownAgent goes by the program's name, or by the script that an interpreter
// runs ("node /usr/local/bin/codex").
func knownAgent(p Proc, args []string) bool {
	if slices.Contains(agents, p.Comm) {
		return true
	}
	for _, a := range args[:min(2, len(args))] {
		if slices.Contains(agents, path.Base(a)) {
			return !isShell(p, args) && (a == args[0] || strings.HasPrefix(a, "/"))
		}
	}
	return false
}

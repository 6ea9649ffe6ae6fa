package runner

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// scopePatience is how long a systemd user manager may take to answer.
const scopePatience = 200 * time.Millisecond

// enterScope asks the user's systemd to move the supervisor into a scope of its
// own, which no login and no service takes along when it ends. It answers with
// the scope's name, "" where there is no such manager, it is not asked (no
// socket), is slow, or may not do it. Asking costs nothing where there is none.
func enterScope(ctx context.Context, env []string, id string, pid int) string {
	runtime := variable(env, "XDG_RUNTIME_DIR")
	if runtime == "" || pid <= 0 {
		return ""
	}
	if _, err := os.Stat(filepath.Join(runtime, "systemd", "private")); err != nil {
		return ""
	}
	busctl, err := findProgram("busctl", "/", env)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, scopePatience)
	defer cancel()
	name := "offstage-" + id + ".scope"
	// StartTransientUnit(name, mode, properties, auxiliary units) of
	// org.freedesktop.systemd1.Manager.
	cmd := exec.CommandContext(ctx, busctl, "--user", "--quiet", "--timeout=1", "call",
		"org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "StartTransientUnit",
		"ssa(sv)a(sa(sv))", name, "fail", "3",
		"PIDs", "au", "1", strconv.Itoa(pid), "Description", "s", "Offstage task "+id, "CollectMode", "s", "inactive-or-failed", "0")
	cmd.Env = env
	cmd.WaitDelay = scopePatience
	if cmd.Run() != nil {
		return ""
	}
	return name
}

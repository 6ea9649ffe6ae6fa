package claude

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// stage is a small machine of its own: one project, clients and processes as a
// test wants them. Its clock stands a minute after the records.
type stage struct {
	t    testing.TB
	root string
	now  time.Time
	noPS bool
}

func newStage(t testing.TB) *stage {
	t.Helper()
	s := &stage{t: t, root: t.TempDir(), now: time.Date(2026, 11, 30, 20, 1, 0, 0, time.UTC)}
	must(t, os.MkdirAll(s.root+"/proc", 0o755))
	must(t, os.MkdirAll(s.root+"/home/dev/.claude/projects/-srv-app", 0o755))
	return s
}

func (s *stage) at(path string) string { return filepath.Join(s.root, path) }

// transcript writes the records of a session.
func (s *stage) transcript(session string, lines ...string) string {
	s.t.Helper()
	path := s.at("home/dev/.claude/projects/-srv-app/" + session + ".jsonl")
	text := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", `"sessionId":"s"`, `"sessionId":"`+session+`"`)
	write(s.t, path, []byte(text))
	must(s.t, os.Chtimes(path, s.now.Add(-time.Minute), s.now.Add(-time.Minute)))
	return path
}

// client writes a session file; more are further members.
func (s *stage) client(pid int, session, status, more string) {
	s.t.Helper()
	write(s.t, s.at(fmt.Sprintf("home/dev/.claude/sessions/%d.json", pid)), []byte(fmt.Sprintf(
		`{"pid":%d,"sessionId":%q,"cwd":"/srv/app","startedAt":%d,"procStart":"%d","version":"2.1.332","kind":"interactive","entrypoint":"cli","status":%q%s}`,
		pid, session, s.now.Add(-5*time.Minute).UnixMilli(), 1000+pid, status, more)))
}

// process puts a process into the table; its start is fixed by its pid.
func (s *stage) process(pid, ppid int, comm string, args []string, out string, env ...string) {
	s.t.Helper()
	dir := s.at("proc/" + strconv.Itoa(pid))
	stat := fmt.Sprintf("%d (%s) S %d %d %d 0", pid, comm, ppid, pid, pid) + strings.Repeat(" 0", 14) + " " + strconv.Itoa(1000+pid) + strings.Repeat(" 0", 30)
	write(s.t, dir+"/stat", []byte(stat))
	write(s.t, dir+"/cmdline", []byte(strings.Join(args, "\x00")+"\x00"))
	write(s.t, dir+"/environ", []byte(strings.Join(env, "\x00")+"\x00"))
	must(s.t, os.MkdirAll(dir+"/fd", 0o755))
	must(s.t, os.Symlink("/srv/app", dir+"/cwd"))
	if out != "" {
		must(s.t, os.Symlink(out, dir+"/fd/1"))
		write(s.t, dir+"/fdinfo/1", []byte("pos:\t0\nflags:\t0502001\n"))
	}
}

// output writes an output file as it was half a minute ago.
func (s *stage) output(path, text string) {
	s.t.Helper()
	write(s.t, s.at(path), []byte(text))
	must(s.t, os.Chtimes(s.at(path), s.now.Add(-30*time.Second), s.now.Add(-30*time.Second)))
}

func (s *stage) source() *Source {
	o := Options{Deep: true}
	if s.noPS {
		o.Procs = func() (*proc.Table, error) { return nil, proc.ErrNoProcs }
	}
	return recorded(s.t, s.root, s.now, o)
}

func (s *stage) scan() task.Snapshot {
	s.t.Helper()
	return scanned(s.t, s.source())
}

func scanned(t testing.TB, src *Source) task.Snapshot {
	t.Helper()
	snap, err := src.Scan(context.Background())
	must(t, err)
	return snap
}

// said is a task as "status by source, session".
func said(snap task.Snapshot, native string) string {
	i := slices.IndexFunc(snap.Tasks, func(x task.Task) bool { return x.Native == native })
	if i < 0 {
		return "not listed"
	}
	x := snap.Tasks[i]
	out := fmt.Sprintf("%s by %s, %s", x.Status, x.StatusSource, x.Session)
	if x.ExitCode != nil {
		out += fmt.Sprintf(", code %d", *x.ExitCode)
	}
	if x.Parent != "" {
		out += ", of " + x.Parent
	}
	return out
}

// sessionOf is a session as its state and its flags.
func sessionOf(snap task.Snapshot, native string) string {
	i := slices.IndexFunc(snap.Sessions, func(x task.Session) bool { return x.Native == native })
	if i < 0 {
		return "not listed"
	}
	x := snap.Sessions[i]
	out := string(x.State)
	for word, on := range map[string]bool{" gone": x.AgentGone, " unreported": x.Unreported, " after " + x.Continues: x.Continues != ""} {
		if on {
			out += word
		}
	}
	return out
}

func expect(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

const devOut = "/tmp/claude-1000/-srv-app/s/tasks/b1.output"

// devLines launch b1 with its output at devOut.
func devLines() []string {
	return []string{devServer[0], strings.ReplaceAll(devServer[1], "/tmp/x/tasks/b1.output", devOut)}
}

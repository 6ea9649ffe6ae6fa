package claude

import (
	"encoding/json"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
)

// client is one running or died program of the agent, as its session file or,
// before there were any (2.0), the process table shows it.
type client struct {
	id         proc.ID
	session    string
	cwd        string
	startedAt  time.Time
	version    string
	entrypoint string
	kind       string
	status     string
	statusAt   time.Time
	waitingFor string
	pane, name string
	file       string
	// alive: its process lives, as far as that can be known; unseen: its
	// processes cannot be seen from here (G6).
	alive, unseen bool
}

// maxSessionFile bounds a session file; real ones have 600 bytes.
const maxSessionFile = 1 << 20

var sessionFileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+\.json$`) })

// clients reads the session files of all configuration folders. Key files
// beside them are secrets and never opened.
func (s *Source) clients(p places, table *proc.Table) []client {
	var out []client
	for _, dir := range p.config {
		for _, e := range s.list(path.Join(dir, "sessions")) {
			if !sessionFileName().MatchString(e.Name()) {
				continue
			}
			file := path.Join(dir, "sessions", e.Name())
			c, ok := readClient(s.w.Path(file), s.namespace)
			if !ok {
				continue
			}
			c.file = file
			s.alive(&c, table)
			out = append(out, c)
		}
	}
	return append(out, s.unregistered(out, table)...)
}

func readClient(file, namespace string) (client, bool) {
	f, err := fsys.Open(file)
	if err != nil {
		return client{}, false
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxSessionFile))
	if err != nil {
		return client{}, false
	}
	var v struct {
		PID             int             `json:"pid"`
		SessionID       string          `json:"sessionId"`
		Cwd             string          `json:"cwd"`
		StartedAt       float64         `json:"startedAt"`
		ProcStart       json.RawMessage `json:"procStart"`
		Version         string          `json:"version"`
		Kind            string          `json:"kind"`
		Entrypoint      string          `json:"entrypoint"`
		PidDomain       string          `json:"pidDomain"`
		Tmux            string          `json:"tmux"`
		Name            string          `json:"name"`
		Status          string          `json:"status"`
		StatusUpdatedAt float64         `json:"statusUpdatedAt"`
		WaitingFor      string          `json:"waitingFor"`
	}
	if !lenient(b, &v) || v.SessionID == "" || v.PID <= 0 || !safeName(v.SessionID) {
		return client{}, false
	}
	c := client{id: proc.ID{PID: v.PID, Start: startOf(v.ProcStart)}, session: v.SessionID, cwd: v.Cwd, startedAt: millis(v.StartedAt),
		version: v.Version, entrypoint: v.Entrypoint, kind: v.Kind, status: v.Status, statusAt: millis(v.StatusUpdatedAt),
		waitingFor: v.WaitingFor, name: v.Name, unseen: otherNamespace(v.PidDomain, namespace)}
	if v.Tmux != "" {
		c.pane = "tmux:" + v.Tmux
	}
	return c, true
}

// safeName keeps ids from records out of other folders.
func safeName(id string) bool {
	return id != "" && len(id) < 200 && !strings.ContainsAny(id, "/\\\x00") && id != "." && id != ".."
}

func millis(ms float64) time.Time {
	if ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// startOf reads procStart: field 22 of stat on Linux, asctime in UTC on macOS
// (there to the second: microseconds since the epoch, rounded down).
func startOf(raw json.RawMessage) uint64 {
	text := str(raw)
	if text == "" {
		text = string(raw)
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	if t, err := time.Parse(time.ANSIC, strings.Join(strings.Fields(text), " ")); err == nil {
		return uint64(t.UnixMicro())
	}
	return 0
}

var namespaceText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`pid:\[(\d+)\]$`) })

// otherNamespace says that the client lives in another pid namespace than we
// do. Without both names nothing is concluded.
func otherNamespace(theirs, ours string) bool {
	theirs = namespaceText().FindString(theirs)
	return theirs != "" && ours != "" && theirs != ours
}

// alive compares the client with the process table.
func (s *Source) alive(c *client, table *proc.Table) {
	switch {
	case table == nil:
		// Running is what the traces say.
		c.alive = true
	case c.unseen:
		c.alive = true
	default:
		p, ok := table.Get(c.id.PID)
		if !ok || p.Dead() {
			return
		}
		switch {
		case c.id.Start == 0:
			c.alive = clientName(p.Comm) || programIsClaude(table.Args(p.PID))
		case c.id.Start >= 1<<40:
			c.alive = p.Start/1e6 == c.id.Start/1e6
		default:
			c.alive = p.Start == c.id.Start
		}
		if c.alive {
			c.id.Start = p.Start
		}
	}
}

// programIsClaude looks at a node client's arguments.
func programIsClaude(args []string) bool {
	for i, a := range args {
		if i < 2 && (path.Base(a) == "claude" || strings.Contains(a, "claude-code")) {
			return true
		}
	}
	return false
}

// unregistered are clients without a session file: versions before 2.1.139 and
// sessions that were not yet written. Helpers of the client (its daemon, spare
// and pty host) and nested runs, which leave no transcript, are none.
func (s *Source) unregistered(known []client, table *proc.Table) []client {
	if table == nil {
		return nil
	}
	claimed := map[int]bool{}
	for _, c := range known {
		if c.alive {
			claimed[c.id.PID] = true
		}
	}
	var out []client
	for _, p := range table.All() {
		if !clientName(p.Comm) || p.Dead() || claimed[p.PID] {
			continue
		}
		if args := table.Args(p.PID); len(args) > 1 && (args[1] == "daemon" || strings.HasPrefix(args[1], "bg-")) {
			continue
		}
		if s.environ(table, p.ID)["CLAUDECODE"] == "1" {
			continue
		}
		if cwd := table.Cwd(p.PID); cwd != "" {
			out = append(out, client{id: p.ID, cwd: cwd, startedAt: table.StartedAt(p.ID), alive: true})
		}
	}
	return out
}

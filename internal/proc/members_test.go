package proc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const tmp = "/tmp/claude-1000/-srv-app/"

// K3 over recordings of the real client: what belongs to a task and what not.
var recordings = []struct {
	name, output   string
	gone           bool // the output file is no longer there
	agent          int
	start          uint64
	markers        []string
	wrapped        string
	members, spare []string
}{
	{name: "tail", output: tmp + "c8320a72-1158-4500-85fe-7116f51e2d07/tasks/bniok3zex.output", agent: 66, start: 274310,
		members: []string{
			`0 wrapper 137 for i in $(seq 1 60); do echo "line $i"; sleep 0.1; done 2>&1 | tail -40: writes its output`,
			`1 138 for i in $(seq 1 60); do echo "line $i"; sleep 0.1; done 2>&1 | tail -40: in the session of 137`,
			`2 188 sleep 0.1: in the session of 137`,
			`1 139 tail -40: writes its output`,
		}, spare: []string{"66 claude: the agent itself"}},
	{name: "monitor", agent: 63, start: 104556, output: tmp + "ce647cee-7d2b-4fd0-963b-ed514d98962d/tasks/b00000000.output",
		markers: []string{"CLAUDE_CODE_SESSION_ID=ce647cee-7d2b-4fd0-963b-ed514d98962d", "CLAUDE_PID"},
		wrapped: `i=0; while :; do sleep 3; i=$((i+1)); echo "ERROR $i"; done`,
		members: []string{
			`0 wrapper 274 i=0; while :; do sleep 3; i=$((i+1)); echo "ERROR $i"; do: runs its command`,
			`1 327 sleep 3: in the session of 274`,
		}, spare: []string{"63 claude: the agent itself"}},
	{name: "monitor", agent: 63, start: 104556, wrapped: `i=0; while :; do sleep 3; i=$((i+1)); echo "ERROR $i"; done`,
		markers: []string{"CLAUDE_CODE_SESSION_ID=00000000-7d2b-4fd0-963b-ed514d98962d"}},
	{name: "monitor", agent: 63, start: 104556, wrapped: `i=0; while :; do sleep 30; done`, markers: []string{"CLAUDE_PID=63"}},
	{name: "monitor", agent: 327, wrapped: `i=0; while :; do sleep 3; i=$((i+1)); echo "ERROR $i"; done`, markers: []string{"CLAUDE_PID=63"}},
	{name: "crash-orphan", output: "", agent: 63, start: 138000, wrapped: "node server.js", markers: []string{"CLAUDE_PID=63"}},
	{name: "crash-orphan", output: "*", agent: 63, start: 138000,
		members: []string{`0 wrapper 142 node server.js: writes its output`, `1 143 node server.js: writes its output`}},
	{name: "leaked", output: "*", gone: true, agent: 63, start: 137589,
		members: []string{`0 142 node server.js: writes its output`}, spare: []string{"63 claude: the agent itself"}},
	{name: "leaked", output: "*", agent: 63, start: 137589}, // a new file of that name: nobody writes it
	{name: "two-sessions", output: "*", agent: 63, start: 1,
		members: []string{`0 wrapper 139 node server.js: writes its output`, `1 140 node server.js: writes its output`}},
}

func TestMembersOfRecordings(t *testing.T) {
	for i, c := range recordings {
		t.Run(fmt.Sprint(i, c.name), func(t *testing.T) {
			output := c.output
			if output == "*" {
				output = firstOutput(t, c.name)
			}
			var files []string
			if output != "" && !c.gone {
				files = []string{output}
			}
			w := recordedWorld(t, c.name, files...)
			table, err := Scan(w)
			if err != nil {
				t.Fatal(err)
			}
			if output != "" {
				output = w.Path(output)
			}
			tg := Target{Output: output, AgentPID: c.agent, AgentStart: c.start, Markers: c.markers, Wrapped: c.wrapped}
			of, spared, err := table.Members(tg)
			if err != nil {
				t.Fatal(err)
			}
			if got := told(of, true); !slices.Equal(got, c.members) {
				t.Errorf("members\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(c.members, "\n     "))
			}
			if got := told(spared, false); !slices.Equal(got, c.spare) {
				t.Errorf("spared\n got %q\nwant %q", got, c.spare)
			}
			if plan := table.Plan(tg); plan.Refused == "" || len(plan.Processes) > 0 {
				t.Errorf("a recording can be stopped: %+v", plan)
			}
		})
	}
}

// firstOutput is the output file that a recording's processes write.
func firstOutput(t *testing.T, name string) string {
	t.Helper()
	table, err := Scan(recordedWorld(t, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range table.All() {
		if to := table.Link(p.PID, 1); strings.Contains(to, ".output") {
			return strings.TrimSuffix(to, " (deleted)")
		}
	}
	t.Fatal("no process writes an output")
	return ""
}

func told(members []Member, tree bool) []string {
	var out []string
	for _, m := range members {
		s := fmt.Sprintf("%d %s: %s", m.PID, m.Command, m.Why)
		if m.Wrapper {
			s = "wrapper " + s
		}
		if tree {
			s = fmt.Sprint(m.Depth, " ", s)
		}
		out = append(out, s)
	}
	return out
}

// Liveness of all tasks of a recording is one call; a reader's file has a key
// and no writer.
func TestWritersOfARecording(t *testing.T) {
	output := firstOutput(t, "tail")
	w := recordedWorld(t, "tail", output, "/srv/app/other")
	table, err := Scan(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{output, w.Path(output)} {
		found, err := table.Writers([]string{path, "/srv/app/other"})
		if err != nil {
			t.Fatal(err)
		}
		var at []string
		for _, u := range found[path] {
			at = append(at, fmt.Sprint(u.PID, "/", u.FD, u.Write, u.Std))
		}
		if want := []string{"137/1 true true", "137/2 true true", "139/1 true true", "139/2 true true"}; !slices.Equal(at, want) {
			t.Errorf("%s: %q", path, at)
		}
		if other, ok := found["/srv/app/other"]; !ok || len(other) > 0 {
			t.Errorf("a file without a writer: %v %v", other, ok)
		}
	}
	if env := table.Env(66, "CLAUDE_CONFIG_DIR", "NOT_THERE"); len(env) != 1 || env["CLAUDE_CONFIG_DIR"] != "/home/dev/.claude" {
		t.Errorf("named entries: %v", env)
	}
	if table.Cwd(139) != "/srv/app" || !slices.Equal(table.Args(139), []string{"tail", "-40"}) {
		t.Errorf("cwd %q args %q", table.Cwd(139), table.Args(139))
	}
	if !table.Alive(ID{139, 0}) || table.Alive(ID{139, 1}) || table.Alive(ID{9999, 0}) {
		t.Error("alive")
	}
}

// G6: a root without a process folder is "cannot look", never "nobody".
func TestNoProcsIsNotNobody(t *testing.T) {
	w := recordedWorld(t, "tail")
	bare := t.TempDir()
	if _, err := Scan(rooted(t, bare)); !errors.Is(err, ErrNoProcs) {
		t.Errorf("a root without processes: %v", err)
	}
	table, err := Scan(w)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Ports([]int{66}); !errors.Is(err, ErrNoProcs) {
		t.Errorf("ports that were not recorded: %v", err)
	}
}

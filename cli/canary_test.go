//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"offstage/internal/registry"
	"offstage/task"
)

// The canary of C9: secrets of many kinds stand in every text that a task and a
// session have, and every exit of the program is walked. A new field is planted by
// itself; a new exit is a line in canaryExits.

// plantVar names the folder of the planted outputs to the program under test.
const plantVar = "OFFSTAGE_TEST_PLANT"

func init() {
	plantSource = func() registry.Source {
		if dir := os.Getenv(plantVar); dir != "" {
			return planted{dir}
		}
		return nil
	}
}

// canary is one secret: told is a text that tells of it, value what must never be
// seen, less the prefix that is public.
type canary struct{ name, told, value string }

// canaries are made secrets; the mark keeps scanners of this repository calm.
func canaries() []canary {
	var out []canary
	for _, c := range []canary{
		{"github", "Using gh⟂p_% now", "A7b2Kd4E9f6GxH8I1j0Wl2M3n4O5p6Q7r8St"},
		{"url", "postgres://app:%@db.test/shop", "Kq8vWz3nXp5tRm"},
		{"env", "DB_PASSWORD=%", "Bn4cYd7fLg2hTj"},
		{"flag", "deploy --token % --now", "Zs6xEd1cRf9vTg"},
		{"bearer", "Authorization: Bearer %", "Hy5nUj8mIk3oLp7aQw"},
		{"curl", "curl -u bob:% https://h.test/", "Pl0oKm9iJn8uHb"},
		{"json", `{"client_secret":"%"}`, "Vg7yCf6tXd5rZs"},
		{"mysql", "mysql -p% shop", "Wa3eSx4dRz5tFc"},
		{"query", "http://localhost:5173/cb?token=%", "Qm1wNe2bRv3cTx"},
		{"webhook", "https://hooks.sl⟂ack.com/services/T0A1B2C3D/B0E1F2G3H/%", "Uj4yHn7gBt1fVr8dCe5sXw2a"},
		{"stripe", "key sk_li⟂ve_% used", "Oi9uYt8rEw7qLk6jHg5fDs4a"},
		{"cookie", "Cookie: sid=%", "Mn2bVc3xZl4kJh5g"},
		{"own", "badge acme_% read", "f1k9d2m8s3w7q4z6"},
	} {
		out = append(out, canary{c.name, strings.ReplaceAll(strings.ReplaceAll(c.told, "⟂", ""), "%", c.value), c.value})
	}
	return out
}

// remembered is told once, in the command; everywhere else it stands alone (D5).
var remembered = canary{"remembered", "signed in as app/Xc5vGb8nHm1kJl now", "Xc5vGb8nHm1kJl"}

// leaks are the secrets of which six characters in a row stand in the text.
func leaks(text string) []string {
	var out []string
	for _, c := range append(canaries(), remembered) {
		for i := 0; i+6 <= len(c.value); i++ {
			if at := strings.Index(text, c.value[i:i+6]); at >= 0 {
				out = append(out, c.name+", behind "+fmt.Sprintf("%q", text[max(0, at-60):at]))
				break
			}
		}
	}
	return out
}

// planted is a source whose every text holds a secret. Its outputs lie in dir.
type planted struct{ dir string }

func (p planted) Dirs() []string { return []string{p.dir} }

// ours are fields that hold a word of this program, an id, or what is opened.
var ours = []string{"Source", "Kind", "Status", "Session", "Parent", "Run", "StatusSource", "Waiting", "Path", "Name", "Agent", "State",
	"ID", "Native", "Task", "Transcript", "Pane", "ToolCall", "Continues"}

// fill puts text into every string of v but those that are ours.
func fill(v reflect.Value, text string) {
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		switch {
		case slices.Contains(ours, name) || !f.CanSet():
		case f.Kind() == reflect.String:
			f.SetString(text)
		case f.Type() == reflect.TypeFor[[]string]():
			f.Set(reflect.ValueOf([]string{text}))
		case f.Type() == reflect.TypeFor[task.OutputRef](), f.Type() == reflect.TypeFor[task.Can]():
			fill(f, text)
		}
	}
}

// asIs shows each record as one row.
type asIs struct{}

func (asIs) Decode(b []byte, at int64) []task.Line { return []task.Line{{Offset: at, Text: string(b)}} }

// Scan is registry.Source's.
func (p planted) Scan(context.Context) (task.Snapshot, error) {
	now := time.Now()
	snap := task.Snapshot{}
	kinds := []task.Kind{task.Shell, task.Agent, task.Monitor, task.Workflow}
	for i, c := range append(canaries(), remembered) {
		var t task.Task
		fill(reflect.ValueOf(&t).Elem(), c.told)
		t.Source, t.Native, t.Kind, t.Run, t.Status = "plant", fmt.Sprint("task", i), kinds[i%len(kinds)], 1, task.Running
		if c.name == "github" {
			t.Native = strings.ReplaceAll(c.told, " ", "-")
		}
		if c.name == "remembered" {
			t.Command = "API_TOKEN=" + c.value + " npm run dev"
		}
		t.ID, t.Session = "plant:"+t.Native, fmt.Sprint("plant:session", i%3)
		t.Started, t.ActivityAt, t.StatusSource, t.Can.Read = now.Add(-time.Minute), now, "output file", true
		if i%4 == 3 {
			t.Status, t.Ended = task.Failed, now.Add(-time.Second)
		}
		if i%4 == 1 {
			t.Decoder = asIs{}
		}
		t.Output.Path = filepath.Join(p.dir, c.name+".log")
		snap.Tasks = append(snap.Tasks, t)
	}
	for i := range 3 {
		var s task.Session
		c := canaries()[i]
		fill(reflect.ValueOf(&s).Elem(), c.told)
		s.Agent, s.Native, s.ID, s.State, s.UpdatedAt = "claude", fmt.Sprint("session", i), fmt.Sprint("plant:session", i), task.WaitingPerson, now
		for k, c := range canaries() {
			var e task.Entry
			fill(reflect.ValueOf(&e).Elem(), c.told)
			e.ID, e.Status = fmt.Sprint(k, " ", c.told), task.InProgress
			card := task.Card{Kind: "agent", At: now}
			fill(reflect.ValueOf(&card).Elem(), c.told)
			s.Plan.Entries, s.Cards = append(s.Plan.Entries, e), append(s.Cards, card)
		}
		snap.Sessions = append(snap.Sessions, s)
	}
	for _, c := range canaries() {
		snap.Troubles = append(snap.Troubles, task.Trouble{Source: "plant", Text: "It cannot read " + c.told})
		snap.Looked = append(snap.Looked, task.Place{Source: "plant", Path: "/srv/" + c.told, Found: true})
	}
	return snap, nil
}

// plantedLog is an output with the secret in every form that a console meets.
func plantedLog(c canary) string {
	half := strings.Replace(c.told, c.value, c.value[:5]+"\x1b[31m"+c.value[5:]+"\x1b[0m", 1)
	return strings.Join([]string{
		c.told, half, c.told + "\rok", "50%\r" + c.told + "\r\x1b[Kdone", `{"level":"info","msg":"` + strings.ReplaceAll(c.told, `"`, `\"`) + `"}`,
		strings.Repeat("x ", 1992) + c.told + " and more", "  Local: http://localhost:5173/?token=" + c.value,
		" ❯ src/cart.test.ts (2 tests | 1 failed) 9ms", "   × " + c.told + " 4ms", " FAIL  src/cart.test.ts > " + c.told,
		" Test Files  1 failed (1)", "      Tests  1 failed | 3 passed (4)", "   Duration  1.00s", c.told, c.told, "last words: " + c.told,
	}, "\n") + words(100) + "\n" + c.told + "\n"
}

// words are lines that push what stands before them out of the rows that may still
// be redrawn.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\n%d words of a log", i)
	}
	return b.String()
}

// canaryExit is one way out. args may name {log}, a planted file, {path}, a path
// with a secret in it that is not there, and {word}, a secret alone.
type canaryExit struct {
	name string
	args string
	// in is given on standard input; env is added.
	in, env string
	// ends: it ends by itself; else it is interrupted after a while.
	ends bool
	// shows must be in what it prints, so that it is known to have been there.
	shows string
}

// mcpTalk is an agent that asks for the list, a log and a task that is not there.
const mcpTalk = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"canary","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_tasks","arguments":{"everywhere":true}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read_task_output","arguments":{"task":"plant:task2"}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"read_task_output","arguments":{"task":"{word}"}}}
`

// canaryExits are the exits of the command line. Add a line for a new one.
var canaryExits = []canaryExit{
	{name: "ls", args: "ls -A", ends: true, shows: "[redacted]"},
	{name: "ls all", args: "ls --all --verbose", ends: true, shows: "cannot read"},
	{name: "ls json", args: "ls -A --json", ends: true, shows: `"activity": "`},
	{name: "ls watch", args: "ls -A --watch", shows: "[redacted]"},
	{name: "ls watch json", args: "ls -A --watch --json", shows: "[redacted]"},
	{name: "logs", args: "logs {ref}", ends: true, shows: "last words"},
	{name: "logs colour", args: "logs {ref} --color always", ends: true, shows: "last words"},
	{name: "logs json", args: "logs {ref} --json", ends: true, shows: "last words"},
	{name: "logs follow", args: "logs {ref} -f", shows: "last words"},
	{name: "logs raw refused", args: "logs {ref} --raw", ends: true, shows: "--no-redact"},
	{name: "render", args: "render {log}", ends: true, shows: "last words"},
	{name: "render json", args: "render {log} --json --no-fold", ends: true, shows: "last words"},
	{name: "render colour", args: "render {log} --color always --width 60", ends: true, shows: "[redacted]"},
	{name: "render stdin", args: "render -", in: "{text}", ends: true, shows: "last words"},
	{name: "redact", args: "redact {log}", ends: true, shows: "last words"},
	{name: "redact stdin", args: "redact", in: "{text}", ends: true, shows: "last words"},
	{name: "tests", args: "tests {log} --command vitest", ends: true, shows: "first failure"},
	{name: "tests json", args: "tests {log} --json --command vitest", ends: true, shows: "first_failure"},
	{name: "sessions", args: "sessions", ends: true, shows: "[redacted]"},
	{name: "sessions json", args: "sessions --all --json", ends: true, shows: "[redacted]"},
	{name: "session", args: "session session0", ends: true, shows: "[redacted]"},
	{name: "session json", args: "session session1 --json", ends: true, shows: `"todo"`},
	{name: "todo", args: "todo --session session2", ends: true, shows: "[redacted]"},
	{name: "todo json", args: "todo --session session2 --json", ends: true, shows: `"subject"`},
	{name: "stop", args: "stop {ref}", ends: true, shows: "offstage:"},
	{name: "wait", args: "wait {ref} --timeout 1 --json", ends: true, shows: `"met"`},
	{name: "run of a folder", args: "run -- {path}", ends: true, shows: "offstage:"},
	{name: "run without dashes", args: "run {word}", ends: true, shows: "offstage:"},
	{name: "restart", args: "restart {ref}", ends: true, shows: "offstage:"},
	{name: "restart of none", args: "restart {word}", ends: true, shows: "offstage:"},
	{name: "answer", args: "answer {ref} yes", ends: true, shows: "offstage:"},
	{name: "answer of none", args: "answer {word} yes", ends: true, shows: "offstage:"},
	{name: "doctor", args: "doctor", ends: true, shows: "Offstage"},
	{name: "doctor json", args: "doctor --json", ends: true, shows: `"agents"`},
	{name: "pill", args: "pill --format json", ends: true, shows: `"running"`},
	{name: "pill follow", args: "pill --follow --format tmux", shows: "shell"},
	{name: "pill of none", args: "pill --format {word}", ends: true, shows: "no format"},
	{name: "pill statusline", args: "pill --format statusline", in: "{text}", ends: true, shows: "offstage:"},
	{name: "open of none", args: "open {word}", ends: true, shows: "offstage:"},
	{name: "config show", args: "config show --origin", ends: true, shows: "quiet_after"},
	{name: "config show json", args: "config show --json", ends: true, shows: "quiet_after"},
	{name: "config check", args: "config check", ends: true, shows: "is wanted"},
	{name: "config init", args: "config init", ends: true, shows: "offstage:"},
	{name: "completion", args: "completion bash", ends: true, shows: "__complete"},
	{name: "completion of a REF", args: "__complete logs task", ends: true, shows: "[redacted]"},
	{name: "man", args: "man", ends: true, shows: "EXIT STATUS"},
	{name: "setup", args: "setup claude --print", ends: true, shows: "mcpServers"},
	{name: "setup of none", args: "setup {word}", ends: true, shows: "nothing that can be set up"},
	{name: "hook", args: "hook", in: "{text}", ends: true, shows: "offstage:"},
	{name: "mcp", args: "mcp", in: mcpTalk, shows: "[redacted]"},
	{name: "plain", args: "--plain -A", shows: "[redacted]"},
	{name: "ambiguous", args: "logs task", ends: true, shows: "say which one"},
	{name: "ambiguous session", args: "session session", ends: true, shows: "say which one"},
	{name: "no such task", args: "logs {word}", ends: true, shows: "names no task"},
	{name: "no such session", args: "session {word}", ends: true, shows: "names no session"},
	{name: "no such folder", args: "{path}", ends: true, shows: "is no folder"},
	{name: "no such files", args: "ls --files {path}", ends: true, shows: "is no folder"},
	{name: "no such log", args: "render {path}", ends: true, shows: "does not exist"},
	{name: "no such log, redact", args: "redact {path}", ends: true, shows: "does not exist"},
	{name: "no such log, tests", args: "tests {path}", ends: true, shows: "does not exist"},
	{name: "no such root", args: "ls --root {path}", ends: true, shows: "offstage:"},
	{name: "no such time", args: "ls --now {word}", ends: true, shows: "is no time"},
	{name: "no such config", args: "ls -A --config {path}", ends: true, shows: "cannot be read"},
	{name: "no such flag", args: "ls --{word}", ends: true, shows: "unknown flag"},
	{name: "no such verb", args: "x {word}", ends: true, shows: "offstage:"},
	{name: "no such condition", args: "wait {ref} --for {word}", ends: true, shows: "--for"},
	{name: "no such colour", args: "logs {ref} --color {word}", ends: true, shows: "--color"},
	{name: "no such setting", args: "ls -A", env: "OFFSTAGE_THEME={word}", ends: true, shows: "the default is used"},
	{name: "a flag too much", args: "ls a {word}", ends: true, shows: "is too much"},
}

// plant lays the outputs and a home whose settings hold an own pattern and a wrong
// value that is a secret.
func plant(t *testing.T) (home, dir string) {
	t.Helper()
	home, dir = t.TempDir(), t.TempDir()
	for _, c := range append(canaries(), remembered) {
		logFile(t, dir, c.name+".log", plantedLog(c))
	}
	if err := os.MkdirAll(filepath.Join(home, "config", "offstage"), 0o700); err != nil {
		t.Fatal(err)
	}
	logFile(t, filepath.Join(home, "config", "offstage"), "config.toml", "theme = \""+token()+"\"\n[redact]\npatterns = [\"acme_\"]\n")
	return home, dir
}

// token is a secret that is known by its form alone.
func token() string {
	return "gh" + "p_" + canaries()[0].value
}

func canaryEnv(home, dir string) []string {
	return append(os.Environ(), programVar+"=1", plantVar+"="+dir, "HOME="+home, "XDG_STATE_HOME="+home+"/state", "XDG_CONFIG_HOME="+home+"/config",
		"TMPDIR="+home, "TERM=xterm-256color", "NO_COLOR=", "TMUX=", "OFFSTAGE_PLAIN=")
}

// TestCanaryExits: no exit of the command line shows six characters of a planted
// secret (C9); logs --raw --no-redact, which is asked for twice, shows it.
func TestCanaryExits(t *testing.T) {
	home, dir := plant(t)
	all := append(canaries(), remembered)
	for _, e := range canaryExits {
		refs := []int{0}
		if e.ends && strings.Contains(e.args+e.in, "{ref}") || strings.Contains(e.args+e.in, "{log}") || strings.Contains(e.in, "{text}") {
			refs = refs[:0]
			for i := range all {
				refs = append(refs, i)
			}
		}
		for _, i := range refs {
			c := all[i]
			ref := fmt.Sprint("plant:task", i)
			if i == 0 {
				ref = "plant:Using"
			}
			if c.name == "remembered" && !strings.Contains(e.args, "{ref}") {
				continue // a filter knows no command
			}
			t.Run(e.name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				if testing.Short() && i%4 > 0 {
					t.Skip("the short run walks a quarter of the secrets")
				}
				fit := strings.NewReplacer("{log}", filepath.Join(dir, c.name+".log"), "{path}", "/none/"+token()+"/x", "{word}", token(), "{ref}", ref, "{text}", plantedLog(c))
				out := runExit(t, canaryEnv(home, dir), e, fit)
				if found := leaks(out); len(found) > 0 {
					t.Errorf("shows %q", found)
				}
				if !strings.Contains(out, e.shows) {
					t.Errorf("no %q in:\n%.2000s", e.shows, out)
				}
			})
		}
	}
	raw := runExit(t, canaryEnv(home, dir), canaryExit{args: "logs plant:task2 --raw --no-redact", ends: true}, strings.NewReplacer())
	if len(leaks(raw)) == 0 {
		t.Error("--raw --no-redact hides what was asked for twice")
	}
}

// runExit gives all that one exit printed, on both streams.
func runExit(t *testing.T, env []string, e canaryExit, fit *strings.Replacer) string {
	t.Helper()
	patience := 60 * time.Second
	if !e.ends {
		patience = 2500 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var args []string
	for _, a := range strings.Fields(e.args) {
		args = append(args, fit.Replace(a))
	}
	c := exec.CommandContext(ctx, os.Args[0], args...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGINT) }
	c.WaitDelay = 10 * time.Second
	if c.Env = env; e.env != "" {
		c.Env = append(slices.Clone(env), fit.Replace(e.env))
	}
	c.Dir = t.TempDir()
	c.Stdin = strings.NewReader(fit.Replace(e.in))
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	if e.ends && ctx.Err() != nil {
		t.Errorf("it did not end: %v", err)
	}
	return out.String()
}

// silentVerbs have no text of a task to show.
var silentVerbs = map[string]string{
	"demo": "its tasks are its own, made for showing", "demo-child": "it is a task of the demo", "version": "it says a number",
}

// TestCanaryKnowsEveryVerb: a verb that is new gets its lines in canaryExits, or a
// reason why it needs none.
func TestCanaryKnowsEveryVerb(t *testing.T) {
	a := &app{getenv: func(string) string { return "" }}
	for _, c := range a.command().Commands() {
		walked := slices.ContainsFunc(canaryExits, func(e canaryExit) bool { return strings.HasPrefix(e.args+" ", c.Name()+" ") })
		if !walked && silentVerbs[c.Name()] == "" {
			t.Errorf("offstage %s is walked by no line of canaryExits", c.Name())
		}
	}
}

var clipboard = regexp.MustCompile(`\x1b\]52;[^;]*;([A-Za-z0-9+/=]+)`)

// wireText is what went to the terminal: as bytes, without escape sequences, and
// what was put on the clipboard.
func wireText(raw string) string {
	out := raw
	for _, m := range clipboard.FindAllStringSubmatch(raw, -1) {
		if b, err := base64.StdEncoding.DecodeString(m[1]); err == nil {
			out += "\n" + string(b)
		}
	}
	return out
}

package uitest

import (
	"slices"
	"time"

	"offstage/task"
)

// Start is the fixed time of the sample in tests.
var Start = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

// The sessions of the sample.
const (
	Shop = "claude:shop"
	API  = "codex:api"
	Old  = "claude:old"
)

// Sample is a project as it stands at now: three sessions, tasks in every state.
func Sample(now time.Time) task.Snapshot {
	return task.Snapshot{
		Rev: 1, At: now, Elsewhere: 4,
		Sessions: []task.Session{shop(now), api(now), old(now)},
		Tasks:    append(shopTasks(now), otherTasks(now)...),
		Looked:   looked(),
	}
}

// Empty is the same machine with nothing left running.
func Empty(now time.Time) task.Snapshot {
	s := Sample(now)
	s.Tasks = nil
	s.Sessions = s.Sessions[:2]
	s.Sessions[1].Unreported = false
	return s
}

func looked() []task.Place {
	return []task.Place{
		{Source: "claude", Path: "/home/ada/.claude", Found: true, Sessions: 2},
		{Source: "codex", Path: "/home/ada/.codex", Found: true, Sessions: 1},
		{Source: "gemini", Path: "/home/ada/.gemini"},
	}
}

func shop(now time.Time) task.Session {
	return task.Session{
		ID: Shop, Agent: "claude", Native: "shop", Title: "Cart totals keep the cents", Cwd: "/home/ada/shop-api", Branch: "fix/cents",
		State: task.RunningTurn, StateSince: now.Add(-3 * time.Minute), StartedAt: now.Add(-2 * time.Hour), Interactive: true,
		Plan: task.Plan{Entries: []task.Entry{
			{ID: "1", Subject: "Read the cart code", Status: task.Completed},
			{ID: "2", Subject: "Find where the cents are lost", Status: task.Completed},
			{ID: "3", Subject: "Write a failing test", Status: task.Completed},
			{ID: "4", Subject: "Fix the rounding", ActiveForm: "Fixing the rounding", Status: task.InProgress},
			{ID: "5", Subject: "Run the whole suite", Status: task.Pending, BlockedBy: []string{"4"}},
			{ID: "6", Subject: "Update the changelog", Status: task.Pending},
			{ID: "7", Subject: "Deploy to staging", Status: task.Pending, BlockedBy: []string{"5", "6"}},
		}},
		Cards: []task.Card{
			{Task: "claude:a1", Title: "Explore how prices are rounded", Kind: "agent", At: now.Add(-4 * time.Minute),
				Text: "Three places round: cart.ts, invoice.ts and the currency formatter. Only cart.ts rounds each line before it adds up, so a cent goes missing from every third order."},
			{Task: "claude:a2", Title: "Search for other callers", Kind: "agent", At: now.Add(-11 * time.Minute), Failed: true,
				Text: "Stopped: the search ran out of its budget."},
		},
	}
}

func api(now time.Time) task.Session {
	return task.Session{
		ID: API, Agent: "codex", Native: "api", Title: "日本語の請求書を直す", Cwd: "/home/ada/shop-api/billing", Branch: "main",
		State: task.WaitingPerson, WaitingFor: "permission prompt", StateSince: now.Add(-7 * time.Minute), Unreported: true,
	}
}

func old(now time.Time) task.Session {
	return task.Session{
		ID: Old, Agent: "claude", Native: "old", Title: "Load test the checkout", Cwd: "/home/ada/shop-load",
		State: task.EndedSession, AgentGone: true, StateSince: now.Add(-26 * time.Minute),
	}
}

func shopTasks(now time.Time) []task.Task {
	return []task.Task{
		running(now, "vite", "npm run dev", "npm run dev", 72*time.Minute, func(t *task.Task) {
			t.Activity = "VITE v7.1.2  ready in 312 ms"
			t.URLs, t.Ports = []string{"http://localhost:5173/"}, []int{5173}
			t.Output.LastWrite = now.Add(-20 * time.Second)
		}),
		running(now, "vitest", "vitest run", "pnpm vitest run --coverage", 184*time.Second, func(t *task.Task) {
			t.Activity = "transforming (1184) 71%"
			t.Tests = tests("vitest", 412, 2, "src/cart.test.ts > totals keeps the cents")
			t.Output.LastWrite = now.Add(-time.Second)
		}),
		running(now, "migrate", "Migrate the database", "make migrate | tail -40", 14*time.Minute, func(t *task.Task) {
			t.Pipe = task.PipeSink{Name: "tail"}
		}),
		running(now, "agent", "Review the shared modules", "", 6*time.Minute, func(t *task.Task) {
			t.Kind = task.Agent
			t.Activity = "Read src/money/round.ts"
			t.Can = task.Can{Read: true, WhyNot: "A sub-agent ends with its agent: press Esc in Claude Code."}
			t.Tokens, t.ToolCalls = &task.Tokens{Input: 48_211, Output: 9_120}, 31
		}),
		running(now, "monitor", "Watch the deploy log", "tail -f deploy.log", 31*time.Minute, func(t *task.Task) {
			t.Kind = task.Monitor
			t.Output.LastWrite = now.Add(-3 * time.Minute)
			t.Activity = "rollout 3 of 5"
		}),
		ended(now, "e2e", "playwright test", task.Failed, 1, 7*time.Minute, 370*time.Second, func(t *task.Task) {
			t.Tests = tests("playwright", 38, 1, "checkout.spec.ts:88 pays with a saved card")
		}),
		ended(now, "lint", "eslint .", task.Succeeded, 0, 9*time.Minute, 41*time.Second, nil),
		ended(now, "compose", "docker compose up", task.Lost, -1, 22*time.Minute, 2*time.Hour, nil),
		ended(now, "build", "cargo build --release", task.Cancelled, -1, 30*time.Minute, 95*time.Second, func(t *task.Task) {
			t.Warning = "Claude Code was not told of the stop and may start it again."
		}),
	}
}

func otherTasks(now time.Time) []task.Task {
	api := running(now, "install", "apt-get install postgresql-client", "sudo apt-get install postgresql-client", 8*time.Minute, func(t *task.Task) {
		t.Session = API
		t.Waiting, t.WaitingLine = "waiting for input", "Do you want to continue? [Y/n]"
		t.Output.LastWrite = now.Add(-7 * time.Minute)
	})
	load := running(now, "k6", "k6 run load.js", "k6 run load.js", 3*time.Hour, func(t *task.Task) {
		t.Session = Old
		t.Activity = "running (2h59m58.0s), 200/200 VUs, 2164110 complete and 0 interrupted iterations"
	})
	far := running(now, "far", "nightly import", "./import.sh", 26*time.Hour, func(t *task.Task) {
		t.Session = Old
		t.Can = task.Can{Read: true, WhyNot: "Its processes cannot be seen from here (another host). Open the panel there."}
		t.Trouble = "cannot see its processes"
	})
	return []task.Task{api, load, far}
}

func running(now time.Time, id, title, command string, for_ time.Duration, more func(*task.Task)) task.Task {
	t := task.Task{
		ID: "claude:" + id, Source: "claude", Native: id, Kind: task.Shell, Title: title, Command: command,
		Cwd: "/home/ada/shop-api", Session: Shop, Run: 1, Status: task.Running, Started: now.Add(-for_),
		Can: task.Can{Read: true, Stop: true}, StatusSource: "output file", StatusAt: now.Add(-2 * time.Second),
		ToolCall: "toolu_01" + id,
		Output:   task.OutputRef{Path: "/tmp/claude/tasks/" + id + ".output", Bytes: 2_100_000, LastWrite: now.Add(-for_)},
	}
	if more != nil {
		more(&t)
	}
	return t
}

func ended(now time.Time, id, title string, s task.Status, code int, ago, took time.Duration, more func(*task.Task)) task.Task {
	t := running(now, id, title, title, ago+took, nil)
	t.Status, t.Ended = s, now.Add(-ago)
	t.Can.Stop = false
	t.StatusSource = "notification"
	if code >= 0 {
		t.ExitCode = &code
	}
	if more != nil {
		more(&t)
	}
	return t
}

// tests makes counts with one first failure; the types behind Runs are taken
// from the slice itself, so that this package needs no further import.
func tests(runner string, passed, failed int, first string) *task.Tests {
	t := &task.Tests{Complete: true}
	t.Passed, t.Failed, t.Red = passed, failed, failed > 0
	t.Runs = slices.Grow(t.Runs, 1)[:1]
	r := &t.Runs[0]
	r.Runner, r.Passed, r.Failed, r.Red = runner, passed, failed, failed > 0
	if first != "" {
		r.Failures = slices.Grow(r.Failures, 1)[:1]
		r.Failures[0].Name, r.Failures[0].Line = first, 4
		r.Failures[0].EndLine = 6
		r.First = &r.Failures[0]
	}
	return t
}

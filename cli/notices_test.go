package cli

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"offstage/internal/config"
	"offstage/internal/ledger"
	"offstage/internal/registry"
	"offstage/internal/store"
	"offstage/internal/world"
	"offstage/task"
)

// N4: the setting says how a panel tells a person of ends, several at once in one
// line, each once; what the desktop cannot show is known as not delivered.
func TestPanelTellsEnds(t *testing.T) {
	for _, c := range []struct {
		how, on string
		plain   bool
		raw     string
		words   string
		states  map[string]task.DeliveryState
	}{
		{"bell", "ends", false, "\a", "", map[string]task.DeliveryState{"x:a": task.Delivered, "x:b": task.Delivered}},
		{"osc", "ends", false, "\x1b]9;Offstage: ✘ \"tests\" failed with exit code 3 · 1 more ended\a", "", nil},
		{"osc", "failures", false, "\x1b]9;Offstage: ✘ \"tests\" failed with exit code 3\a", "", map[string]task.DeliveryState{"x:a": task.Delivered, "x:b": task.NothingToDeliver}},
		{"desktop", "ends", true, "", "The desktop could not show it: no program that shows notices was found: install notify-send or terminal-notifier",
			map[string]task.DeliveryState{"x:a": task.DeliveryFailed, "x:b": task.DeliveryFailed}},
	} {
		t.Run(c.how+" "+c.on, func(t *testing.T) {
			t.Setenv("PATH", t.TempDir())
			dir := t.TempDir()
			getenv := func(k string) string { return map[string]string{"HOME": dir, "TERM": "xterm"}[k] }
			w, err := world.New(world.Options{Getenv: getenv})
			if err != nil {
				t.Fatal(err)
			}
			state := filepath.Join(dir, "state")
			st, err := store.Open(state)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = st.Close() }()
			three, zero := 3, 0
			for _, rec := range []task.Record{
				{ID: "x:a", Run: 1, Kind: task.Shell, Session: "x:s", Title: "tests", Status: task.Failed, ExitCode: &three, Ended: time.Now()},
				{ID: "x:b", Run: 1, Kind: task.Shell, Session: "x:s", Title: "build", Status: task.Succeeded, ExitCode: &zero, Ended: time.Now()},
			} {
				if _, err := ledger.NewBook(st, time.Now, nil).Report(ledger.Report{Record: rec, Proof: ledger.Recorded}); err != nil {
					t.Fatal(err)
				}
			}
			r := registry.New(registry.Options{World: w, State: state, Everywhere: true})
			defer func() { _ = r.Close() }()
			a := &app{w: w, getenv: getenv, settings: config.Settings{Notify: c.how, NotifyOn: c.on}}
			a.current.Store(&a.settings)
			tell := a.tellEnds(context.Background(), r, c.plain)
			raw, words := tell([]string{"x:a", "x:b"})
			if c.how == "osc" && c.on == "ends" { // which of the two is first is nobody's promise
				if raw == "\x1b]9;Offstage: ✓ \"build\" completed (exit code 0) · 1 more ended\a" {
					raw = c.raw
				}
			}
			if raw != c.raw || words != c.words {
				t.Errorf("raw %q, words %q", raw, words)
			}
			for id, want := range c.states {
				if rec, _, _ := st.Record(id); rec.Delivery.State != want {
					t.Errorf("%s: %+v", id, rec.Delivery)
				}
			}
			if raw, words := tell([]string{"x:a", "x:b"}); raw+words != "" {
				t.Errorf("told again: %q %q", raw, words)
			}
		})
	}
}

// Off tells nobody; plain mode writes sentences and rings nothing; a recording has
// no ends of today. Without a registry, whoever asked for an end would fail here.
func TestNobodyIsTold(t *testing.T) {
	w, err := world.New(world.Options{Getenv: func(string) string { return t.TempDir() }})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		how   string
		plain bool
	}{{"off", false}, {"off", true}, {"bell", true}, {"osc", true}} {
		a := &app{w: w}
		a.current.Store(&config.Settings{Notify: "desktop"})
		tell := a.tellEnds(context.Background(), nil, c.plain)
		a.current.Store(&config.Settings{Notify: c.how}) // changed while the panel runs
		if raw, words := tell([]string{"x:a"}); raw+words != "" {
			t.Errorf("%s, plain %v: %q %q", c.how, c.plain, raw, words)
		}
	}
	recorded, err := world.New(world.Options{Root: t.TempDir(), Getenv: func(string) string { return t.TempDir() }})
	if err != nil {
		t.Fatal(err)
	}
	if a := (&app{w: recorded}); a.tellEnds(context.Background(), nil, false) != nil {
		t.Error("ends of a recording are told")
	}
}

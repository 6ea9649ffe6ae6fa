package ui

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/task"
	"offstage/ui/uitest"
)

// keeper is an engine that keeps places as the ledger does.
type keeper struct {
	*uitest.Engine
	mu   sync.Mutex
	kept map[string]string
}

func (k *keeper) LoadPlace(_ context.Context, id string, _ int) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return []byte(k.kept[id]), nil
}

func (k *keeper) SavePlace(_ context.Context, id string, _ int, place []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept[id] = string(place)
	return nil
}

// keeping is a window whose engine keeps places in kept.
func keeping(t *testing.T, kept map[string]string) *driver {
	d := drive(t, 100, 30, oneSession(), func(o *Options) {
		o.Engine = &keeper{Engine: o.Engine.(*uitest.Engine), kept: kept}
	})
	d.do(d.m.openTask("claude:vite"))
	return d
}

// do carries out the commands that bring an opened output or save a place.
func (d *driver) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case openedMsg:
		d.send(msg)
		d.pages()
	}
}

// TestPlacesOverRestart is B14: a reader who scrolled up and filters stands there
// again in the next run of the program; at the usual place nothing is kept.
func TestPlacesOverRestart(t *testing.T) {
	kept := map[string]string{}
	d := keeping(t, kept)
	d.press("pgup", "w")
	want := d.m.console.Place()
	d.m.close()
	if kept["claude:vite"] == "" {
		t.Fatal("nothing was kept when the program ended")
	}
	d2 := keeping(t, kept)
	if got := d2.m.console.Place(); got.Follow || got.Offset != want.Offset || !got.NoWrap {
		t.Errorf("came back to %+v, was at %+v", got, want)
	}
	d2.press("G", "w")
	d2.do(d2.m.closeConsole())
	if kept["claude:vite"] != "" {
		t.Errorf("the usual place is kept: %s", kept["claude:vite"])
	}
}

// TestPlaceIsSavedAsItChanges: a connection that breaks loses no more than a few
// seconds of reading (B14), and a reader who stands still writes nothing.
func TestPlaceIsSavedAsItChanges(t *testing.T) {
	kept := map[string]string{}
	d := keeping(t, kept)
	d.m.placeAt = d.now
	d.press("pgup")
	tick := func(by time.Duration) tea.Cmd {
		d.now = d.now.Add(by)
		return d.m.tick(tickMsg{now: d.now})
	}
	d.do(tick(time.Second))
	if len(kept) != 0 {
		t.Error("saved within a second")
	}
	d.do(tick(placeEvery))
	if kept["claude:vite"] == "" {
		t.Error("not saved after some seconds")
	}
	if tick(placeEvery) != nil {
		t.Error("saved again without news")
	}
}

// TestFilterWithASecretIsNotKept: what a person typed may be a secret (B9, C9).
func TestFilterWithASecretIsNotKept(t *testing.T) {
	secret := strings.ReplaceAll("gh⟂p_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "⟂", "")
	p := console.Place{NoWrap: true, Filter: &task.Filter{Query: task.Query{Text: secret}}}
	if data := string(packPlace(p)); strings.Contains(data, secret) || !strings.Contains(data, "no_wrap") {
		t.Errorf("kept %s", data)
	}
}

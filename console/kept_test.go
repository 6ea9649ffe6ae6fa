package console

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"offstage/task"
)

// keptOf is a place after a restart of the program.
func keptOf(t *testing.T, p Place) Place {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil || len(data) > 4<<10 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	q := Place{Task: p.Task, Gen: AnyGen}
	if err := json.Unmarshal(data, &q); err != nil {
		t.Fatal(err)
	}
	return q
}

// B14: the place, the folds, wrap, the time column and the filter come back after
// a restart of the program; in another text the end is shown.
func TestPlaceSurvivesRestart(t *testing.T) {
	f := longLog(9000)
	for range 30 {
		f.text("> step", `{"level":"warn","msg":"retry","attempt":3}`)
	}
	m := open(t, Options{}, 80, 24, shellTask(), f)
	f.do(t, m, "pgup", "pgup")
	m.cursor = rowWith(t, m, "retry").key()
	f.do(t, m, "enter", "w", "shift+right")
	want := m.Place()
	if want.Follow || len(want.Open) != 1 || !want.NoWrap || want.Column != 10 || want.Usual() {
		t.Fatalf("%+v", want)
	}
	m2 := open(t, Options{}, 80, 24, shellTask(), nil)
	m2.SetPlace(keptOf(t, want))
	f.settle(t, m2)
	got := m2.Place()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if plain(m) != plain(m2) {
		t.Errorf("was:\n%s\nis:\n%s", plain(m), plain(m2))
	}
	other := longLog(8000)
	for range 900 {
		other.text("another log entirely, with lines of another length that stand elsewhere")
	}
	m3 := open(t, Options{}, 80, 24, shellTask(), nil)
	m3.SetPlace(keptOf(t, want))
	other.settle(t, m3)
	if !m3.follow || m3.wrap {
		t.Errorf("in another text: follow %v, wrap %v, want %+v, goal %+v at %q", m3.follow, m3.wrap, want, m3.goal, firstRow(m3))
	}
}

// B14: a filter comes back, and the reader in it.
func TestFilterSurvivesRestart(t *testing.T) {
	f := longLog(9000)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	f.do(t, m, "&", "i", "t", "e", "m", "s", "/", "5", "1", "enter", "+", "pgup")
	want := plain(m)
	m2 := open(t, Options{}, 80, 24, shellTask(), nil)
	m2.SetPlace(keptOf(t, m.Place()))
	f.settle(t, m2)
	if m2.filter == nil || m2.filter.Context != 1 || firstRow(m2) != firstRow(m) {
		t.Errorf("was:\n%s\nis:\n%s", want, plain(m2))
	}
}

// B14: however much was unfolded, a place stays small.
func TestPlaceIsBounded(t *testing.T) {
	f := &fakeLog{}
	for range 400 {
		f.add(task.Line{Text: strings.Repeat("same ", 20), Repeat: 3})
		f.text("> other")
	}
	m := open(t, Options{}, 80, 24, shellTask(), f)
	for _, r := range m.win.rows {
		if r.line.Repeat > 1 {
			m.remember(key{r.line.Offset + 1<<50, 3})
		}
	}
	f.do(t, m, "&", "o", "enter")
	if p := keptOf(t, m.Place()); len(p.Open) != mostKeptOpen {
		t.Errorf("%d rows", len(p.Open))
	}
}

// B12: where rows were left out between two groups of a filter with context, a
// mark says so; neighbours have none, and no copy has it.
func TestFilterGroupsAreApart(t *testing.T) {
	f := &fakeLog{}
	f.text("one", "two hit", "three", "four", "five", "six", "seven hit", "eight hit", "nine")
	m := open(t, Options{}, 80, 24, shellTask(), f)
	f.do(t, m, "&", "h", "i", "t", "enter")
	if strings.Contains(plain(m), "┄┄") {
		t.Errorf("without context:\n%s", plain(m))
	}
	f.do(t, m, "+")
	var body []string
	for _, r := range m.list {
		body = append(body, r.text)
	}
	want := []string{"one", "two hit", "three", "┄┄", "six", "seven hit", "eight hit", "nine"}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	if c, ok := m.copyBlock().(Copy); !ok || strings.Contains(c.Text, "┄") || c.Rows != 7 {
		t.Errorf("%+v", c)
	}
}

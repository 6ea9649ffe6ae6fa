package ui

import (
	"context"
	"encoding/json"
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/internal/registry"
	"offstage/task"
)

// Places keeps where a person stood in the outputs, over restarts of the program
// and lost connections (B14). An Engine that has these methods is asked; without
// them places are kept while the window is open.
type Places interface {
	// LoadPlace gives what SavePlace kept for a run of a task; nil for nothing.
	LoadPlace(ctx context.Context, id string, run int) ([]byte, error)
	// SavePlace keeps at most 4 KiB; no bytes forget the place.
	SavePlace(ctx context.Context, id string, run int, place []byte) error
}

const (
	// placesMax bounds the places that are kept in memory.
	placesMax = 200
	// placeEvery is how often a place that changes is saved: what a connection that
	// breaks may lose.
	placeEvery = 5 * time.Second
	// placeWait is how long the end of the program waits for the last one.
	placeWait = 500 * time.Millisecond
)

// keptPlace is a place and what was saved of it.
type keptPlace struct {
	place console.Place
	saved string
}

// notePlace keeps where the reader of the open console stands, and gives the
// command that saves it where that is news.
func (m *Model) notePlace() tea.Cmd {
	id, run, data, ok := m.newPlace()
	if !ok {
		return nil
	}
	return m.fx.savePlace(id, run, data)
}

// newPlace notes the place of the open console; ok says that it is to be saved.
func (m *Model) newPlace() (id string, run int, data []byte, ok bool) {
	if m.console == nil || m.open == "" {
		return "", 0, nil, false
	}
	if _, known := m.places[m.open]; !known && len(m.places) >= placesMax {
		for id := range m.places {
			delete(m.places, id)
			break
		}
	}
	k := m.places[m.open]
	k.place = m.console.Place()
	data = packPlace(k.place)
	ok = m.out != nil && string(data) != k.saved // before it was opened nothing is known
	if ok {
		k.saved = string(data)
	}
	m.places[m.open] = k
	t, _ := m.task(m.open)
	return m.open, max(t.Run, 1), data, ok
}

// packPlace is a place as it is saved. What a person typed into a filter may be a
// secret: then the filter is left out.
func packPlace(p console.Place) []byte {
	if p.Filter != nil && registry.Mask(p.Filter.Query.Text) != p.Filter.Query.Text {
		p.Filter = nil
	}
	if p.Usual() {
		return nil
	}
	data, err := json.Marshal(p)
	if err != nil {
		return nil
	}
	return data
}

// gotPlace goes to the place that was kept of an earlier run of the program.
func (m *Model) gotPlace(data []byte) {
	if _, ok := m.places[m.open]; ok || len(data) == 0 {
		return
	}
	p := console.Place{}
	if json.Unmarshal(data, &p) != nil {
		return
	}
	p.Task, p.Gen = m.open, console.AnyGen
	m.places[m.open] = keptPlace{place: p, saved: string(data)}
	m.console.SetPlace(p)
}

// lastPlace saves the place of the console that is open when the program ends.
func (m *Model) lastPlace() {
	id, run, data, ok := m.newPlace()
	if !ok {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.fx.keepPlace(context.Background(), id, run, data)
	}()
	select {
	case <-done:
	case <-time.After(placeWait):
	}
}

// loadPlace is what was kept of a task's run; what cannot be read is nothing.
func (fx *effects) loadPlace(ctx context.Context, t task.Task) []byte {
	if p, ok := fx.o.Engine.(Places); ok {
		data, _ := p.LoadPlace(ctx, t.ID, max(t.Run, 1))
		return data
	}
	return nil
}

func (fx *effects) savePlace(id string, run int, data []byte) tea.Cmd {
	return func() tea.Msg {
		fx.keepPlace(fx.ctx, id, run, data)
		return nil
	}
}

// keepPlace saves a place; one that cannot be saved is no matter for a person.
func (fx *effects) keepPlace(ctx context.Context, id string, run int, data []byte) {
	if p, ok := fx.o.Engine.(Places); ok {
		_ = p.SavePlace(ctx, id, run, data)
	}
}

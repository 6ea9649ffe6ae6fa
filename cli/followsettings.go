package cli

import (
	"os"
	"slices"
	"strings"
	"time"

	"offstage/internal/config"
	"offstage/internal/output"
	"offstage/internal/registry"
	"offstage/ui"
)

// settingsLook is how often a running program looks whether its settings files
// have changed: within 2 s is promised (spec 5).
const settingsLook = time.Second

// followSettings takes changed settings up until stop is closed. What is shown is
// masked again by new patterns; a window that waits for it gets its part.
func (a *app) followSettings(r *registry.Registry, stop <-chan struct{}) {
	look := time.NewTicker(settingsLook)
	defer look.Stop()
	seen := a.layerTimes()
	for {
		select {
		case <-stop:
			return
		case <-look.C:
		}
		now := a.layerTimes()
		if now == seen {
			continue
		}
		seen = now
		s, wrong := a.load()
		a.current.Store(&s)
		if !slices.Equal(s.Patterns, output.Patterns()) {
			output.SetPatterns(s.Patterns)
			r.Remask()
		}
		r.Settings(s.FinishedFor, s.FinishedMax, s.TimeoutObserved)
		if a.looks == nil {
			continue
		}
		l := a.look(s)
		if len(wrong) > 0 {
			l.Wrong = maskText(wrong[0])
		}
		select { // an older one that nobody took is of no use
		case <-a.looks:
		default:
		}
		a.looks <- l
	}
}

// look is what settings say of the window. Keys with names that do not exist are
// left out: the start has said so.
func (a *app) look(s config.Settings) ui.Look {
	keys := map[string][]string{}
	for _, k := range ui.KeyTable() {
		if own, ok := s.Keys[k.ID]; ok {
			keys[k.ID] = own
		}
	}
	return ui.Look{
		QuietAfter: s.QuietAfter, Theme: s.Theme, Colours: s.Colours, ASCII: a.ascii || s.Marks == "ascii", Mouse: s.Mouse,
		NoCopyOnSelect: !s.CopyOnSelect, Still: !s.Motion, SideBySide: s.SideBySide, Stacked: s.Stacked, Keys: keys,
	}
}

// layerTimes are the times of the settings files, and of the theme they name, as
// one text.
func (a *app) layerTimes() string {
	var b strings.Builder
	paths := []string{a.current.Load().ThemeFile}
	for _, l := range a.layers() {
		paths = append(paths, l.Path)
	}
	for _, path := range paths {
		if path == "" {
			continue
		}
		if st, err := os.Stat(path); err == nil {
			b.WriteString(st.ModTime().String())
		}
		b.WriteByte(' ')
	}
	return b.String()
}

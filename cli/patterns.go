package cli

import (
	"slices"
	"time"

	"offstage/internal/config"
	"offstage/internal/output"
	"offstage/internal/registry"
)

// patternLook is how often a running program looks whether its settings files have
// changed: within 2 s is promised (spec 5).
const patternLook = time.Second

// followPatterns takes changes of redact.patterns up until stop is closed: what is
// shown is masked again.
func (a *app) followPatterns(r *registry.Registry, stop <-chan struct{}) {
	look := time.NewTicker(patternLook)
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
		s, _ := config.Load(a.layers(), a.getenv)
		if !slices.Equal(s.Patterns, output.Patterns()) {
			output.SetPatterns(s.Patterns)
			r.Remask()
		}
	}
}

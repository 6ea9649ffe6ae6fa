package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"offstage/internal/config"
	"offstage/internal/desk"
	"offstage/internal/registry"
	"offstage/internal/world"
	"offstage/task"
)

// noticeTitle stands over every notice.
const noticeTitle = "Offstage"

// tellEnds is how a panel has its person told of ends (N4): by the setting, each
// once on this machine. Plain mode writes nothing but sentences, so only the
// desktop can tell there. Nil where nobody is to be told.
func (a *app) tellEnds(ctx context.Context, r *registry.Registry, plain bool) func(ids []string) (raw, words string) {
	if a.w.Recorded() {
		return nil
	}
	return func(ids []string) (raw, words string) {
		how := a.current.Load().Notify
		if how == "off" || plain && how != "desktop" {
			return "", ""
		}
		ends := wantedEnds(r.TakeEnds(ids...), a.current.Load().NotifyOn, func(rec task.Record) { r.Told(rec, task.NothingToDeliver, "") })
		if len(ends) == 0 {
			return "", ""
		}
		raw, err := notice(ctx, how, noticeWords(ends), a.getenv)
		to, why := task.Delivered, ""
		if err != nil {
			to, why = task.DeliveryFailed, err.Error()
			words = "The desktop could not show it: " + err.Error()
		}
		for _, rec := range ends {
			r.Told(rec, to, why)
		}
		return raw, words
	}
}

// wantedEnds are those of the ends that the setting wants; drop gets the others.
func wantedEnds(ends []task.Record, on string, drop func(task.Record)) []task.Record {
	var out []task.Record
	for _, rec := range ends {
		if on == "failures" && (rec.Status == task.Succeeded || rec.Status == task.Cancelled) {
			drop(rec)
			continue
		}
		out = append(out, rec)
	}
	return out
}

// noticeWords are ends in one line: the first, and how many more.
func noticeWords(ends []task.Record) string {
	text := registry.EndWords(ends[0])
	if n := len(ends) - 1; n > 0 {
		text += fmt.Sprintf(" · %d more ended", n)
	}
	return text
}

// notice tells a line by the setting; raw is for the terminal.
func notice(ctx context.Context, how, text string, getenv func(string) string) (raw string, err error) {
	switch how {
	case "bell":
		return desk.Bell, nil
	case "osc":
		return desk.TerminalNotice(noticeTitle, text, getenv), nil
	case "desktop":
		return "", desk.ShowNotice(ctx, noticeTitle, text, getenv)
	}
	return "", nil
}

// endPatience bounds what a supervisor spends on a notice.
const endPatience = 10 * time.Second

// TellEnd is for the supervisor of a task of our own, when it has ended: where a
// person started it and the setting is desktop, the person is told without any
// panel. Only the person's own settings count, not those of a project.
func TellEnd(w *world.World, state, id string) {
	settings, _ := config.Load(config.Layers(w.Home(), "", os.Getenv), os.Getenv)
	if settings.Notify != "desktop" {
		return // a terminal can be rung only by a panel in it
	}
	ctx, cancel := context.WithTimeout(context.Background(), endPatience)
	defer cancel()
	_ = registry.TellPersonEnd(w, state, id, func(rec task.Record) error { // what fails is known as not delivered
		if len(wantedEnds([]task.Record{rec}, settings.NotifyOn, func(task.Record) {})) == 0 {
			return registry.ErrUnwanted
		}
		return desk.ShowNotice(ctx, noticeTitle, registry.EndWords(rec), os.Getenv)
	})
}

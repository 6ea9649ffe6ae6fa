package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/desk"
	"offstage/internal/registry"
	"offstage/task"
)

// pillPatience is how long a pill looks at what moved before it says so (W4).
const pillPatience = 12 * time.Millisecond

// pillAge is from when on a pill that still stands leaves a look behind: what
// leaves no trace in any file, like a process left behind, is found by that.
const pillAge = 30 * time.Second

type pillFlags struct {
	format, project, session, wrap string
	follow, catchUp                bool
}

// pillFormats are those of --format.
var pillFormats = []string{"plain", "tmux", "json", "statusline", "zellij"}

func (a *app) pillCommand() *cobra.Command {
	var f pillFlags
	cmd := &cobra.Command{
		Use:   "pill",
		Short: "Print one line for a status bar",
		Long: "Says in one short line what runs and what wants you; nothing when nothing runs. It takes some milliseconds: it looks at what moved since the last look, " +
			"and what it could not read in time is counted as …. With --follow it prints a new line at each change, until nobody reads them.",
		Args: args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.pill(cmd.Context(), f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.format, "format", "plain", "for whom: `FORMAT` is plain, tmux, json, statusline or zellij")
	fl.StringVar(&f.project, "project", "", "only the project of `DIR`")
	fl.StringVar(&f.session, "session", "", "only the session `ID`")
	fl.StringVar(&f.wrap, "wrap", "", "run the status line `COMMAND` with the same input, and put the pill behind what it prints")
	fl.BoolVar(&f.follow, "follow", false, "print a new line at each change")
	fl.BoolVar(&f.catchUp, "catch-up", false, "look at everything and keep what was found for the next pill")
	_ = fl.MarkHidden("catch-up")
	return cmd
}

func (a *app) pill(ctx context.Context, f pillFlags) error {
	known := false
	for _, name := range pillFormats {
		known = known || name == f.format
	}
	switch {
	case !known:
		return usage("there is no format %q: give one of %s", f.format, strings.Join(pillFormats, ", "))
	case f.project != "" && f.session != "":
		return usage("--project and --session cannot go together: give one of them")
	case f.wrap != "" && f.format != "statusline":
		return usage("--wrap goes with --format statusline")
	case f.follow && f.format == "statusline":
		return usage("--follow does not go with --format statusline: an agent asks for that line again and again")
	case f.catchUp:
		return a.catchUp(ctx)
	}
	scope, err := a.pillScope(f)
	if err != nil {
		return err
	}
	switch {
	case f.follow:
		return a.followPill(ctx, f, scope)
	case f.format == "statusline":
		return a.statusLine(ctx, f, scope)
	}
	p, err := a.glance(ctx, scope, a.pillRules(false))
	if err != nil {
		return err
	}
	return a.printPill(f.format, p, a.settings.PillKey)
}

// pillRules are the person's; own says that the pill stands in its agent's window.
func (a *app) pillRules(own bool) task.PillScope {
	o := task.PillScope{Own: own, QuietAfter: a.settings.QuietAfter}
	if !a.settings.PillQuiet {
		o.QuietAfter = 0
	}
	return o
}

// pillScope is what W4 counts: a session, a project, or all of this machine.
func (a *app) pillScope(f pillFlags) (registry.Scope, error) {
	switch {
	case f.session != "":
		return registry.Scope{Session: f.session}, nil
	case f.project != "":
		return a.scope(view{dir: f.project})
	}
	return registry.Scope{}, nil
}

// glance is the pill of now: from the last look where all of it still stands, else
// from a new look at what moved, for as long as there is time.
func (a *app) glance(ctx context.Context, scope registry.Scope, o task.PillScope) (task.Pill, error) {
	if a.w.Recorded() {
		return a.recordedPill(ctx, scope, o)
	}
	end := time.Now().Add(pillPatience)
	r, done, err := a.registry(view{everywhere: true, bare: true})
	if err != nil {
		return task.Pill{}, err
	}
	defer done()
	g, err := registry.ReadGlance(a.stateDir())
	moved := r.Moved(g)
	part := false
	if err != nil || len(moved) > 0 {
		if x, ok := a.lookAt(ctx, moved, end); ok {
			g.Merge(x)
		} else {
			part = true
		}
	}
	if part || len(moved) > 0 || a.w.Since(g.At) > pillAge {
		a.leaveCatchUp()
	}
	g.Grown()
	p := task.PillOf(g.Snapshot(scope, a.marks(g)), a.w.Now(), o)
	p.Part = part
	return p, nil
}

// lookAt looks at the named sources until end; false where that was too short.
// What goes on then ends with this process: another one catches up.
func (a *app) lookAt(ctx context.Context, names []string, end time.Time) (registry.Glance, bool) {
	fresh := make(chan registry.Glance, 1)
	go func() {
		r, done, err := a.registry(view{everywhere: true})
		if err != nil {
			return
		}
		defer done()
		r.Only(names)
		if g, err := r.TakeGlance(ctx, 0); err == nil {
			fresh <- g
		}
	}()
	select {
	case g := <-fresh:
		return g, true
	case <-time.After(time.Until(end)):
		return registry.Glance{}, false
	}
}

// marks are what the ledger says of looked-at ends and of stops, if it changed
// since the glance.
func (a *app) marks(g registry.Glance) registry.Marks {
	if registry.LedgerStamp(a.stateDir()) == g.Ledger {
		return registry.Marks{}
	}
	r, done, err := a.registry(view{everywhere: true})
	if err != nil {
		return registry.Marks{}
	}
	defer done()
	return r.Marks()
}

// recordedPill is that of a recording, which is looked at whole.
func (a *app) recordedPill(ctx context.Context, scope registry.Scope, o task.PillScope) (task.Pill, error) {
	r, done, err := a.registry(view{everywhere: true})
	if err != nil {
		return task.Pill{}, err
	}
	defer done()
	snap, err := r.Scan(ctx, 0)
	return task.PillOf(scope.Apply(snap), a.w.Now(), o), err
}

// leaveCatchUp starts one short look at everything, unless one is under way. A
// pill that cannot leave one is as right as before, only later.
func (a *app) leaveCatchUp() {
	if registry.CatchingUp(a.stateDir()) {
		return
	}
	self, err := os.Executable()
	if err != nil {
		return
	}
	argv := []string{self, "pill", "--catch-up"}
	if a.state != "" {
		argv = append(argv, "--state", a.state)
	}
	_ = desk.Detach(argv)
}

// catchUp looks at everything once and keeps it for the next pill.
func (a *app) catchUp(ctx context.Context) error {
	state := a.stateDir()
	free, ok := registry.LockCatchUp(state)
	if !ok {
		return nil
	}
	defer free()
	ctx, cancel := context.WithTimeout(ctx, registry.CatchUpLimit)
	defer cancel()
	r, done, err := a.registry(view{everywhere: true})
	if err != nil {
		return err
	}
	defer done()
	g, err := r.TakeGlance(ctx, time.Second)
	if err != nil {
		return err
	}
	return registry.WriteGlance(state, g)
}

// pillWire is what `pill --format json` prints.
type pillWire struct {
	Text      string         `json:"text"`
	Running   map[string]int `json:"running"`
	Failed    int            `json:"failed"`
	Waiting   int            `json:"waiting"`
	Quiet     int            `json:"quiet"`
	Disk      bool           `json:"disk,omitempty"`
	Left      int            `json:"left_behind,omitempty"`
	Attention string         `json:"attention,omitempty"`
	Part      bool           `json:"part,omitempty"`
}

// printPill prints one line; an empty one where there is nothing, for a bar that
// keeps the last.
func (a *app) printPill(format string, p task.Pill, do string) error {
	ascii := a.settings.Marks == "ascii"
	if format == "json" {
		w := pillWire{p.Text(ascii, do), map[string]int{}, p.Failed, p.Waiting, p.Quiet, p.Disk, p.LeftBehind, p.Attention, p.Part}
		for k, n := range p.Running {
			w.Running[string(k)] = n
		}
		b, err := json.Marshal(w)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(a.out, string(b))
		return err
	}
	_, err := fmt.Fprintln(a.out, a.pillLine(format, p, do))
	return err
}

// pillLine is the line with the colours that its bar understands.
func (a *app) pillLine(format string, p task.Pill, do string) string {
	ascii := a.settings.Marks == "ascii"
	paint := painters[format]
	if paint == nil || p.Nothing() || a.getenv("NO_COLOR") != "" {
		text := p.Text(ascii, do)
		if format == "tmux" {
			text = strings.ReplaceAll(text, "#", "##")
		}
		return text
	}
	var parts []string
	for _, c := range p.Chips(ascii) {
		parts = append(parts, paint(c))
	}
	if do != "" && p.WantsPerson() {
		parts = append(parts, do)
	}
	return strings.Join(parts, " · ")
}

// painters colour a part for a bar with the terminal's own sixteen colours.
var painters = map[string]func(task.Chip) string{
	"tmux": func(c task.Chip) string {
		style := map[task.Tone]string{task.Bad: "fg=red", task.Amber: "fg=yellow", task.Quiet: "dim"}[c.Tone]
		text := strings.ReplaceAll(c.Text, "#", "##")
		if style == "" {
			return text
		}
		return "#[" + style + "]" + text + "#[default]"
	},
	"statusline": func(c task.Chip) string {
		code := map[task.Tone]string{task.Bad: "31", task.Amber: "33", task.Quiet: "2"}[c.Tone]
		if code == "" {
			return c.Text
		}
		return "\x1b[" + code + "m" + c.Text + "\x1b[0m"
	},
}

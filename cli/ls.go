package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/task"
)

// countPatience is how long a one-shot listing waits for the counts of outputs;
// what is not counted by then is told as not complete.
const countPatience = 300 * time.Millisecond

func (a *app) lsCommand() *cobra.Command {
	var v view
	var asJSON, all, watch bool
	cmd := &cobra.Command{
		Use:   "ls [DIR]",
		Short: "List the background tasks of this project",
		Args:  args(0, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			v.dir = arg(argv)
			v.everywhere, v.ended = v.everywhere || all, v.ended || all
			r, done, err := a.registry(v)
			if err != nil {
				return err
			}
			defer done()
			if watch {
				return a.watchList(cmd.Context(), r, asJSON)
			}
			snap, err := r.Scan(cmd.Context(), countPatience)
			if err != nil {
				return err
			}
			a.sayTroubles(snap)
			if asJSON {
				return a.printJSON(wires(snap))
			}
			return a.printTasks(snap)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print JSON (the shape is a contract: docs/json.md)")
	f.BoolVarP(&v.everywhere, "everywhere", "A", false, "all sessions of this machine")
	f.BoolVar(&v.ended, "ended", false, "also all that ended and is still known")
	f.BoolVar(&all, "all", false, "--everywhere and --ended")
	f.BoolVar(&watch, "watch", false, "print a line at each change")
	f.StringVar(&v.files, "files", "", "show the log files of `DIR` instead")
	f.StringVar(&v.session, "session", "", "only the session `ID`")
	return cmd
}

func arg(argv []string) string {
	if len(argv) > 0 {
		return argv[0]
	}
	return ""
}

func wires(snap task.Snapshot) []task.Wire {
	out := make([]task.Wire, 0, len(snap.Tasks))
	for _, t := range snap.Tasks {
		out = append(out, task.ToWire(t, snap.At))
	}
	return out
}

// printJSON writes one value, indented, on stdout.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// sayTroubles tells what could not be read; without --verbose only how much.
func (a *app) sayTroubles(snap task.Snapshot) {
	if a.verbose {
		for _, t := range snap.Troubles {
			_, _ = fmt.Fprintln(a.errw, "offstage: "+t.Text)
		}
		return
	}
	if n := len(snap.Troubles); n > 0 {
		_, _ = fmt.Fprintf(a.errw, "offstage: %s could not be read; --verbose says which\n", plural(n, "thing", "things"))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// printTasks is the listing for people: a table without colour, one task a row.
func (a *app) printTasks(snap task.Snapshot) error {
	if len(snap.Tasks) == 0 {
		return a.printNone(snap)
	}
	tw := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	for _, t := range snap.Tasks {
		parts := []string{task.Glyph(t.Status), cutText(t.Native, 40), cutText(t.Title, 48), task.StateWords(t), task.TestChip(t.Tests).Text, hint(t, snap.At), task.Clock(task.Elapsed(t, snap.At))}
		_, _ = fmt.Fprintln(tw, strings.Join(parts, "\t"))
	}
	return tw.Flush()
}

func hint(t task.Task, now time.Time) string {
	return task.QuietChip(t, now, task.QuietAfter).Text
}

func (a *app) printNone(snap task.Snapshot) error {
	text := "No background tasks in this project."
	switch {
	case snap.Elsewhere == 1:
		text += " 1 task runs elsewhere: offstage ls --everywhere"
	case snap.Elsewhere > 1:
		text += fmt.Sprintf(" %d tasks run elsewhere: offstage ls --everywhere", snap.Elsewhere)
	}
	_, err := fmt.Fprintln(a.errw, text)
	return err
}

// cutText is s on at most n characters, with "…" where it lost some.
func cutText(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// watchList prints a line for each task that changed, until it is interrupted.
func (a *app) watchList(ctx context.Context, r *registry.Registry, asJSON bool) error {
	known := map[string]string{}
	for rev := uint64(0); ; {
		snap, err := r.Next(ctx, rev)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		rev = snap.Rev
		for _, t := range snap.Tasks {
			line := changeLine(t, snap.At)
			if known[t.ID] == line {
				continue
			}
			known[t.ID] = line
			if err := printChange(a.out, t, snap.At, line, asJSON); err != nil {
				return err
			}
		}
	}
}

// changeLine is what of a task makes a new line: its state, counts and waiting,
// never its clock.
func changeLine(t task.Task, now time.Time) string {
	parts := []string{t.Native, t.Title, task.StateWords(t)}
	for _, s := range []string{task.TestChip(t.Tests).Text, t.Waiting} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "  ")
}

func printChange(w io.Writer, t task.Task, now time.Time, line string, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintln(w, now.Format("15:04:05")+"  "+line)
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(task.ToWire(t, now))
}

// maskText hides secrets in words of ours that may quote a task or a path.
func maskText(s string) string { return registry.Mask(s) }

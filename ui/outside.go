package ui

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"offstage/internal/desk"
	"offstage/task"
)

// The commands that write files and start pager and editor.

// handMsg is a program that is to have the screen; copy is a file of Scratch that
// goes when it ends, "" for none.
type handMsg struct {
	gen  int
	argv []string
	copy string
	err  error
}

// saveRows writes the rows of an output to a new file.
func (fx *effects) saveRows(out task.Output, path, shown string, e export) tea.Cmd {
	return func() tea.Msg {
		f, err := desk.Create(path)
		if err != nil {
			return doneMsg{notSaved(shown, err)}
		}
		done, err := writeMasked(fx.ctx, f, out, e)
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path) // half a file would be taken for a whole one
			return doneMsg{notSaved(shown, err)}
		}
		return doneMsg{done.words(shown)}
	}
}

// saveText writes a selection to a new file.
func (fx *effects) saveText(path, shown, text string, done written) tea.Cmd {
	return func() tea.Msg {
		f, err := desk.Create(path)
		if err != nil {
			return doneMsg{notSaved(shown, err)}
		}
		_, err = f.WriteString(text + "\n")
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path)
			return doneMsg{notSaved(shown, err)}
		}
		return doneMsg{done.words(shown)}
	}
}

func notSaved(shown string, err error) string {
	if errors.Is(err, desk.ErrExists) {
		return "Nothing was saved: " + shown + " is there already"
	}
	return "Nothing was saved: " + err.Error()
}

// copyFor makes a masked copy of an output for the pager or the editor.
func (fx *effects) copyFor(gen int, out task.Output, name string, editor bool) tea.Cmd {
	return func() tea.Msg {
		f, err := desk.Scratch(name)
		if err != nil {
			return handMsg{gen: gen, err: err}
		}
		_, err = writeMasked(fx.ctx, f, out, export{ansi: !editor && !fx.o.NoColor, last: openMost})
		if err = errors.Join(err, f.Close()); err != nil {
			_ = desk.Remove(f.Name())
			return handMsg{gen: gen, err: fmt.Errorf("the copy could not be made: %w", err)}
		}
		argv := append(append([]string(nil), fx.o.Pager...), f.Name())
		if editor {
			argv = fx.o.Editor(f.Name(), 0)
		}
		return handMsg{gen: gen, argv: argv, copy: f.Name()}
	}
}

// findFile looks whether a file that a row named is there.
func (fx *effects) findFile(gen int, path string, line int64) tea.Cmd {
	return func() tea.Msg {
		if !desk.Regular(path) {
			return handMsg{gen: gen, err: errors.New("there is no file " + path)}
		}
		return handMsg{gen: gen, argv: fx.o.Editor(path, line)}
	}
}

// run gives the screen to a program until it ends.
func (fx *effects) run(h handMsg) tea.Cmd {
	c := exec.Command(h.argv[0], h.argv[1:]...)
	if fx.o.In == nil {
		c.Stdin = os.Stdin // the terminal itself, not what stands before it
	}
	return tea.ExecProcess(c, func(err error) tea.Msg { return fx.back(h, err) })
}

// back takes the copy away and says what was seen.
func (fx *effects) back(h handMsg, err error) tea.Msg {
	words := ""
	if h.copy != "" {
		words = "It was a redacted copy, and is removed"
		if rerr := desk.Remove(h.copy); rerr != nil {
			words = "The redacted copy could not be removed: " + h.copy
		}
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) { // how a pager ends is its own matter
		words = "Could not open it: " + err.Error()
	}
	return doneMsg{words}
}

// drop takes a copy away that nobody looks at any more.
func (fx *effects) drop(path string) tea.Cmd {
	if path == "" {
		return nil
	}
	return func() tea.Msg {
		_ = desk.Remove(path) // the system's own clearing takes what is left
		return nil
	}
}

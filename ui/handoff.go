package ui

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/task"
)

// What is handed to other programs: a saved file, a copy for the pager or the
// editor, a file that a row names.

// save writes a selection, or the rows of the open output, to a new file.
func (m *Model) save(a console.Save) tea.Cmd {
	path, ok := m.absolute(a.Path, m.o.Where)
	switch {
	case !ok:
		m.say("Give the file a name.")
		return nil
	case a.Selection:
		return m.fx.saveText(path, a.Path, a.Text, written{a.Rows, a.Redacted})
	case m.out == nil:
		return nil
	}
	m.say("Saving…")
	return m.fx.saveRows(m.out, path, a.Path, export{filter: a.Filter, ansi: a.ANSI})
}

// absolute is a path that a person typed or a row named, made absolute.
func (m *Model) absolute(path, from string) (string, bool) {
	path = strings.TrimSpace(path)
	if path == "" {
		return "", false
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok && m.o.Home != "" {
		path = filepath.Join(m.o.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(from, path)
	}
	abs, err := filepath.Abs(path)
	return abs, err == nil
}

// openCopy opens a masked copy of the output in the pager, or in the editor.
func (m *Model) openCopy(editor bool) tea.Cmd {
	if m.out == nil {
		return nil
	}
	t, _ := m.task(m.open)
	if editor && m.o.Editor == nil || !editor && m.o.Pager == nil {
		m.say("There is no program to open it in.")
		return nil
	}
	m.say("Making a copy…")
	return m.fx.copyFor(m.gen, m.out, fileName(firstOf(t.Title, t.Command, t.ID)), editor)
}

func firstOf(words ...string) string {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			return w
		}
	}
	return ""
}

// openFile opens a file that a row named, as seen from the task's folder.
func (m *Model) openFile(path string, line int64) tea.Cmd {
	t, _ := m.task(m.open)
	abs, ok := m.absolute(path, m.folder(t))
	if !ok || m.o.Editor == nil {
		return m.fx.copy(path, "Copied the path")
	}
	return m.fx.findFile(m.gen, abs, line)
}

// folder is where a task runs; "~" is the home folder.
func (m *Model) folder(t task.Task) string {
	dir := t.Cwd
	if dir == "~" || strings.HasPrefix(dir, "~/") {
		dir = filepath.Join(m.o.Home, dir[1:])
	}
	if dir == "" {
		dir = m.o.Where
	}
	return dir
}

// handOver leaves the screen to another program. What was made for it alone is
// removed when it ends, also where the console was left meanwhile.
func (m *Model) handOver(msg handMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.say(sentenceOf(msg.err))
		return nil
	case msg.gen != m.gen || m.quitting:
		return m.fx.drop(msg.copy)
	}
	return m.fx.run(msg)
}

// sentenceOf is an error for a person.
func sentenceOf(err error) string {
	s := err.Error()
	return strings.ToUpper(s[:1]) + s[1:]
}

package ui

import (
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"offstage/panel"
)

// count is "1 row", "3 rows".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func (m *Model) toggleOver(o overlay) {
	if m.over == o {
		o = noOverlay
	}
	if o == overDetails {
		if _, ok := m.detailTask(); !ok && !m.onTitle() {
			m.say("There is no task under the cursor.")
			return
		}
	}
	m.over, m.scroll = o, 0
}

func (m *Model) nextFocus() {
	if m.focus == onList && (m.console != nil || len(m.cards()) > 0) {
		m.focus = onUpper
	} else if m.panel.Rows() > 0 {
		m.focus = onList
	}
}

// back closes the layer on top: a page, the console, the filter; never the
// program.
func (m *Model) back() tea.Cmd {
	switch {
	case m.over != noOverlay:
		m.over, m.scroll = noOverlay, 0
	case m.open != "":
		return m.closeConsole()
	case m.focus == onUpper:
		m.focus = onList
	case m.filter != "":
		m.setFilter("")
	case m.session != "" && m.empty():
		m.session = ""
	}
	return nil
}

// layered says whether back has something to close.
func (m *Model) layered() bool {
	return m.over != noOverlay || m.open != "" || m.focus == onUpper || m.filter != "" || (m.session != "" && m.empty())
}

func (m *Model) backOrQuit() tea.Cmd {
	if m.layered() {
		return m.back()
	}
	m.quitting = true
	return tea.Quit
}

func (m *Model) quitNow() tea.Cmd {
	m.quitting, m.byCtrlC = true, true
	return tea.Quit
}

func (m *Model) switchEverywhere() tea.Cmd {
	m.everywhere = !m.everywhere
	m.say(onOff(m.everywhere, "Showing every project", "Showing this project"))
	m.panel.SetScope(m.scopeWords())
	return m.fx.setScope(m.everywhere, m.ended)
}

func (m *Model) switchEnded() tea.Cmd {
	m.ended = !m.ended
	m.say(onOff(m.ended, "Showing all ended tasks that are kept", "Showing the last hour"))
	m.panel.SetScope(m.scopeWords())
	return m.fx.setScope(m.everywhere, m.ended)
}

func onOff(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}

func (m *Model) hideEnded() tea.Cmd {
	var ids []string
	for _, id := range m.panel.IDs() {
		if t, ok := m.task(id); ok && t.Status.Ended() {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		m.say("No ended task is listed.")
		return nil
	}
	return m.hide(ids...)
}

func (m *Model) switchMouse() {
	m.mouse = !m.mouse
	m.say(onOff(m.mouse, "The mouse works here again", "The mouse is the terminal's · M takes it back"))
}

func (m *Model) startFilter() {
	m.typing, m.collapsed, m.focus = true, false, onList
}

func (m *Model) setFilter(text string) {
	m.filter = text
	m.panel.SetFilter(text)
}

// typed edits the filter: the list follows each letter.
func (m *Model) typed(msg tea.KeyPressMsg) tea.Cmd {
	switch k := msg.String(); k {
	case "esc":
		m.typing = false
		m.setFilter("")
	case "enter":
		m.typing = false
	case "up", "down":
		a, _ := m.panel.Key(k)
		return m.do(a)
	case "backspace", "ctrl+h":
		_, n := utf8.DecodeLastRuneInString(m.filter)
		m.setFilter(m.filter[:len(m.filter)-n])
	case "ctrl+u":
		m.setFilter("")
	case "ctrl+w":
		kept := strings.TrimRight(m.filter, " ")
		m.setFilter(kept[:strings.LastIndex(kept, " ")+1])
	default:
		m.addFilter(msg.Text)
	}
	return nil
}

// filterMax bounds what can be typed or pasted into the filter.
const filterMax = 200

func (m *Model) addFilter(text string) {
	if text = panel.Clean(text); text != "" && len(m.filter)+len(text) <= filterMax {
		m.setFilter(m.filter + text)
	}
}

func (m *Model) paste(text string) tea.Cmd {
	switch {
	case m.typing:
		m.addFilter(text)
	case m.console != nil && m.focus == onUpper && m.over == noOverlay:
		a, _ := m.console.Paste(text)
		return m.doConsole(a)
	}
	return nil
}

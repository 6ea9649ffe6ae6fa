package console

import (
	"regexp"

	"offstage/task"
)

// The gates of the key table.

func (m *Model) asking() bool {
	s := m.stopOf()
	return s.Phase == StopAsking && s.Plan.Refused == ""
}

func (m *Model) questioned() bool {
	p := m.stopOf().Phase
	return p == StopAsking || p == StopFinding
}

func (m *Model) canKill() bool {
	s := m.stopOf()
	return m.asking() || s.Phase == StopRunning && s.Progress.Elapsed >= stopExplains
}

func (m *Model) away() bool        { return !m.follow && m.win.loaded && !(m.ended() && m.endInView()) }
func (m *Model) following() bool   { return m.follow && len(m.win.rows) > m.geo.body }
func (m *Model) hasEarlier() bool  { return m.win.loaded && !m.win.top && !m.win.lost }
func (m *Model) hasFailures() bool { return len(m.fails.list) > 0 }
func (m *Model) hasRows() bool     { return len(m.win.rows) > 0 }

// The stop: what was seen is what is confirmed.

func (m *Model) confirmStop() Action { return ConfirmStop{Plan: m.stop.Plan} }
func (m *Model) killNow() Action     { return StopNow{Plan: m.stop.Plan} }

// askStop asks for the plan, or says why there is no Stop.
func (m *Model) askStop() Action {
	switch s := m.stopOf(); {
	case m.task.Status.Ended():
		return Toast{"This task has ended already"}
	case s.Phase == StopRunning && s.Progress.Elapsed < stopGivesUp:
		return nil
	case !m.task.Can.Stop && m.task.Can.WhyNot != "":
		return Toast{m.task.Can.WhyNot}
	case !m.task.Can.Stop:
		return Toast{"This task cannot be stopped from here"}
	}
	return Stop{}
}

// The moves.

func (m *Model) half() int { return max(m.geo.body/2, 1) }
func (m *Model) page() int { return max(m.geo.body-1, 1) }

func (m *Model) move(n int) {
	if m.sel.lines {
		m.extend(n)
		return
	}
	m.scroll(n)
}

func (m *Model) goEnd() {
	if m.sel.lines {
		m.extend(len(m.list))
		return
	}
	m.fails.at = -1
	m.toEnd()
}

func (m *Model) goHome() {
	if m.sel.lines {
		m.extend(-len(m.list))
		return
	}
	m.seek(goal{kind: goalHome})
}

func (m *Model) toggleFollow() {
	if m.follow {
		m.setFollow(false)
		return
	}
	m.toEnd()
}

// loadEarlier puts 2,000 more lines before what is loaded; the view stays.
func (m *Model) loadEarlier() Action {
	switch {
	case !m.win.loaded:
		return nil
	case m.win.top && m.win.lost || m.win.lost:
		return Toast{"Older output not loaded: the head of the file was cut away"}
	case m.win.top:
		return Toast{"This is the start of the output"}
	case m.follow && len(m.win.rows)+pageRows > maxRows:
		return Toast{"Scroll up or press " + m.keyFor("console.top") + " for what is further up"}
	}
	m.goal = goal{kind: goalEarlier, at: m.win.start}
	m.relist()
	return nil
}

func (m *Model) slideBy(n int) {
	if !m.wrap {
		m.column = min(max(m.column+n, 0), m.widest())
	}
}

func (m *Model) slideEnd() {
	if !m.wrap {
		m.column = max(m.widest()-m.geo.text, 0)
	}
}

// widest is the cells of the longest row in view.
func (m *Model) widest() int {
	n := 0
	for _, r := range m.inView() {
		if r.ascii {
			n = max(n, len(r.text))
		} else {
			n = max(n, cells(r.text, m.width))
		}
	}
	return n
}

func (m *Model) toggleWrap() {
	m.wrap = !m.wrap
	m.relist()
}

func (m *Model) cycleTime() Action {
	if !m.hasTimes() {
		return Toast{"No times are known for this output"}
	}
	if m.narrow() {
		return Toast{"The time column needs 60 columns"}
	}
	m.times = map[timeMode]timeMode{timeOff: timeClock, timeClock: timeSince, timeSince: timeOff}[m.timeMode()]
	m.redraw()
	return nil
}

// back leaves the innermost thing first: the selection, the proof of a stop,
// then the console.
func (m *Model) back() Action {
	switch {
	case m.sel.on:
		m.unselect()
		return nil
	case m.find.query.Text != "":
		return m.lookFor(task.Query{})
	case m.filter != nil:
		m.lift()
		return nil
	case m.stopOf().Phase == StopDone:
		return CancelStop{}
	}
	return Close{}
}

// What stands in a row and can be opened.
var (
	address  = regexp.MustCompile(`https?://[^\s"'<>\x60|]+[^\s"'<>\x60|.,;:!?)\]}]`)
	fileLine = regexp.MustCompile(`((?:[A-Za-z]:[\\/]|\.{0,2}/)?[\w@.+-][\w@./\\+-]*\.\w+):(\d+)(?::\d+)?`)
)

// target is what o opens: what was clicked last in the row the reader is at, else
// the first address in it, else the first file with a line, else the first address
// of the task.
func (m *Model) target() Action {
	if r := m.here(); r != nil {
		if l := m.linkHere(r); l != nil && l.isFile {
			return OpenEditor{Path: l.path, Line: l.line}
		} else if l != nil {
			return OpenURL{r.text[l.start:l.end]}
		}
	}
	for _, urls := range [][]string{m.facts.URLs, m.task.URLs} {
		if len(urls) > 0 {
			return OpenURL{urls[0]}
		}
	}
	return nil
}

// linkHere is the link of a row that o opens, nil where there is none.
func (m *Model) linkHere(r *row) (best *link) {
	links := m.linksOf(r)
	for i := range links {
		l := &links[i]
		if r.key() == m.cursor && l.start <= m.cursorByte && m.cursorByte < l.end {
			return l
		}
		if best == nil || best.isFile && !l.isFile {
			best = l
		}
	}
	return best
}

func (m *Model) openHere() Action {
	if a := m.target(); a != nil {
		return a
	}
	return Toast{"No address and no file:line in this row"}
}

// openPager asks for a masked copy of the output; the root makes it (B13).
func (m *Model) openPager() Action {
	if len(m.win.rows) == 0 && m.filter == nil {
		return Toast{"There is no output to open yet"}
	}
	return OpenPager{}
}

func (m *Model) openCopy() Action {
	if len(m.win.rows) == 0 && m.filter == nil {
		return Toast{"There is no output to open yet"}
	}
	return OpenCopy{}
}

package console

import (
	"strconv"
	"strings"
	"time"

	"offstage/task"
)

// earlierRow is the control at the top of what is loaded (B4): more can be
// loaded, or the head of the file is gone for good.
func (m *Model) earlierRow() *row {
	w := &m.win
	if !w.loaded || w.top && !w.lost {
		return nil
	}
	l := task.Line{Offset: earlierKey.off, Mark: task.MarkNote}
	r := &row{line: l, role: earlierRow}
	switch first := m.firstNumber(); {
	case w.lost && (w.top || w.start == 0):
		r.role, r.text = lostRow, "older output not loaded: the head of the file was cut away"
	case m.goal.kind == goalEarlier:
		r.text = m.set.up + " loading earlier output" + m.set.more
	case first > 1:
		r.text = m.set.up + " Load earlier (" + m.keyFor("console.earlier") + ")" + m.set.dot + count(first-1) + plural(int(min(first-1, 2)), " earlier line", " earlier lines")
	default:
		r.text = m.set.up + " Load earlier (" + m.keyFor("console.earlier") + ")"
	}
	return r
}

// firstNumber is the number of the first loaded line, 0 while not known.
func (m *Model) firstNumber() int64 {
	if len(m.win.rows) == 0 {
		return 0
	}
	return m.win.rows[0].line.Number
}

// closingRows stand behind the last row of the output: the place where output
// stops because of a sink (E1, E2), or the end of the task (B2).
func (m *Model) closingRows() []*row {
	if !m.win.loaded || !m.win.bottom {
		return nil
	}
	switch {
	case m.ended():
		l := task.Line{Offset: closingKey.off, Mark: task.MarkEnd, Tone: m.endTone()}
		return []*row{{line: l, role: endRow, text: m.set.mark(l.Mark, m.endWords())}}
	case m.heldBack():
		return m.pipeRows()
	}
	return nil
}

// heldBack: a sink holds the output and none came just now. A filter that only
// passes lines on in blocks is given more time.
func (m *Model) heldBack() bool {
	quiet := task.QuietFor(m.task, m.now)
	if m.task.Pipe.Soft {
		return quiet >= 15*time.Second
	}
	return m.task.Pipe.Name != "" && quiet >= 2*time.Second
}

func (m *Model) ended() bool { return m.task.Status.Ended() || m.facts.EndMark != "" }

// endWords say how the task ended: "ended: exit code 0".
func (m *Model) endWords() string {
	t := m.task
	switch {
	case t.ExitCode != nil && (t.Status == task.Succeeded || t.Status == task.Failed):
		return "ended: exit code " + strconv.Itoa(*t.ExitCode)
	case t.Status == task.Lost && m.facts.EndMark == "":
		return task.StateWords(t)
	case t.Status == task.TimedOut, t.Status == task.Cancelled, !t.Status.Ended(), t.Status == task.Lost:
		if rest, ok := strings.CutPrefix(m.facts.EndMark, "exited with code "); ok && t.Status != task.Cancelled {
			return "ended: exit code " + word(rest)
		}
		if t.Status.Ended() && t.Status != task.Lost {
			return "ended: " + task.StateWords(t)
		}
		return "ended: " + word(m.facts.EndMark)
	}
	return "ended: " + task.StateWords(t)
}

func (m *Model) endTone() task.Tone {
	if m.task.Status.Ended() {
		return task.StatusTone(m.task.Status)
	}
	return task.Quiet
}

// pipeRows are the note about a sink, wrapped by word, with a dotted line over
// it: here output stops until the task ends.
func (m *Model) pipeRows() []*row {
	note := task.PipeNote(m.task.Pipe)
	rows := []*row{{line: task.Line{Offset: closingKey.off, Mark: task.MarkGap}, role: pipeRow,
		text: strings.Repeat(m.set.dots, max(m.geo.text-1, 1))}}
	for i, s := range flow(m.set.say(note), max(m.geo.text-1, 8), m.width) {
		rows = append(rows, &row{line: task.Line{Offset: closingKey.off, Part: i + 1, Mark: task.MarkNote, Tone: task.Amber}, role: pipeRow, text: s})
	}
	return rows
}

// markWords are what a mark of the output says where its row has no text.
func markWords(k task.Mark) string {
	switch k {
	case task.MarkCleared:
		return "screen cleared"
	case task.MarkFullScreen:
		return "a full-screen program ran here"
	case task.MarkGap:
		return "some output is not here"
	case task.MarkRestarted:
		return "the file was started again"
	case task.MarkHole:
		return "a hole in the file"
	case task.MarkPassed:
		return "passed too fast to show"
	case task.MarkEnd:
		return "ended"
	}
	return ""
}

package console

// The groups of the help overlay.
const (
	groupStop = "Stop"
	groupMove = "Move"
	groupFind = "Find"
	groupCopy = "Copy"
	groupView = "View"
	groupTask = "Task"
)

func stopTable() []binding {
	return []binding{
		bind("confirm", groupStop, "stop", "Yes: stop what is shown", (*Model).confirmStop, "y", "enter", "x").when((*Model).asking),
		bind("keep", groupStop, "keep", "No: keep it running", give(CancelStop{}), "n", "esc").when((*Model).questioned),
		bind("kill", groupStop, "kill now", "Kill at once, without a grace", (*Model).killNow, "K").when((*Model).canKill),
	}
}

func moveTable() []binding {
	return []binding{
		bind("down", groupMove, "", "Down a row", do(func(m *Model) { m.move(1) }), "j", "down"),
		bind("up", groupMove, "", "Up a row; leaves following", do(func(m *Model) { m.move(-1) }), "k", "up"),
		bind("halfdown", groupMove, "", "Down half a page", do(func(m *Model) { m.move(m.half()) }), "ctrl+d", "d"),
		bind("halfup", groupMove, "", "Up half a page", do(func(m *Model) { m.move(-m.half()) }), "ctrl+u", "u"),
		bind("pagedown", groupMove, "", "Down a page", do(func(m *Model) { m.move(m.page()) }), "space", "pgdown", "ctrl+f"),
		bind("pageup", groupMove, "", "Up a page", do(func(m *Model) { m.move(-m.page()) }), "b", "pgup", "ctrl+b"),
		bind("end", groupMove, "end", "To the end; follows again", do((*Model).goEnd), "G", "end").hintIf((*Model).away),
		bind("top", groupMove, "start", "To the start of the output, however long", do((*Model).goHome), "g", "home").hintIf((*Model).following),
		bind("follow", groupMove, "", "Follow new output, or hold still", do((*Model).toggleFollow), "f", "F"),
		bind("earlier", groupMove, "earlier", "Load 2,000 earlier lines", (*Model).loadEarlier, "L").hintIf((*Model).hasEarlier),
		bind("left", groupMove, "", "Half a screen to the left (wrap off)", do(func(m *Model) { m.slideBy(-m.geo.text / 2) }), "left"),
		bind("right", groupMove, "", "Half a screen to the right (wrap off)", do(func(m *Model) { m.slideBy(m.geo.text / 2) }), "right"),
		bind("left10", groupMove, "", "Ten columns to the left", do(func(m *Model) { m.slideBy(-10) }), "shift+left"),
		bind("right10", groupMove, "", "Ten columns to the right", do(func(m *Model) { m.slideBy(10) }), "shift+right"),
		bind("linestart", groupMove, "", "To the first column", do(func(m *Model) { m.slideBy(-m.column) }), "0"),
		bind("lineend", groupMove, "", "To the end of the longest row in view", do((*Model).slideEnd), "$"),
	}
}

func findTable() []binding {
	return []binding{
		bind("search", groupFind, "search", "Search the whole output; a capital makes case count, ctrl+r takes a regexp", (*Model).beginSearch, "/").hintIf((*Model).hasRows),
		bind("nexthit", groupFind, "next hit", "To the next hit", func(m *Model) Action { return m.nextHit(1) }, "n").when((*Model).searching),
		bind("prevhit", groupFind, "", "To the hit before", func(m *Model) Action { return m.nextHit(-1) }, "N").when((*Model).searching),
		bind("filter", groupFind, "filter", "Show only matching rows; with ! first, only the others", (*Model).beginFilter, "&").hintIf((*Model).hasRows),
		bind("more", groupFind, "", "A row more around each match of the filter", do(func(m *Model) { m.widen(1) }), "+").when((*Model).filtering),
		bind("less", groupFind, "", "A row less around each match of the filter", do(func(m *Model) { m.widen(-1) }), "-").when((*Model).filtering),
		bind("first", groupFind, "first failure", "To the first failed test", (*Model).firstFailure, "!").hintIf((*Model).hasFailures),
		bind("nextfail", groupFind, "next failure", "To the next failed test", func(m *Model) Action { return m.nextFailure(1) }, "e").hintIf((*Model).hasFailures),
		bind("prevfail", groupFind, "", "To the failed test before", func(m *Model) Action { return m.nextFailure(-1) }, "E"),
	}
}

func copyTable() []binding {
	return []binding{
		bind("copy", groupCopy, "copy", "Copy the selection, or the row", (*Model).copyHere, "y", "c").hintIf((*Model).hasRows),
		bind("select", groupCopy, "select", "Select rows; again to leave", (*Model).selectLines, "v").hintIf((*Model).hasRows),
		bind("save", groupCopy, "save", "Save the selection, what passes the filter, or all to a new file", (*Model).beginSave, "ctrl+s").hintIf((*Model).hasRows),
		bind("block", groupCopy, "", "Copy all rows in view", (*Model).copyBlock, "Y"),
	}
}

func viewTable() []binding {
	return []binding{
		bind("unfold", groupView, "unfold", "Unfold the row: equal lines, steps of a progress, a JSON line, a cut line", (*Model).unfold, "enter").hintIf((*Model).folded),
		bind("folds", groupView, "", "Lines as they were written, or progress and JSON in short", (*Model).toggleFolds, "J"),
		bind("wrap", groupView, "wrap", "Wrap long rows, or scroll sideways", do((*Model).toggleWrap), "w").hintIf((*Model).hasRows),
		bind("time", groupView, "time", "Time column: clock, since the start, off", (*Model).cycleTime, "t").hintIf(func(m *Model) bool { return m.hasTimes() && !m.narrow() }),
	}
}

func taskTable() []binding {
	return []binding{
		bind("stop", groupTask, "stop", "Stop the task; asks first", (*Model).askStop, "x").hintIf(func(m *Model) bool { return m.task.Can.Stop && !m.task.Status.Ended() }),
		bind("answer", groupTask, "answer", "Type a line into a task that has a terminal", (*Model).beginAnswer, "a").hintIf(func(m *Model) bool { return m.task.Can.Answer }),
		bind("restart", groupTask, "", "Start the command again, or copy what asks its agent to", give(Restart{}), "R"),
		bind("freeze", groupTask, "freeze", "Let a task that fills the disk stand still, or go on", (*Model).freeze, "Z").hintIf((*Model).canFreeze),
		bind("trim", groupTask, "", "Cut the middle out of an output that fills the disk", (*Model).trim, "T"),
		bind("next", groupTask, "", "Next task", give(NextTask{}), "]"),
		bind("prev", groupTask, "", "Task before", give(PrevTask{}), "["),
		bind("details", groupTask, "details", "All that is known of the task", give(Details{}), "i"),
		bind("open", groupTask, "open", "Open the address or the file:line in the row", (*Model).openHere, "o").hintIf(func(m *Model) bool { return m.target() != nil }),
		bind("pager", groupTask, "", "A redacted copy of the output in the pager", (*Model).openPager, "O"),
		bind("editor", groupTask, "", "A redacted copy of the output in the editor", (*Model).openCopy, "ctrl+e"),
		bind("close", groupTask, "close", "Leave the selection, then close", (*Model).back, "esc", "q", "backspace"),
	}
}

// keyWords are the keys of the stop strip for a phase, with their words.
func (m *Model) stopKeys(s StopView) []piece {
	key := func(id, words, look string, h hit, rank int) piece {
		return piece{text: m.keyFor("console."+id) + " " + words, look: look, hit: h, rank: rank, gap: 2}
	}
	switch s.Phase {
	case StopFinding:
		return []piece{key("keep", "leave it", m.look.text, hitKeep, 0), {gap: 1}}
	case StopAsking:
		if s.Plan.Refused != "" {
			return []piece{{text: "esc close", look: m.look.text, hit: hitKeep, gap: 2}, {gap: 1}}
		}
		return []piece{key("confirm", "stop", m.look.bad, hitConfirm, 0), key("keep", "keep", m.look.text, hitKeep, 0), key("kill", "kill now", m.look.dim, hitKill, 3), {gap: 1}}
	case StopRunning:
		if s.Progress.Elapsed >= stopExplains {
			return []piece{key("kill", "kill now", m.look.bad, hitKill, 1), {gap: 1}}
		}
	case StopDone:
		return []piece{{text: "esc", look: m.look.dim, hit: hitDismiss, rank: 1, gap: 2}, {gap: 1}}
	}
	return nil
}

package console

import "strings"

// The answer line: a task of our own that has a terminal is typed to from here
// (spec 2 S3). What is typed goes to the task and nowhere else; an answer to a
// question for a password is not shown.

// longestAnswer bounds what can be typed, in bytes.
const longestAnswer = 1000

// BeginAnswer opens the answer line as its key does.
func (m *Model) BeginAnswer() Action {
	a := m.beginAnswer()
	m.measure()
	m.touch()
	return a
}

// beginAnswer opens the answer line, or says why nobody can be answered.
func (m *Model) beginAnswer() Action {
	if why := m.whyNoAnswer(); why != "" {
		return Toast{why}
	}
	m.prompt(forAnswer, "", false)
	m.find.hidden = m.asksSecret()
	return nil
}

func (m *Model) whyNoAnswer() string {
	switch t := m.task; {
	case t.Can.Answer:
		return ""
	case t.Status.Ended():
		return "It has ended: nobody is there to answer"
	}
	return "Only a task that offstage run --tty started can be answered from here"
}

// asksSecret: the question is for something that must not stand on a screen.
func (m *Model) asksSecret() bool {
	q := m.task.WaitingLine
	if q == "" {
		q = m.facts.LastLine
	}
	q = strings.ToLower(q)
	for _, w := range []string{"password", "passphrase", "passcode", "secret", "token", "pin:", "otp"} {
		if strings.Contains(q, w) {
			return true
		}
	}
	return false
}

// answer is what was typed, empty too: that is the Enter key.
func (m *Model) answer() Action {
	text := m.find.text
	m.find.text = ""
	return Answer{Text: text}
}

// endAnswer closes the line when nobody is there to read it any more.
func (m *Model) endAnswer() {
	if f := &m.find; f.typing && f.what == forAnswer && !m.task.Can.Answer {
		f.typing, f.text = false, ""
		m.note = "Not sent: " + strings.ToLower(m.whyNoAnswer()[:1]) + m.whyNoAnswer()[1:]
	}
}

// answerPieces are the footer while an answer is typed.
func (m *Model) answerPieces() []piece {
	f := &m.find
	shown, other := f.text, "hide"
	if f.hidden {
		shown, other = strings.Repeat(m.set.hidden, len([]rune(f.text))), "show"
	}
	return []piece{
		{text: "answer " + m.set.button + " ", look: m.look.text, rank: 2, gap: 2},
		{text: m.lastCells(shown, m.w-14) + m.set.caret, look: m.look.accent, flex: true},
		{text: "enter send", look: m.look.text, rank: 4, gap: 3},
		{text: "tab " + other, look: m.look.dim, rank: 5, gap: 2},
		{text: "esc leave", look: m.look.dim, rank: 6, gap: 2},
	}
}

// lastCells is the end of what is typed that fits into width cells.
func (m *Model) lastCells(s string, width int) string {
	for s != "" && cells(s, m.width) > max(width, 1) {
		n, _ := next(s, 0, m.width)
		s = s[n:]
	}
	return s
}

// answerStrips are the question of a task that waits, with the key that answers.
func (m *Model) answerStrips() []strip {
	t := m.task
	if !t.Can.Answer || t.Waiting == "" || m.find.typing && m.find.what == forAnswer {
		return nil
	}
	text := t.Waiting
	if t.WaitingLine != "" {
		text += ": " + t.WaitingLine
	}
	keys := []piece{{text: m.keyFor("console.answer") + " answer", look: m.look.accent, hit: hitAnswer, gap: 2}, {gap: 1}}
	return m.withKeys(m.atMost(2, m.sentence(text, m.look.amber, m.set.warn)), keys)
}

package claude

// reply ties what the agent said first after it was told of an end to the tasks
// that had ended (I4). A message of thoughts and calls alone is passed over: the
// words come later in the turn.
func (x *extract) reply(r record, off int64) {
	var m message
	if len(r.message) > 1<<20 || !lenient(r.message, &m) {
		return
	}
	text := firstText(m)
	if firstLine(text) == "" {
		return
	}
	x.add(event{off: off, at: r.at, kind: replied, ids: x.toldOf, note: &note{result: cut(text)}})
	x.toldOf = nil
}

// endedIn are the tasks that a notification which begins a turn reports the end of.
func endedIn(text string) []string {
	var out []string
	for range maxBlocks {
		body, rest, ids := nextNotice(text)
		if body == "" {
			break
		}
		text = rest
		if tag(body, "status") != "" {
			out = append(out, ids...)
		}
	}
	return out
}

package console

import "slices"

// binding is a line of the key table with what it does. Where several bindings
// have a key, the first whose gate is open acts: the question before a stop has
// its keys before all others.
type binding struct {
	Binding
	act func(*Model) Action
	// gate says whether the key acts now; nil is always.
	gate func(*Model) bool
	// useful keeps the hint off where the key would change nothing.
	useful func(*Model) bool
}

// keymap is the table with the keys of the person.
type keymap struct {
	all   []binding
	byKey map[string][]int
}

func newKeymap(remap map[string][]string) keymap {
	k := keymap{all: table(), byKey: map[string][]int{}}
	for i := range k.all {
		if keys, ok := remap[k.all[i].ID]; ok {
			k.all[i].Keys = slices.Clone(keys)
		}
		for _, name := range k.all[i].Keys {
			k.byKey[name] = append(k.byKey[name], i)
		}
	}
	return k
}

// table is every key of the console, in the order of the help overlay.
func table() []binding {
	return slices.Concat(stopTable(), moveTable(), findTable(), copyTable(), viewTable(), taskTable())
}

func bind(id, group, hint, words string, act func(*Model) Action, keys ...string) binding {
	return binding{Binding: Binding{ID: "console." + id, Keys: keys, Words: words, Group: group, Hint: hint}, act: act}
}

func (b binding) when(gate func(*Model) bool) binding {
	b.gate = gate
	return b
}

func (b binding) hintIf(useful func(*Model) bool) binding {
	b.useful = useful
	return b
}

// do makes an action of a move.
func do(f func(*Model)) func(*Model) Action {
	return func(m *Model) Action { f(m); return nil }
}

func give(a Action) func(*Model) Action { return func(*Model) Action { return a } }

// Key handles a key by its Bubble Tea v2 name; the bool says it was used.
func (m *Model) Key(k string) (Action, bool) {
	if m.task.ID == "" {
		return nil, false
	}
	if m.find.typing {
		a := m.typed(k)
		m.measure()
		m.touch()
		return a, true
	}
	for _, i := range m.keys.byKey[k] {
		b := &m.keys.all[i]
		if b.gate != nil && !b.gate(m) {
			continue
		}
		m.note, m.armed, m.arming = "", m.arming, false
		a := b.act(m)
		m.measure()
		m.touch()
		return a, true
	}
	return nil, false
}

// Keys is the whole key table, in the order of the help overlay.
func (m *Model) Keys() []Binding {
	out := make([]Binding, len(m.keys.all))
	for i, b := range m.keys.all {
		out[i] = b.Binding
	}
	return out
}

// Hints are the bindings that act on what is there now, most useful first.
func (m *Model) Hints() []Binding {
	var out []Binding
	if m.task.ID == "" {
		return nil
	}
	if m.find.typing {
		return m.promptHints()
	}
	for _, b := range m.keys.all {
		if b.Hint != "" && len(b.Keys) > 0 && (b.gate == nil || b.gate(m)) && (b.useful == nil || b.useful(m)) {
			out = append(out, b.Binding)
		}
	}
	return out
}

// keyFor is the key to show for a binding.
func (m *Model) keyFor(id string) string {
	for i := range m.keys.all {
		if b := &m.keys.all[i]; b.ID == id && len(b.Keys) > 0 {
			return b.Keys[0]
		}
	}
	return ""
}

package config

// Names of the settings that hold a command as a list of words (T9).
const (
	onCreate   = "on_create"
	onComplete = "on_complete"
)

// readHooks takes the commands of the table todo out of doc: a program, or a list
// of a program and its arguments. No shell reads them.
func (s *Settings) readHooks(l Layer, at func(string) string, doc map[string]any) []string {
	table, ok := doc["todo"].(map[string]any)
	if !ok {
		return nil
	}
	var wrong []string
	for name, to := range map[string]*[]string{onCreate: &s.OnCreate, onComplete: &s.OnComplete} {
		v, ok := table[name]
		if !ok {
			continue
		}
		delete(table, name)
		if l.Project {
			wrong = append(wrong, at("todo."+name)+": todo."+name+": a project's file can start no program; put it into your own settings")
			continue
		}
		words, fits := commandWords(v)
		if !fits {
			wrong = append(wrong, at("todo."+name)+": todo."+name+`: a program, or a list such as ["program", "argument"], is wanted; nobody is asked`)
			continue
		}
		*to, s.origin["todo."+name] = words, at("todo."+name)
	}
	if len(table) == 0 {
		delete(doc, "todo")
	}
	return wrong
}

func commandWords(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, v != ""
	case []any:
		var out []string
		for _, w := range v {
			text, ok := w.(string)
			if !ok {
				return nil, false
			}
			out = append(out, text)
		}
		return out, len(out) > 0 && out[0] != ""
	}
	return nil, false
}

package config

import (
	"slices"
	"strconv"
	"strings"
)

// Value is one setting as it counts now, in the words of its file, and where it
// comes from.
type Value struct {
	Name, Text string
	// Origin is a file with its line, a variable, or "default".
	Origin string
}

// Values are all settings in their order, then keys, agents and patterns.
func (s *Settings) Values() []Value {
	var out []Value
	add := func(name, text string) {
		from := s.origin[name]
		if from == "" {
			from = "default"
		}
		out = append(out, Value{name, text, from})
	}
	for _, k := range keys {
		if k.about == "" { // another name of one that is there
			continue
		}
		if s.origin[k.name] == "" && k.name == "timeout" && s.origin["timeout.own"] != "" {
			s.origin[k.name] = s.origin["timeout.own"]
		}
		add(k.name, quote(k.get(s)))
	}
	for _, name := range sorted(s.Keys) {
		var words []string
		for _, w := range s.Keys[name] {
			words = append(words, strconv.Quote(w))
		}
		add("keys."+name, "["+strings.Join(words, ", ")+"]")
	}
	for _, name := range sorted(s.Agents) {
		add("agents."+name, strconv.FormatBool(s.Agents[name]))
	}
	for name, words := range map[string][]string{"todo." + onComplete: s.OnComplete, "todo." + onCreate: s.OnCreate} {
		if len(words) > 0 {
			add(name, strconv.Quote(strings.Join(words, " ")))
		}
	}
	if len(s.Patterns) > 0 { // they show what a secret looks like
		add(patternsKey, strconv.Itoa(len(s.Patterns))+" of them")
	}
	return out
}

// Origin is the file and line, or the variable, that a setting comes from, by the
// name that Values gives it; "" for a default.
func (s *Settings) Origin(name string) string { return s.origin[name] }

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// quote writes a value as TOML: numbers and truths as they are.
func quote(v string) string {
	if _, err := strconv.Atoi(v); err == nil || v == "true" || v == "false" {
		return v
	}
	return strconv.Quote(v)
}

// Commented is a settings file with every setting as a comment, at its default
// and with what is allowed.
func Commented() string {
	s := Defaults()
	var b strings.Builder
	b.WriteString("# Settings of Offstage. A line without its # counts; the values here are the defaults.\n" +
		"# A flag counts over the environment (OFFSTAGE_QUIET_AFTER …), over .offstage.toml of a project, over this file.\n\n")
	for _, k := range keys {
		if k.about == "" {
			continue
		}
		b.WriteString("# " + strings.ToUpper(k.about[:1]) + k.about[1:] + ": " + strings.TrimSuffix(strings.TrimSuffix(k.set(&Settings{}, "\x00"), " is wanted"), " are wanted") + ".\n")
		name := k.name
		if strings.HasPrefix(name, "timeout.") { // "timeout" is a value, so no table may have its name
			name = strconv.Quote(name)
		}
		b.WriteString("# " + name + " = " + quote(k.get(&s)) + "\n\n")
	}
	b.WriteString("# Keys, by the names of docs/keys.md: one, or several in a list.\n# [keys]\n# \"list.stop\" = \"ctrl+x\"\n\n" +
		"# Agents that are not looked for.\n# [agents]\n# codex = false\n\n" +
		"# Forms of your own secrets: a beginning, and in braces the least number of characters that follow.\n# [redact]\n# patterns = [\"acme_\", \"corp-key-{32}\"]\n\n" +
		"# Programs that are asked when an agent makes or completes an entry of its task list.\n# [todo]\n# on_create = [\"program\", \"argument\"]\n")
	return b.String()
}

package desk

import (
	"os/exec"
	"runtime"
)

// Clipboards names the programs that Copy would give a text to; none leaves the
// terminal's own way (OSC 52).
func Clipboards(getenv func(string) string) []string {
	var out []string
	for _, t := range takers(runtime.GOOS) {
		if t.env != "" && getenv(t.env) == "" {
			continue
		}
		if _, err := exec.LookPath(t.argv[0]); err == nil {
			out = append(out, t.argv[0])
			break
		}
	}
	if getenv("TMUX") != "" {
		out = append(out, "tmux buffer")
	}
	return out
}

// Notifier names the program that ShowNotice would use, "" where there is none.
func Notifier(getenv func(string) string) string {
	for _, n := range notifiers(runtime.GOOS) {
		name := n.argv("", "")[0]
		if !anySet(n.env, getenv) {
			continue
		}
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

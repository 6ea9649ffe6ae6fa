package tmux

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"offstage/internal/setup"
)

// firstKey is the one that the documents name; others are offered in this order.
const firstKey = "b"

var otherKeys = []string{"B", "u", "U", "y", "Y", "a", "e", "g", "k", "v"}

// choice is what is still free for us.
type choice struct {
	key   string
	click bool
}

// keyName are names that need no quotes, with what tmux puts before them.
var keyName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^((C|M|S)-)*[A-Za-z0-9]+$`) })

// byItself are the plain keys behind the prefix that tmux binds (3.2 – 3.5).
const byItself = "0123456789CDELMcdfilmnopqrstwxz"

// binding is one key of a table and what it does.
type binding struct{ table, key, does string }

// choose takes the key that is wanted, or that an earlier setup of ours has, or
// the first; a taken one is an error that offers another.
func choose(e setup.Env, text []byte) (choice, error) {
	own := blockKey(text)
	without, err := setup.BlockDrop(text, "#")
	if err != nil {
		return choice{}, err
	}
	all := append(bindings(string(without)), live(e)...)
	c := choice{key: e.Key, click: taken(all, "root", "MouseDown1StatusRight") == "" && ownClick(all)}
	if c.key == "" {
		c.key = own
	}
	if c.key == "" {
		c.key = firstKey
	}
	if !keyName().MatchString(c.key) {
		return c, fmt.Errorf("%q is no name of a key that goes without quotes: give one like b, C-o or M-b", c.key)
	}
	by := taken(all, "prefix", c.key)
	if by == "" && len(c.key) == 1 && strings.Contains(byItself, c.key) && !unbound(all, c.key) {
		by = "tmux itself"
	}
	if by == "" {
		return c, nil
	}
	do := "give another with --key"
	for _, k := range append([]string{firstKey}, otherKeys...) {
		if taken(all, "prefix", k) == "" {
			do = "offstage setup tmux --key " + k + " takes one that is free"
			break
		}
	}
	return c, &setup.TakenError{What: "The key " + c.key + " behind the prefix", By: by, Do: do}
}

// ownClick says that a click on the status line does what tmux makes of it, or
// what we did.
func ownClick(all []binding) bool {
	by := taken(all, "root", "MouseDown1Status")
	return by == "" || by == windowClick || by == "select-window -t ="
}

// taken is what a key does, "" where nothing or what is ours.
func taken(all []binding, table, key string) string {
	by := ""
	for _, b := range all {
		if b.table == table && b.key == key {
			by = b.does
		}
	}
	if strings.Contains(by, openVerb) {
		return ""
	}
	return by
}

// unbound: the person took the key away from tmux.
func unbound(all []binding, key string) bool {
	return slices.ContainsFunc(all, func(b binding) bool { return b.table == "prefix" && b.key == key && b.does == "" })
}

// bindings reads the bind lines of a configuration, and those of list-keys, which
// are of the same kind. What is bound by a plugin's script is not seen here, only
// in a server that runs.
func bindings(text string) []binding {
	var out []binding
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		b := binding{table: "prefix"}
		switch words[0] {
		case "bind", "bind-key":
		case "unbind", "unbind-key":
		default:
			continue
		}
		rest := flags(words[1:], &b)
		if len(rest) == 0 {
			continue
		}
		b.key = strings.Trim(rest[0], `\'"`)
		if words[0][0] == 'b' {
			b.does = strings.Join(rest[1:], " ")
		}
		out = append(out, b)
	}
	return out
}

// flags passes over those of bind-key: -n and -r, and -T and -N with a word (a
// note may be several, in quotes).
func flags(words []string, b *binding) []string {
	for len(words) > 0 && len(words[0]) > 1 && words[0][0] == '-' {
		flag := words[0]
		words = words[1:]
		switch {
		case strings.HasSuffix(flag, "n"):
			b.table = "root"
		case strings.HasSuffix(flag, "T") && len(words) > 0:
			b.table, words = words[0], words[1:]
		case strings.HasSuffix(flag, "N") && len(words) > 0:
			words = quoted(words)
		}
	}
	return words
}

// quoted passes over a word, or over several in one pair of quotes.
func quoted(words []string) []string {
	mark := words[0][0]
	if mark != '"' && mark != '\'' {
		return words[1:]
	}
	for i, w := range words {
		if w[len(w)-1] == mark && (i > 0 || len(w) > 1) {
			return words[i+1:]
		}
	}
	return nil
}

var ownKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*bind-key (\S+) run-shell -b .*` + openVerb) })

// blockKey is the key in an earlier block of ours, "" where there is none.
func blockKey(text []byte) string {
	if m := ownKey().FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

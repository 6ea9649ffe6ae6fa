// Package config holds the settings of spec 5: flag over environment over
// project file over user file over default. A value that is unknown or out of
// range is one sentence with its place, and the default is used; nothing else
// stops.
//
// It reads files and the environment that it is given and writes nothing. The
// command line makes the settings and hands them on; no other room reads them.
package config

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"offstage/redact"
)

// Settings are all values that a person may set. Zero is never a default: use
// Load or Defaults.
type Settings struct {
	// QuietAfter turns the quiet hint amber (D2), 1–120 min.
	QuietAfter time.Duration
	// FinishedFor and FinishedMax keep rows of ended shells and monitors (A5).
	FinishedFor time.Duration
	FinishedMax int
	Mouse       bool
	// CopyOnSelect: a finished drag copies.
	CopyOnSelect bool
	// Motion off stops the spinner.
	Motion bool
	// Theme is auto, dark or light; Marks is unicode or ascii.
	Theme, Marks string
	// ThemeFile is the path of a theme of the person's own, which stands on Theme;
	// Colours are its colours by the names of ThemeColours: "#rrggbb" or a number of
	// the palette.
	ThemeFile string
	Colours   map[string]string
	// SideBySide and Stacked are the widths in columns at which list and console
	// stand side by side, and at which the console leaves room for the list.
	SideBySide, Stacked int
	// Keys replaces the keys of bindings: a name of the key table (docs/keys.md)
	// and its keys. Whether a name exists is for the window to say.
	Keys map[string][]string
	// Timeout ends tasks of our own that an agent started after so much time without
	// a turn of it (H1), TimeoutObserved those of other agents; 0 never.
	Timeout, TimeoutObserved time.Duration
	// SizeLimit is the guard over the output of tasks of our own (O6).
	SizeLimit SizeLimit
	// AfterStop is tell or silent: whether an agent is told that a stop was meant,
	// or no turn starts at all (spec 6 H2).
	AfterStop string
	// Notify is off, bell, osc or desktop: how a person is told of an end (N4), once
	// for each. Bell and osc, and every notice of an observed task, need a panel that
	// runs; with desktop the end of a task that a person started with offstage run is
	// told by its supervisor, without one. Plain mode tells by desktop alone.
	Notify string
	// NotifyOn is ends or failures: which ends a person is told of.
	NotifyOn string
	// PillKey is named by a pill that cannot ask for its key; PillQuiet false leaves
	// quiet tasks out of it.
	PillKey   string
	PillQuiet bool
	// Agents are the sources that a person switched off or on, by name; those that
	// are not named are on. Whether a name exists is for the command line to say.
	Agents map[string]bool
	// MaxText is how much of an output an agent is given at once over MCP, in
	// characters (O5).
	MaxText int
	// KeepAwake keeps the machine from sleeping while a task of our own runs (H2).
	KeepAwake bool
	// OnCreate and OnComplete are commands, as words, that are asked when an entry of
	// a task list is made or completed (spec 4 T9); nil asks nobody.
	OnCreate, OnComplete []string
	// Patterns are forms of the person's own secrets (redact.patterns). They add up
	// over the layers: a project's file hides more, never less.
	Patterns []redact.Pattern
	// origin is where each setting that is no default came from, by name.
	origin map[string]string
}

// Defaults are the values of spec 5.
func Defaults() Settings {
	return Settings{
		QuietAfter: 10 * time.Minute, FinishedFor: time.Hour, FinishedMax: 20,
		Mouse: true, CopyOnSelect: true, Motion: true, Theme: "auto", Marks: "unicode",
		SideBySide: 120, Stacked: 60,
		Timeout: 4 * time.Hour, SizeLimit: SizeLimit{5 << 30, "trim"}, AfterStop: "tell", Notify: "bell", NotifyOn: "ends", PillQuiet: true, MaxText: 32_000, origin: map[string]string{},
	}
}

// Layer is one place that settings come from.
type Layer struct {
	// Path of a TOML file; a file that does not exist is an empty layer.
	Path string
	// Optional is false for a file that a person named: then it must exist.
	Optional bool
	// Project: it lies in a project, whose author need not be the person; it can
	// start no program.
	Project bool
}

// Load reads the layers, later ones over earlier ones, then the environment.
// The sentences say what was wrong; the settings are usable whatever they say.
func Load(layers []Layer, getenv func(string) string) (Settings, []string) {
	s := Defaults()
	var wrong []string
	for _, l := range layers {
		wrong = append(wrong, readFile(&s, l)...)
	}
	for _, k := range keys {
		name := "OFFSTAGE_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
		if v := getenv(name); v != "" {
			if why := k.set(&s, v); why != "" {
				wrong = append(wrong, name+"="+v+": "+why+"; the default is used")
			} else {
				s.origin[k.name] = name
				if k.name == "theme" && s.ThemeFile != "" {
					wrong = append(wrong, s.readTheme("")...)
				}
			}
		}
	}
	if v := getenv(patternsEnv); v != "" {
		wrong = append(wrong, s.readPatterns(patternsEnv, v)...)
	}
	return s, wrong
}

// Layers are the files of a person and a project, in rising order.
func Layers(home, project string, getenv func(string) string) []Layer {
	dir := getenv("XDG_CONFIG_HOME")
	if dir == "" {
		dir = filepath.Join(home, ".config")
	}
	out := []Layer{{Path: filepath.Join(dir, "offstage", "config.toml"), Optional: true}}
	if project != "" {
		out = append(out, ProjectLayer(project))
	}
	return out
}

// ProjectLayer is the file of a folder of a project.
func ProjectLayer(dir string) Layer {
	return Layer{Path: filepath.Join(dir, ".offstage.toml"), Optional: true, Project: true}
}

// SetAgent and SetKey set what a variable says; origin is its name.
func (s *Settings) SetAgent(name string, on bool, origin string) {
	s.Agents = maps.Clone(s.Agents)
	if s.Agents == nil {
		s.Agents = map[string]bool{}
	}
	s.Agents[name], s.origin["agents."+name] = on, origin
}

// SetKey gives a key of the key table its keys.
func (s *Settings) SetKey(name string, keys []string, origin string) {
	s.Keys = maps.Clone(s.Keys)
	if s.Keys == nil {
		s.Keys = map[string][]string{}
	}
	s.Keys[name], s.origin["keys."+name] = keys, origin
}

// maxFile bounds a settings file; a larger one is not one.
const maxFile = 1 << 20

func readFile(s *Settings, l Layer) []string {
	st, err := os.Stat(l.Path)
	if err != nil {
		if l.Optional && os.IsNotExist(err) {
			return nil
		}
		return []string{l.Path + " cannot be read: " + cause(err)}
	}
	if !st.Mode().IsRegular() || st.Size() > maxFile {
		return []string{l.Path + " is no settings file: a TOML file of at most 1 MiB is wanted"}
	}
	b, err := os.ReadFile(l.Path)
	if err != nil {
		return []string{l.Path + " cannot be read: " + cause(err)}
	}
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		if d, ok := err.(*toml.DecodeError); ok {
			row, _ := d.Position()
			return []string{l.Path + ":" + strconv.Itoa(row) + ": no TOML: " + d.Error() + "; the file is left out"}
		}
		return []string{l.Path + ": no TOML: " + err.Error() + "; the file is left out"}
	}
	lines := keyLines(b)
	at := func(name string) string { return place(l.Path, lines[name]) }
	var wrong []string
	if table, ok := doc["keys"].(map[string]any); ok {
		wrong = append(wrong, s.readKeys(at, "", table)...)
		delete(doc, "keys")
	}
	wrong = append(wrong, s.readHooks(l, at, doc)...)
	if v, ok := takePatterns(doc); ok {
		wrong = append(wrong, s.readPatterns(at(patternsKey), v)...)
	}
	wrong = append(wrong, s.readAgents(at, doc)...)
	for name, v := range flat("", doc) {
		if name == "theme" && l.Project && !slices.Contains(themeBases, v) {
			wrong = append(wrong, at(name)+": a project cannot name a theme file: auto, dark or light is wanted; the default is used")
			continue
		}
		if why := set(s, name, v); why != "" {
			wrong = append(wrong, at(name)+": "+why+"; the default is used")
		} else {
			s.origin[name] = at(name)
			if name == "theme" && s.ThemeFile != "" {
				wrong = append(wrong, s.readTheme(filepath.Dir(l.Path))...)
			}
		}
	}
	return wrong
}

// place is a file with a line in it, where that is known.
func place(path string, line int) string {
	if line > 0 {
		path += ":" + strconv.Itoa(line)
	}
	return path
}

func cause(err error) string {
	if p, ok := err.(*os.PathError); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// readKeys takes the table of keys: "list.stop" = "ctrl+x", or several in a list.
func (s *Settings) readKeys(at func(string) string, prefix string, table map[string]any) []string {
	var wrong []string
	for name, v := range table {
		var keys []string
		switch v := v.(type) {
		case map[string]any:
			wrong = append(wrong, s.readKeys(at, prefix+name+".", v)...)
			continue
		case string:
			keys = []string{v}
		case []any:
			for _, k := range v {
				if text, ok := k.(string); ok {
					keys = append(keys, text)
				}
			}
		}
		if len(keys) == 0 || slices.Contains(keys, "") {
			wrong = append(wrong, at("keys."+prefix+name)+": keys."+prefix+name+": a key such as \"ctrl+x\", or a list of keys, is wanted; the usual one is used")
			continue
		}
		if s.Keys == nil {
			s.Keys = map[string][]string{}
		}
		s.Keys[prefix+name], s.origin["keys."+prefix+name] = keys, at("keys."+prefix+name)
	}
	return wrong
}

// flat turns nested tables into dotted names with their value as text.
func flat(prefix string, doc map[string]any) map[string]string {
	out := map[string]string{}
	for k, v := range doc {
		switch v := v.(type) {
		case map[string]any:
			for kk, vv := range flat(prefix+k+".", v) {
				out[kk] = vv
			}
		case string:
			out[prefix+k] = v
		case bool:
			out[prefix+k] = strconv.FormatBool(v)
		case int64:
			out[prefix+k] = strconv.FormatInt(v, 10)
		default:
			out[prefix+k] = "?"
		}
	}
	return out
}

// keyLines finds the line of every key, for the sentences.
func keyLines(b []byte) map[string]int {
	out := map[string]int{}
	p := unstable.Parser{}
	p.Reset(b)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		var parts []string
		line := 0
		for it := e.Key(); it.Next(); {
			n := it.Node()
			parts = append(parts, string(n.Data))
			if line == 0 && n.Raw.Length > 0 {
				line = p.Shape(n.Raw).Start.Line
			}
		}
		name := strings.Join(parts, ".")
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = name + "."
		case unstable.KeyValue:
			out[table+name] = line
		}
	}
	return out
}

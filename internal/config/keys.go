package config

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// key is one setting: its name, what it is for in a few words, and its value.
type key struct {
	name, about string
	value
}

// value is how a text becomes a setting, and a setting a text. set answers "" or
// what is allowed.
type value struct {
	set func(s *Settings, v string) string
	get func(s *Settings) string
}

// keys are the settings that this version knows, by the names of spec 5.
var keys = []key{
	{"quiet_after", "from when silence is pointed out", duration(func(s *Settings) *time.Duration { return &s.QuietAfter }, time.Minute, 120*time.Minute)},
	{"finished_for", "how long rows of ended tasks stay", duration(func(s *Settings) *time.Duration { return &s.FinishedFor }, time.Minute, 7*24*time.Hour)},
	{"finished_max", "how many of one session", number(func(s *Settings) *int { return &s.FinishedMax }, 1, 1000)},
	{"mouse", "the window takes the mouse", truth(func(s *Settings) *bool { return &s.Mouse })},
	{"copy_on_select", "a finished drag copies", truth(func(s *Settings) *bool { return &s.CopyOnSelect })},
	{"motion", "the spinner moves", truth(func(s *Settings) *bool { return &s.Motion })},
	{"theme", "colours", theme()},
	{"marks", "marks of states", oneOf(func(s *Settings) *string { return &s.Marks }, "unicode", "ascii")},
	{"timeout", "ends tasks that an agent started with offstage run after so long without a turn", timeout(func(s *Settings) *time.Duration { return &s.Timeout })},
	{"timeout.own", "", timeout(func(s *Settings) *time.Duration { return &s.Timeout })}, // where TOML wants a table for the next
	{"timeout.observed", "the same for tasks of other agents", timeout(func(s *Settings) *time.Duration { return &s.TimeoutObserved })},
	{"size_limit", "what happens to a huge output of a task of your own", value{sizeLimit, func(s *Settings) string { return s.SizeLimit.String() }}},
	{"after_stop", "whether an agent is told that a stop was meant, or no turn starts", oneOf(func(s *Settings) *string { return &s.AfterStop }, "tell", "silent")},
	{"notify", "how you are told of an end", oneOf(func(s *Settings) *string { return &s.Notify }, "off", "bell", "osc", "desktop")},
	{"notify_on", "of which", oneOf(func(s *Settings) *string { return &s.NotifyOn }, "ends", "failures")},
	{"mcp.max_text", "how many characters of an output an agent is given at once", number(func(s *Settings) *int { return &s.MaxText }, 1000, 160_000)},
	{"keep_awake", "the machine stays awake while a task of your own runs", truth(func(s *Settings) *bool { return &s.KeepAwake })},
	{"layout.side_by_side", "columns from which list and console stand side by side", number(func(s *Settings) *int { return &s.SideBySide }, 80, 400)},
	{"layout.stacked", "columns from which the console leaves room for the list", number(func(s *Settings) *int { return &s.Stacked }, 40, 400)},
	{"pill.key", "the key that a pill names where it cannot ask for it", text(func(s *Settings) *string { return &s.PillKey }, 20)},
	{"pill.quiet", "a pill counts quiet tasks", truth(func(s *Settings) *bool { return &s.PillQuiet })},
}

func set(s *Settings, name, v string) string {
	for _, k := range keys {
		if k.name == name {
			if why := k.set(s, v); why != "" {
				return name + " = " + v + ": " + why
			}
			return ""
		}
	}
	return "there is no setting " + name + " (offstage config show lists them)"
}

// Set gives one setting a value from a flag; the answer is "" or what is wrong.
func Set(s *Settings, name, v string) string { return set(s, name, v) }

// Duration reads "90s", "5m", "4h"; a bare number is seconds (spec 5).
func Duration(v string) (time.Duration, bool) {
	if n, err := strconv.Atoi(v); err == nil {
		return time.Duration(n) * time.Second, true
	}
	d, err := time.ParseDuration(v)
	return d, err == nil
}

func duration(at func(*Settings) *time.Duration, low, high time.Duration) value {
	return value{set: func(s *Settings, v string) string {
		d, ok := Duration(v)
		if !ok || d < low || d > high {
			return "a duration from " + short(low) + " to " + short(high) + " is wanted"
		}
		*at(s) = d
		return ""
	}, get: func(s *Settings) string { return short(*at(s)) }}
}

func short(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	t := d.String()
	if strings.HasSuffix(t, "m0s") {
		t = strings.TrimSuffix(t, "0s")
	}
	if strings.HasSuffix(t, "h0m") {
		t = strings.TrimSuffix(t, "0m")
	}
	return t
}

func number(at func(*Settings) *int, low, high int) value {
	return value{set: func(s *Settings, v string) string {
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return "a number from " + strconv.Itoa(low) + " to " + strconv.Itoa(high) + " is wanted"
		}
		*at(s) = n
		return ""
	}, get: func(s *Settings) string { return strconv.Itoa(*at(s)) }}
}

func truth(at func(*Settings) *bool) value {
	return value{set: func(s *Settings, v string) string {
		b, err := strconv.ParseBool(v)
		if err != nil {
			return "true or false is wanted"
		}
		*at(s) = b
		return ""
	}, get: func(s *Settings) string { return strconv.FormatBool(*at(s)) }}
}

func oneOf(at func(*Settings) *string, words ...string) value {
	return value{set: func(s *Settings, v string) string {
		for _, w := range words {
			if v == w {
				*at(s) = v
				return ""
			}
		}
		return "one of " + strings.Join(words, ", ") + " is wanted"
	}, get: func(s *Settings) string { return *at(s) }}
}

// text is a short text of printable characters.
func text(at func(*Settings) *string, most int) value {
	return value{set: func(s *Settings, v string) string {
		if utf8.RuneCountInString(v) > most || strings.ContainsFunc(v, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return "a text of at most " + strconv.Itoa(most) + " printable characters is wanted"
		}
		*at(s) = v
		return ""
	}, get: func(s *Settings) string { return *at(s) }}
}

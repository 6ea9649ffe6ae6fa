package config

import (
	"strconv"
	"strings"
	"time"
)

// key is one setting: its name, and how a text becomes its value. set answers
// "" or what is allowed.
type key struct {
	name string
	set  func(s *Settings, v string) string
}

// keys are the settings that this version knows, by the names of spec 5.
var keys = []key{
	{"quiet_after", duration(func(s *Settings) *time.Duration { return &s.QuietAfter }, time.Minute, 120*time.Minute)},
	{"finished_for", duration(func(s *Settings) *time.Duration { return &s.FinishedFor }, time.Minute, 7*24*time.Hour)},
	{"finished_max", number(func(s *Settings) *int { return &s.FinishedMax }, 1, 1000)},
	{"mouse", truth(func(s *Settings) *bool { return &s.Mouse })},
	{"copy_on_select", truth(func(s *Settings) *bool { return &s.CopyOnSelect })},
	{"motion", truth(func(s *Settings) *bool { return &s.Motion })},
	{"theme", oneOf(func(s *Settings) *string { return &s.Theme }, "auto", "dark", "light")},
	{"marks", oneOf(func(s *Settings) *string { return &s.Marks }, "unicode", "ascii")},
	{"timeout", timeout(func(s *Settings) *time.Duration { return &s.Timeout })},
	{"timeout.own", timeout(func(s *Settings) *time.Duration { return &s.Timeout })}, // where TOML wants a table for the next
	{"timeout.observed", timeout(func(s *Settings) *time.Duration { return &s.TimeoutObserved })},
	{"size_limit", sizeLimit},
	{"after_stop", oneOf(func(s *Settings) *string { return &s.AfterStop }, "tell", "silent")},
	{"notify", oneOf(func(s *Settings) *string { return &s.Notify }, "off", "bell", "osc", "desktop")},
	{"notify_on", oneOf(func(s *Settings) *string { return &s.NotifyOn }, "ends", "failures")},
	{"keep_awake", truth(func(s *Settings) *bool { return &s.KeepAwake })},
	{"layout.side_by_side", number(func(s *Settings) *int { return &s.SideBySide }, 80, 400)},
	{"layout.stacked", number(func(s *Settings) *int { return &s.Stacked }, 40, 400)},
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
	return "there is no setting " + name
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

func duration(at func(*Settings) *time.Duration, low, high time.Duration) func(*Settings, string) string {
	return func(s *Settings, v string) string {
		d, ok := Duration(v)
		if !ok || d < low || d > high {
			return "a duration from " + short(low) + " to " + short(high) + " is wanted"
		}
		*at(s) = d
		return ""
	}
}

func short(d time.Duration) string {
	t := d.String()
	t = strings.TrimSuffix(t, "0s")
	return strings.TrimSuffix(t, "0m")
}

func number(at func(*Settings) *int, low, high int) func(*Settings, string) string {
	return func(s *Settings, v string) string {
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return "a number from " + strconv.Itoa(low) + " to " + strconv.Itoa(high) + " is wanted"
		}
		*at(s) = n
		return ""
	}
}

func truth(at func(*Settings) *bool) func(*Settings, string) string {
	return func(s *Settings, v string) string {
		b, err := strconv.ParseBool(v)
		if err != nil {
			return "true or false is wanted"
		}
		*at(s) = b
		return ""
	}
}

func oneOf(at func(*Settings) *string, words ...string) func(*Settings, string) string {
	return func(s *Settings, v string) string {
		for _, w := range words {
			if v == w {
				*at(s) = v
				return ""
			}
		}
		return "one of " + strings.Join(words, ", ") + " is wanted"
	}
}

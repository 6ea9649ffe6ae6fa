package trace

import (
	"encoding/json"
	"errors"
	"math"
	"time"
)

// Decode reads one JSON value into a struct. A field of another type than
// expected (a newer version) stays empty and costs no more than itself; false
// where the text is no JSON at all.
func Decode(b []byte, into any) bool {
	err := json.Unmarshal(b, into)
	var wrongType *json.UnmarshalTypeError
	return err == nil || errors.As(err, &wrongType)
}

// Millis is a count of milliseconds since 1970 as a time; zero for none, and for
// one that no agent can have written.
func Millis(ms float64) time.Time { return Seconds(ms / 1000) }

// Seconds is the same of seconds, with fractions.
func Seconds(s float64) time.Time {
	if math.IsNaN(s) || s < 1 || s > 253402300799 { // year 9999
		return time.Time{}
	}
	whole, frac := math.Modf(s)
	return time.Unix(int64(whole), int64(frac*1e9)).UTC().Round(time.Millisecond)
}

// Stamp is an RFC 3339 time; zero for anything else.
func Stamp(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// Text is a JSON string, or the texts of a list of {"text":…} blocks joined by
// newlines; "" for anything else. Agents write one or the other.
func Text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if !Decode(raw, &blocks) {
		return ""
	}
	out := ""
	for _, b := range blocks {
		if b.Text == "" {
			continue
		}
		if out != "" {
			out += "\n"
		}
		out += b.Text
	}
	return out
}

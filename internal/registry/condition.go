package registry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"offstage/task"
)

// Condition is what a waiter waits for (spec 5, wait --for).
type Condition struct {
	// On is one of End, Fail, Port, Text, URL.
	On string
	// Port is that of On Port.
	Port int
	// Text is that of On Text: a piece of a row as the console shows it. Without a
	// capital letter in it, case does not count.
	Text string
}

// What a wait may be for, and Timeout, which is how one ends that met nothing in
// its time. They are words of the JSON contract.
const (
	End     = "end"
	Fail    = "fail"
	Port    = "port"
	Text    = "text"
	URL     = "url"
	Timeout = "timeout"
)

// ParseCondition reads "end", "fail", "port:N", "text:S" or "url" (it printed a
// local address). Its error is one
// sentence for whoever wrote it.
func ParseCondition(s string) (Condition, error) {
	name, rest, has := strings.Cut(s, ":")
	switch {
	case name == End && !has, name == Fail && !has, name == URL && !has:
		return Condition{On: name}, nil
	case name == Port && has:
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 || n > 65535 {
			return Condition{}, fmt.Errorf("port:%s is no port: give a number from 1 to 65535", rest)
		}
		return Condition{On: Port, Port: n}, nil
	case name == Text && rest != "":
		return Condition{On: Text, Text: rest}, nil
	case name == Text:
		return Condition{}, fmt.Errorf("text: says no text: give text:SOMETHING")
	}
	return Condition{}, fmt.Errorf("%q is nothing to wait for: give end, fail, port:N, text:S or url", s)
}

// String is the condition as ParseCondition reads it.
func (c Condition) String() string {
	switch c.On {
	case Port:
		return Port + ":" + strconv.Itoa(c.Port)
	case Text:
		return Text + ":" + c.Text
	}
	return c.On
}

// holds says whether the condition is true of a task; found is whether its text
// was seen.
func (c Condition) holds(t task.Task, found bool) bool {
	switch c.On {
	case End:
		return t.Status.Ended()
	case Fail:
		return t.Status.Bad()
	case Port:
		return !t.Status.Ended() && slices.Contains(t.Ports, c.Port)
	case Text:
		return found
	case URL:
		return len(t.URLs) > 0
	}
	return false
}

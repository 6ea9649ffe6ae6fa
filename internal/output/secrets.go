package output

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"

	"offstage/redact"
)

// Secrets is what is known of one task's secrets beyond the built-in rules: the
// values that a name or a flag told of, in its command, in its output, in what is
// said of it. They are hidden again in the same task where they stand alone (D5).
// All that masks for the task shares one Secrets; it goes with the task, and
// holds no value, only keyed hashes. The methods may be called at the same time,
// and on nil: then nothing is remembered.
//
// What was masked before a value was learned may still show it. Rev tells: what
// was made under an older one must be made again.
type Secrets struct {
	memory  redact.Memory
	learned atomic.Uint64

	mu            sync.Mutex
	seed          maphash.Seed
	asked         map[uint64]bool // hidden values that were asked about, hashed
	taught        map[uint64]bool // texts that were learned from, hashed
	with, without *redact.Redactor
	said          map[string]string // texts that were masked under saidRev
	saidRev       uint64
}

// Bounds of a Secrets: values that a memory knows at most, their length, how
// many hidden values and texts are told apart, how many masked texts are kept, and
// of which length.
const (
	mostLearned = 64
	minValue    = 8
	maxValue    = 256
	mostAsked   = 4096
	mostSaid    = 64
	maxSaid     = 16 << 10
)

// NewSecrets begins with what each command line tells: `mysql -p…`, `API_KEY=…`.
func NewSecrets(commands ...string) *Secrets {
	s := &Secrets{seed: maphash.MakeSeed()}
	for _, c := range commands {
		s.Learn(c)
	}
	return s
}

// Rev rises whenever rows and texts that were masked before must be masked again:
// a value was learned, or the person's patterns changed.
func (s *Secrets) Rev() uint64 {
	rev := patternRev.Load()
	if s != nil {
		rev += s.learned.Load()
	}
	return rev
}

// redactor is one for a stream of rows of the task.
func (s *Secrets) redactor() *redact.Redactor {
	o := redact.Options{Patterns: Patterns()}
	if s != nil {
		o.Memory = &s.memory
	}
	return redact.New(o)
}

// Learn remembers what a text tells, such as the task's command line.
func (s *Secrets) Learn(text string) {
	if s == nil || text == "" {
		return
	}
	h := maphash.String(s.seed, text)
	s.mu.Lock()
	known := s.taught[h]
	if s.taught == nil || len(s.taught) >= mostAsked {
		s.taught = map[uint64]bool{}
	}
	s.taught[h] = true
	s.mu.Unlock()
	if known {
		return
	}
	r := s.redactor()
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		s.note(line, r.Ranges(line))
	}
}

// Text masks a text that is said of the task. What it tells is learned too.
func (s *Secrets) Text(text string) string {
	s.Learn(text)
	return s.Recall(Mask(text))
}

// Recall hides in a text that was masked by the rules what was learned of the
// task: a value that stands alone there.
func (s *Secrets) Recall(text string) string {
	switch {
	case s == nil:
		return Mask(text)
	case text == "" || s.learned.Load() == 0 && len(Patterns()) == 0:
		return text
	}
	rev := s.Rev()
	s.mu.Lock()
	out, ok := s.said[text]
	ok = ok && s.saidRev == rev
	s.mu.Unlock()
	if ok {
		return out
	}
	out = maskAll(s.redactor(), text)
	if len(text) > maxSaid {
		return out
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said == nil || s.saidRev != rev || len(s.said) >= mostSaid {
		s.said, s.saidRev = map[string]string{}, rev
	}
	s.said[text] = out
	return out
}

// note takes up what was hidden in a row: where it is a value that the memory
// learned just now, Rev rises.
func (s *Secrets) note(row string, hidden []redact.Range) {
	if s == nil || len(hidden) == 0 || s.learned.Load() >= mostLearned {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range hidden {
		v := row[g.Start:g.End]
		if len(v) < minValue || len(v) > maxValue {
			continue
		}
		h := maphash.String(s.seed, v)
		if s.asked[h] {
			continue
		}
		if s.asked == nil || len(s.asked) >= mostAsked {
			s.asked = map[uint64]bool{}
		}
		if s.asked[h] = true; s.recalls(v) {
			s.learned.Add(1)
		}
	}
}

// recalls says that a value is hidden alone because it is remembered, and not by
// its form. Called with the lock held.
func (s *Secrets) recalls(v string) bool {
	if s.with == nil {
		s.with, s.without = redact.New(redact.Options{Memory: &s.memory}), redact.New(redact.Options{})
	}
	s.with.Restore(redact.State{})
	s.without.Restore(redact.State{})
	return s.with.Line(v) != s.without.Line(v)
}

// The person's own patterns hold for the whole program: every exit reads them
// here, so that none can be forgotten.
var (
	patternRev  atomic.Uint64
	ownPatterns atomic.Pointer[[]redact.Pattern]
)

// SetPatterns takes the setting redact.patterns up, at the start and whenever it
// changes; what was masked before is masked again.
func SetPatterns(ps []redact.Pattern) {
	ownPatterns.Store(&ps)
	patternRev.Add(1)
}

// Patterns are the person's own, nil for none.
func Patterns() []redact.Pattern {
	if ps := ownPatterns.Load(); ps != nil {
		return *ps
	}
	return nil
}

// Mask hides what is secret in a text that belongs to no task: an error, a path,
// a session's title.
func Mask(text string) string {
	ps := Patterns()
	if len(ps) == 0 {
		return redact.String(text)
	}
	return maskAll(redact.New(redact.Options{Patterns: ps}), text)
}

// maskAll masks a whole text of any number of lines.
func maskAll(r *redact.Redactor, text string) string {
	r.Restore(redact.State{}) // a text does not open inside a key
	out := append([]byte(nil), r.Write([]byte(text))...)
	if out = append(out, r.Flush()...); string(out) == text {
		return text
	}
	return string(out)
}

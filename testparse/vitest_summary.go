package testparse

import "strings"

// What vitest says at the end, and how its rows are read.

// summaryRow reads the block at the end, label by label, and the live one.
func (v *vitest) summaryRow(s *stream, l line) {
	label, value, ok := vitestLabel(l)
	if !ok {
		if strings.HasPrefix(l.body(), "ERROR: Coverage for ") && v.run != nil && v.Sure {
			v.run.Broken = true
		}
		return
	}
	final := strings.HasPrefix(value, " ")
	value = strings.TrimPrefix(value, " ")
	if l.seq-v.BlockEnd > 2 || label == "Snapshots" || label == "Test Files" && v.Block > 0 {
		v.Block, v.Files, v.Errors, v.Pending = 0, 0, 0, tally{}
	}
	v.BlockEnd = l.seq
	switch label {
	case "Test Files":
		if c, ok := vitestCounts(value); ok {
			v.Block, v.Files = 1, c.Failed
		}
	case "Tests":
		c, ok := vitestCounts(value)
		if !ok {
			if value == "no tests" {
				v.Block += 2
			}
			return
		}
		v.Pending = c
		v.Block += 2
		if !final && v.run != nil && !v.run.Settled && v.Block == 3 {
			v.By, v.run.tally = 'l', c
			v.run.Hides = false
		}
		if final && v.run == nil && v.Block == 3 && s.sc.cmd.cuts {
			v.settle(s, l) // `| grep Tests`
		}
	case "Errors":
		v.Errors, _, _ = number(value)
	case "Start at":
		if final && v.Block >= 2 {
			v.settle(s, l)
		}
	}
}

// settle takes the block's counts. Without a header before it (`| tail -40`) the
// block stands for itself.
func (v *vitest) settle(s *stream, l line) {
	if v.run == nil {
		v.open(s, "vitest", l.n)
	}
	if v.run.Settled {
		old := v.run
		v.open(s, "vitest", l.n)
		v.run.Where = old.Where
	}
	r := v.run
	r.Report = nil
	r.tally, r.Settled, r.Suites = v.Pending, true, v.Suites
	if v.Files > 0 && r.Failed == 0 && r.Suites == 0 {
		r.Suites = v.Files
	}
	r.Broken = r.Broken || v.Errors > 0
	v.Sure = true
	v.Block = 0
}

// vitestLabel splits a summary row; labels are right-aligned to ten columns.
func vitestLabel(l line) (label, value string, ok bool) {
	for _, label := range [...]string{"Test Files", "Tests", "Start at", "Snapshots", "Errors"} {
		if strings.HasPrefix(l.body(), label+" ") && l.in == 11-len(label) {
			return label, l.body()[len(label)+1:], true
		}
	}
	return "", "", false
}

// vitestCounts reads "4 failed | 64 passed | 2 skipped | 1 todo (71)".
func vitestCounts(s string) (c tally, ok bool) {
	i := lastOpen(s)
	if i < 0 || !strings.HasSuffix(s, ")") {
		return c, false
	}
	if _, rest, ok := number(s[i+2:]); !ok || rest != ")" {
		return c, false
	}
	return vitestParts(s[:i])
}

// vitestFile reads "path (15 tests | 2 failed | 2 skipped) 9ms" and "path (0 test)".
func vitestFile(s string) (c tally, path string, ok bool) {
	if strings.IndexByte(s, '(') < 0 {
		return c, "", false
	}
	i := lastOpen(s)
	for i > 0 && !digitAt(s, i+2) { // "(retry x1)" after it
		i = lastOpen(s[:i])
	}
	if i <= 0 {
		return c, "", false
	}
	inner, after, ok := strings.Cut(s[i+2:], ")")
	if !ok || after != "" && after[0] != ' ' {
		return c, "", false
	}
	head, parts, _ := strings.Cut(inner, " | ")
	n, word, ok := counted(head)
	if !ok || word != "test" && word != "tests" {
		return c, "", false
	}
	path = strings.TrimSpace(s[:i])
	if !isScriptPath(lastWord(path)) {
		return c, "", false
	}
	if parts != "" {
		if c, ok = vitestParts(parts); !ok {
			return c, "", false
		}
	}
	c.Passed = max(0, n-c.Failed-c.Skipped-c.Todo)
	return c, path, true
}

func vitestParts(s string) (c tally, ok bool) {
	for part := range strings.SplitSeq(s, " | ") {
		n, word, ok := counted(part)
		if !ok {
			return c, false
		}
		switch word {
		case "failed":
			c.Failed = n
		case "passed":
			c.Passed = n
		case "skipped":
			c.Skipped = n
		case "todo":
			c.Todo = n
		default:
			return c, false
		}
	}
	return c, true
}

// vitestName cuts duration and retries off a test's row.
func vitestName(s string) string {
	if i := strings.LastIndex(s, " (retry x"); i > 0 {
		s = s[:i]
	}
	s, _ = cutDuration(s)
	return s
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

package testparse

// The runners in the order in which they are asked. A runner with a header or an
// unmistakable form stands before those that need several rows to be sure.
const (
	idVitest = iota
	idPytest
	idJest
)

func newRunners() []runner {
	return []runner{
		idVitest: &vitest{},
		idPytest: &pytest{},
		idJest:   &jest{},
	}
}

// headerOf names the runner whose header a row is, -1 for none: such a row opens
// a new run even while another has not come to its summary.
func headerOf(l line) int {
	switch l.first() {
	case 'R', 'D':
		if isVitestHeader(l) {
			return idVitest
		}
	case '=':
		if l.in == 0 && ruled(l.text, '=') == "test session starts" {
			return idPytest
		}
	}
	return -1
}

package testparse

import "math/bits"

// The runners in the order in which they are asked: those with a header or an
// unmistakable form stand before those that need several rows to be sure.
const (
	idVitest = iota
	idPlaywright
	idPytest
	idJest
	idBun
	idDeno
	idGo
	idNextest
	idCargo
	idNode
	idTap
	idPHPUnit
	idSurefire
	idGradle
	idDotnet
	idCtest
	idExUnit
	idRSpec
	idMinitest
	idUnittest
	idProve
	idAva
	idMocha
)

// makers make each runner as it is before its first row.
var makers = [...]func() runner{
	idVitest:     fresh[vitest],
	idPlaywright: fresh[playwright],
	idPytest:     fresh[pytest],
	idJest:       fresh[jest],
	idBun:        fresh[bun],
	idDeno:       fresh[deno],
	idGo:         fresh[goTest],
	idNextest:    fresh[nextest],
	idCargo:      fresh[cargo],
	idNode:       fresh[nodeTest],
	idTap:        fresh[tap],
	idPHPUnit:    fresh[phpunit],
	idSurefire:   fresh[surefire],
	idGradle:     fresh[gradle],
	idDotnet:     fresh[dotnet],
	idCtest:      fresh[ctest],
	idExUnit:     fresh[exunit],
	idRSpec:      fresh[rspec],
	idMinitest:   fresh[minitest],
	idUnittest:   fresh[unittest],
	idProve:      fresh[prove],
	idAva:        fresh[ava],
	idMocha:      fresh[mocha],
}

func fresh[T any, P interface {
	*T
	runner
}]() runner {
	return P(new(T))
}

// interest says by the first byte of a row, after its indent, which runners may
// begin or end something with it, as a set of bits; a runner in the middle of a
// run is asked about every row.
var interest = func() (t [256]uint32) {
	const digits = "0123456789"
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	const rune3, times, minus, angle = "\xe2", "\xc3", "\xef", "\xc2" // of ✓ …, ×, ﹣, »
	for id, first := range [...]string{
		idVitest:     "RDFTSE" + rune3 + times,
		idPlaywright: "R:" + digits,
		idPytest:     "=_![" + pytestSigns + digits,
		idJest:       "PFTSRJDca" + rune3 + times,
		idBun:        "b",
		idDeno:       "rEFo",
		idGo:         "=-oF?pPSD{",
		idNextest:    "S",
		idCargo:      "rtF",
		idNode:       "F" + rune3 + minus,
		idTap:        "T1ont#",
		idPHPUnit:    "P",
		idSurefire:   "T[",
		idGradle:     letters + digits,
		idDotnet:     "SVTPFA",
		idCtest:      "T" + digits,
		idExUnit:     "REF" + digits,
		idRSpec:      letters + digits,
		idMinitest:   "#RF" + digits,
		idUnittest:   "=" + letters,
		idProve:      "#" + letters,
		idAva:        "-" + digits + rune3 + angle,
		idMocha:      "-" + digits + rune3,
	} {
		for i := range len(first) {
			t[first[i]] |= 1 << id
		}
	}
	return t
}()

// lowest takes the lowest runner out of a set.
func lowest(set uint32) (id int, rest uint32) {
	return bits.TrailingZeros32(set), set & (set - 1)
}

// mayHead is a quick look at what headerOf may know.
func mayHead(l line) bool {
	switch l.first() {
	case 'R', 'D':
		return true
	case '=':
		return l.text[len(l.text)-1] == '='
	}
	return false
}

// headerOf names the runner whose header a row is, -1 for none: such a row opens
// a new run even while another has not come to its summary.
func headerOf(l line) int {
	switch l.first() {
	case 'R', 'D':
		if isVitestHeader(l) {
			return idVitest
		}
		if _, ok := playwrightHeader(l); ok {
			return idPlaywright
		}
	case '=':
		if l.in == 0 && ruled(l.text, '=') == "test session starts" {
			return idPytest
		}
	}
	return -1
}

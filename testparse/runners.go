package testparse

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

func newRunners() []runner {
	return []runner{
		idVitest:     &vitest{},
		idPlaywright: &playwright{},
		idPytest:     &pytest{},
		idJest:       &jest{},
		idBun:        &bun{},
		idDeno:       &deno{},
		idGo:         &goTest{},
		idNextest:    &nextest{},
		idCargo:      &cargo{},
		idNode:       &nodeTest{},
		idTap:        &tap{},
		idPHPUnit:    &phpunit{},
		idSurefire:   &surefire{},
		idGradle:     &gradle{},
		idDotnet:     &dotnet{},
		idCtest:      &ctest{},
		idExUnit:     &exunit{},
		idRSpec:      &rspec{},
		idMinitest:   &minitest{},
		idUnittest:   &unittest{},
		idProve:      &prove{},
		idAva:        &ava{},
		idMocha:      &mocha{},
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

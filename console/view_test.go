package console

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

func stateNames() []string {
	var names []string
	for n := range states {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 45}} {
		for _, name := range stateNames() {
			t.Run(sizeName(size)+"/"+name, func(t *testing.T) {
				m := states[name](t, Options{Styles: testStyles()}, size[0], size[1])
				golden.RequireEqual(t, m.View())
			})
		}
	}
}

func sizeName(s [2]int) string { return count(int64(s[0])) + "x" + count(int64(s[1])) }

var _ = os.Getenv
var _ = filepath.Join
var _ = strings.Repeat

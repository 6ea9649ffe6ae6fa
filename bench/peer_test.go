//go:build linux

package bench

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestMain lets the test binary stand in for other programs: the peer that an
// idle program is compared with, and a writer that fills a log.
func TestMain(m *testing.M) {
	var err error
	switch os.Getenv("OFFSTAGE_BENCH_ROLE") {
	case "":
		os.Exit(m.Run())
	case "peer":
		_, err = tea.NewProgram(empty{}, tea.WithFPS(30)).Run()
	case "writer":
		err = write(os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// empty is the least that a full-screen Bubble Tea program can be.
type empty struct{}

func (empty) Init() tea.Cmd { return nil }

func (m empty) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }

func (empty) View() tea.View {
	v := tea.NewView("an empty program")
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	return v
}

// write appends whole lines to standard output at a rate until it is ended or
// has written enough: MB/s and MB, 0 for no end.
func write(args []string) error {
	rate, err := strconv.ParseFloat(args[0], 64)
	if err != nil {
		return err
	}
	most, err := strconv.ParseFloat(args[1], 64)
	if err != nil {
		return err
	}
	block := newBlock()
	start, sent := time.Now(), 0.0
	for n := 0; most == 0 || sent < most*1e6; n++ {
		block.number(n)
		if _, err := os.Stdout.Write(block.text); err != nil {
			return err
		}
		sent += blockSize
		time.Sleep(time.Until(start.Add(time.Duration(sent / rate * 1e3))))
	}
	return nil
}

//go:build unix

// Command shot draws the pictures of the README from the real program: it runs
// `offstage demo` in a pseudo-terminal, presses keys, and writes what stands on
// the screen as an SVG. It serves the documents only; no other room knows it.
//
//	go run ./docs/shot            writes docs/panel.svg and docs/console.svg
package main

import (
	"fmt"
	"html"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	uv "github.com/charmbracelet/ultraviolet"
)

// picture is one screen: its size, the keys that lead to it, and how long the
// program has to draw before each.
type picture struct {
	file       string
	cols, rows int
	keys       []string
	first      time.Duration
}

var pictures = []picture{
	{"docs/panel.svg", 96, 24, nil, 24 * time.Second},
	{"docs/console.svg", 140, 32, []string{"j", "\r"}, 26 * time.Second},
}

func main() {
	log.SetFlags(0)
	bin, cleanup := build()
	defer cleanup()
	for _, p := range pictures {
		if err := shoot(bin, p); err != nil {
			log.Fatalf("%s: %v", p.file, err)
		}
	}
}

func build() (string, func()) {
	dir, err := os.MkdirTemp("", "offstage-shot-")
	if err != nil {
		log.Fatal(err)
	}
	bin := filepath.Join(dir, "offstage")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		log.Fatalf("build: %v\n%s", err, out)
	}
	return bin, func() { _ = os.RemoveAll(dir) }
}

// shoot runs the demo on a screen of its own and writes what it shows.
func shoot(bin string, p picture) error {
	home, err := os.MkdirTemp("", "shop-api-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	c := exec.Command(bin, "demo")
	c.Dir = home
	c.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "HOME="+home, "TMPDIR="+home, "NO_COLOR=")
	f, err := pty.StartWithSize(c, &pty.Winsize{Rows: uint16(p.rows), Cols: uint16(p.cols)})
	if err != nil {
		return err
	}
	em := vt.NewSafeEmulator(p.cols, p.rows)
	go func() { _, _ = io.Copy(em, f) }()
	go func() { _, _ = io.Copy(f, em) }()
	time.Sleep(p.first)
	for _, k := range p.keys {
		if _, err := f.WriteString(k); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	svg := draw(em, p.cols, p.rows)
	if _, err := f.WriteString("\x03"); err != nil {
		return err
	}
	_ = c.Wait()
	_ = f.Close()
	return os.WriteFile(p.file, []byte(svg), 0o644)
}

// Sizes of a cell and colours of the picture.
const (
	cellW, cellH = 9, 19
	pad          = 14
	ground       = "#1b1d27"
	text         = "#ccd3e6"
)

var palette = [16]string{"#1b1d27", "#f38ba8", "#a6d99a", "#f2d38f", "#8ab4fa", "#cba6f7", "#8fdcd2", "#bac2de", "#6c7086", "#f38ba8", "#a6d99a", "#f2d38f", "#8ab4fa", "#cba6f7", "#8fdcd2", "#ffffff"}

func draw(em *vt.SafeEmulator, cols, rows int) string {
	var b strings.Builder
	w, h := cols*cellW+2*pad, rows*cellH+2*pad
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="15">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="10" fill="%s"/>`+"\n", ground)
	for y := range rows {
		for x := 0; x < cols; {
			x = run(&b, em, x, y, cols)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// run draws the cells from x on that look alike and gives the next one.
func run(b *strings.Builder, em *vt.SafeEmulator, x, y, cols int) int {
	first := em.CellAt(x, y)
	if first == nil {
		return x + 1
	}
	var s strings.Builder
	at := x
	for at < cols {
		c := em.CellAt(at, y)
		if c == nil || !c.Style.Equal(&first.Style) {
			break
		}
		if c.Content == "" {
			s.WriteByte(' ')
		} else {
			s.WriteString(c.Content)
		}
		at += max(c.Width, 1)
	}
	fg, bg := hex(first.Style.Fg, text), hex(first.Style.Bg, "")
	if first.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = orElse(bg, ground), fg
	}
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, pad+x*cellW, pad+y*cellH, (at-x)*cellW, cellH, bg)
	}
	if str := s.String(); strings.TrimSpace(str) != "" {
		extra := ""
		if first.Style.Attrs&uv.AttrBold != 0 {
			extra += ` font-weight="bold"`
		}
		if first.Style.Attrs&uv.AttrFaint != 0 {
			extra += ` opacity="0.55"`
		}
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s" textLength="%d" xml:space="preserve"%s>%s</text>`+"\n", pad+x*cellW, pad+y*cellH+14, fg, (at-x)*cellW, extra, html.EscapeString(str))
	}
	return at
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// hex is a colour of a cell for the picture; none is the terminal's own.
func hex(c any, none string) string {
	switch c := c.(type) {
	case nil:
		return none
	case ansi.BasicColor:
		return palette[c]
	case interface{ RGBA() (r, g, b, a uint32) }:
		r, g, bl, _ := c.RGBA()
		return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, bl>>8)
	}
	return none
}

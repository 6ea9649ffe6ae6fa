package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"offstage/internal/setup"
)

// stayingProgram finds the path that is written into configurations: that of a
// binary that stays (C3). One that go run made is gone when it ends, so it offers
// to put a copy into ~/.local/bin.
func (a *app) stayingProgram(e *setup.Env, ask *asking, only bool) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program itself: %w", err)
	}
	if !passing(self) {
		e.Program = known(self)
		return nil
	}
	target := filepath.Join(e.Home, ".local", "bin", "offstage"+filepath.Ext(self))
	e.Program = target
	if only {
		return nil
	}
	_, _ = fmt.Fprintf(a.errw, "This program was built for one run and will be gone: configurations need one that stays.\n")
	if err := ask.want("Install it as " + maskText(target)); err != nil {
		return err
	}
	if err := install(self, target); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(a.errw, "Installed as %s.\n", maskText(target))
	return nil
}

// passing says that a path is one of go run, or of the system's folder for what
// may be cleared away.
func passing(path string) bool {
	if strings.Contains(filepath.ToSlash(path), "/go-build") {
		return true
	}
	rel, err := filepath.Rel(os.TempDir(), path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// known is the name under which the program is found, where that is the same file:
// a package manager keeps that name over versions.
func known(self string) string {
	found, err := exec.LookPath("offstage")
	if err != nil || !filepath.IsAbs(found) {
		return self
	}
	x, err1 := os.Stat(self)
	y, err2 := os.Stat(found)
	if err1 == nil && err2 == nil && os.SameFile(x, y) && !passing(found) {
		return found
	}
	return self
}

// install copies the program, so that a crash leaves the old one or the new one.
func install(self, target string) error {
	fail := func(err error) error { return fmt.Errorf("install %s: %w", target, err) }
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fail(err)
	}
	in, err := os.Open(self)
	if err != nil {
		return fail(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.CreateTemp(filepath.Dir(target), ".offstage-*")
	if err != nil {
		return fail(err)
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Chmod(0o755)
	}
	if err == nil {
		err = out.Sync()
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(out.Name(), target)
	}
	if err != nil {
		_ = os.Remove(out.Name())
		return fail(err)
	}
	return nil
}

package desk

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Detach starts a program without a console, input and output. Nobody waits for it.
func Detach(argv []string) error {
	c := exec.Command(argv[0], argv[1:]...)
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}

// ReaderGone cannot be asked here without writing: the next write tells.
func ReaderGone(*os.File) bool { return false }

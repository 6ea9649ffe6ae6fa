//go:build unix

package proc

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// A program that listens, for a test in which it is another user's.
func init() {
	path := os.Getenv("PROC_TEST_LISTEN")
	if path == "" {
		return
	}
	if os.Geteuid() == 0 { // who listens is asked for at listen: only until then may it be root
		if err := syscall.Setuid(65534); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ready")
	for {
		if _, err := l.Accept(); err != nil {
			os.Exit(1)
		}
	}
}

func dialPeer(t *testing.T, path string) *net.UnixConn {
	t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// TestOwnPeer: who answers at a socket is asked of the system (issue 9.1).
func TestOwnPeer(t *testing.T) {
	dir, err := os.MkdirTemp("", "px") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "own"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if own, err := OwnPeer(dialPeer(t, filepath.Join(dir, "own"))); err != nil || !own {
		t.Errorf("our own: %v, %v", own, err)
	}
	if os.Geteuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("a program of another user can be started by root alone")
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Dir = dir // a path from here: the folders above may be closed to the other user
	cmd.Env = append(os.Environ(), "PROC_TEST_LISTEN=other")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if said, _ := bufio.NewReader(out).ReadString('\n'); said != "ready\n" {
		t.Fatalf("the other program says %q", said)
	}
	if own, err := OwnPeer(dialPeer(t, filepath.Join(dir, "other"))); err != nil || own {
		t.Errorf("another user's: %v, %v", own, err)
	}
}

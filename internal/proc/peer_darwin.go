package proc

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// OwnPeer says whether the program at the other end of a socket runs as the
// present user: only then is it the person's own (LOCAL_PEERCRED).
func OwnPeer(c *net.UnixConn) (bool, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return false, fmt.Errorf("look at the peer of a socket: %w", err)
	}
	var peer *unix.Xucred
	var perr error
	if err = raw.Control(func(fd uintptr) { peer, perr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED) }); err == nil {
		err = perr
	}
	if err != nil {
		return false, fmt.Errorf("ask for the peer of a socket: %w", err)
	}
	return int(peer.Uid) == os.Geteuid(), nil
}

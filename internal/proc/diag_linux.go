package proc

import (
	"encoding/binary"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Listening sockets by sock_diag(7). Reading net/tcp instead walks the whole
// table of connections of the kernel, some 5 ms on an idle machine; this asks
// for the listeners alone.
const (
	diagByFamily = 20 // SOCK_DIAG_BY_FAMILY
	tcpListen    = 10 // TCP_LISTEN of the kernel's tcp_states.h
	diagRequest  = 56 // struct inet_diag_req_v2
	diagMessage  = 72 // struct inet_diag_msg
	inodeAt      = 68 // its idiag_inode; idiag_sport stands at 4, big endian
)

// listeningByDiag maps socket inodes to ports, both families.
func listeningByDiag() (map[uint64]int, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_INET_DIAG)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	defer func() { _ = unix.Close(fd) }()
	limit := unix.NsecToTimeval(int64(time.Second))
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit); err != nil {
		return nil, os.NewSyscallError("setsockopt", err)
	}
	table := make(map[uint64]int)
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		if err := unix.Sendto(fd, diagAsk(family), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
			return nil, os.NewSyscallError("sendto", err)
		}
		if err := diagRead(fd, table); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// diagAsk is a dump request: all TCP sockets of family that listen.
func diagAsk(family byte) []byte {
	b := make([]byte, unix.NLMSG_HDRLEN+diagRequest)
	binary.NativeEndian.PutUint32(b[0:], uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], diagByFamily)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	b[unix.NLMSG_HDRLEN] = family
	b[unix.NLMSG_HDRLEN+1] = unix.IPPROTO_TCP
	binary.NativeEndian.PutUint32(b[unix.NLMSG_HDRLEN+4:], 1<<tcpListen)
	return b
}

var errDiag = errors.New("the kernel refused to list its sockets")

func diagRead(fd int, table map[uint64]int) error {
	buf := make([]byte, 64<<10)
	for {
		n, _, err := unix.Recvfrom(fd, buf, 0)
		if err != nil {
			return os.NewSyscallError("recvfrom", err)
		}
		done, err := diagParse(buf[:n], table)
		if done || err != nil {
			return err
		}
	}
}

// diagParse reads one datagram of netlink messages; done is the end of a dump.
func diagParse(b []byte, table map[uint64]int) (done bool, err error) {
	for len(b) >= unix.NLMSG_HDRLEN {
		size := int(binary.NativeEndian.Uint32(b))
		if size < unix.NLMSG_HDRLEN || size > len(b) {
			return false, errDiag
		}
		body := b[unix.NLMSG_HDRLEN:size]
		switch binary.NativeEndian.Uint16(b[4:]) {
		case unix.NLMSG_DONE:
			return true, nil
		case unix.NLMSG_ERROR:
			return false, errDiag
		case diagByFamily:
			if len(body) >= diagMessage {
				table[uint64(binary.NativeEndian.Uint32(body[inodeAt:]))] = int(binary.BigEndian.Uint16(body[4:]))
			}
		}
		b = b[min(len(b), (size+unix.NLMSG_ALIGNTO-1)&^(unix.NLMSG_ALIGNTO-1)):]
	}
	return false, nil
}

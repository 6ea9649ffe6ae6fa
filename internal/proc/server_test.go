//go:build unix

package proc

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
)

// serverMain listens, says where, and ends on TERM with the code it was given.
func serverMain() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer func() { _ = l.Close() }()
	fmt.Println("port", l.Addr().(*net.TCPAddr).Port)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}

package proc

import "encoding/binary"

// Rows of GetExtendedTcpTable (Windows, iphlpapi; tcpmib.h), read without it:
// MIB_TCPROW_OWNER_PID and MIB_TCP6ROW_OWNER_PID behind a count of 32 bits. A
// port stands in network order in the first two bytes of its field.
var (
	tcpRow4 = tcpRow{size: 24, port: 8, pid: 20}
	tcpRow6 = tcpRow{size: 56, port: 20, pid: 52}
)

type tcpRow struct{ size, port, pid int }

func (r tcpRow) parse(b []byte) []Listener {
	if len(b) < 4 {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(b))
	var out []Listener
	for b = b[4:]; n > 0 && len(b) >= r.size; n-- {
		out = append(out, Listener{
			PID:  int(binary.LittleEndian.Uint32(b[r.pid:])),
			Port: int(binary.BigEndian.Uint16(b[r.port:])),
		})
		b = b[r.size:]
	}
	return out
}

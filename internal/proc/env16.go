package proc

// pickEnv16 is pickEnv for the UTF-16 block of a Windows process, in which
// names are compared without case.
func pickEnv16(block []uint16, names []string, same func(a, b string) bool, decode func([]uint16) string) map[string]string {
	defer clear(block)
	got := make(map[string]string, len(names))
	for len(block) > 0 && block[0] != 0 {
		end := 0
		for end < len(block) && block[end] != 0 {
			end++
		}
		entry := decode(block[:end])
		for _, n := range names {
			if len(entry) > len(n) && entry[len(n)] == '=' && same(entry[:len(n)], n) {
				got[n] = entry[len(n)+1:]
			}
		}
		block = block[min(end+1, len(block)):]
	}
	return got
}

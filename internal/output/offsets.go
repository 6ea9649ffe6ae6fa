package output

import "sort"

// keptLines bounds how many lines of recoded text are remembered: rows that are
// still to come are of the last few.
const keptLines = 1 << 16

// offsets maps places in recoded text to places in the file, line by line.
type offsets struct {
	virt, file []int64
	// end of the recoded text, and the same place in the file.
	end, fileEnd int64
}

// add notes a line of n recoded bytes that stands in the file from at to end,
// and gives its place in the recoded text.
func (o *offsets) add(at, end, n int64) int64 {
	v := o.end
	o.virt, o.file = append(o.virt, v), append(o.file, at)
	o.end, o.fileEnd = v+n, end
	if len(o.virt) > keptLines {
		o.virt = append(o.virt[:0], o.virt[keptLines/2:]...)
		o.file = append(o.file[:0], o.file[keptLines/2:]...)
	}
	return v
}

// real is the file offset of a place: exact at the borders of lines, where rows
// start and end.
func (o *offsets) real(v int64) int64 {
	if v >= o.end {
		return o.fileEnd
	}
	i := sort.Search(len(o.virt), func(i int) bool { return o.virt[i] > v }) - 1
	if i < 0 {
		return 0
	}
	return min(o.file[i]+2*(v-o.virt[i]), o.fileEnd)
}

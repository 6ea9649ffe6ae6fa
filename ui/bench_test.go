package ui

import (
	"testing"
	"time"
)

// BenchmarkSecond is one tick of the clock and the frame after it, list open.
func BenchmarkSecond(b *testing.B) {
	d := driveBench(b, 160, 45)
	for b.Loop() {
		d.later(time.Second)
		_ = d.m.View()
	}
}

// BenchmarkKey is a key in the list and the frame after it.
func BenchmarkKey(b *testing.B) {
	d := driveBench(b, 160, 45)
	for b.Loop() {
		d.press("down")
		_ = d.m.View()
		d.press("up")
		_ = d.m.View()
	}
}

// BenchmarkFollow is one piece of growth and the frame after it, console open
// beside the list.
func BenchmarkFollow(b *testing.B) {
	d := driveBench(b, 160, 45)
	d.press("enter")
	d.openOutput()
	for b.Loop() {
		d.grow("one more line of the output")
		_ = d.m.View()
	}
}

func driveBench(b *testing.B, w, h int) *driver {
	b.Helper()
	d := drive(b, w, h, sample())
	_ = d.m.View()
	return d
}

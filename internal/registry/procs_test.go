package registry

import (
	"testing"
	"time"

	"offstage/internal/world"
)

// TestStaleIsOwed: news that comes soon after a look is not lost: the next look is
// owed when the last one is old enough (G2).
func TestStaleIsOwed(t *testing.T) {
	w, err := world.New(world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := NewProcs(w)
	look := func() time.Time {
		t.Helper()
		if _, err := p.Table(); err != nil {
			t.Skip("the processes of this machine cannot be seen: ", err)
		}
		return p.Taken()
	}
	first := look()
	const young = time.Second
	owed := p.Stale(young)
	if owed <= 0 || owed > young {
		t.Fatalf("owed in %v", owed)
	}
	if again := p.Stale(time.Hour); again <= owed {
		t.Fatalf("a later debt is owed in %v", again)
	}
	if now := look(); time.Since(first) < young && !now.Equal(first) {
		t.Error("looked again at once")
	}
	time.Sleep(time.Until(first.Add(young)))
	second := look()
	if !second.After(first) {
		t.Error("the look that was owed did not come")
	}
	if !look().Equal(second) {
		t.Error("it came twice")
	}
	if p.Stale(0) != 0 || !look().After(second) {
		t.Error("a stale table is not looked up again")
	}
}

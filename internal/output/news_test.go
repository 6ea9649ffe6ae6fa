package output

import (
	"context"
	"testing"
	"time"
)

// The first news after a quiet time is passed on at once to every reader: that
// one was told does not hold up another. What comes next comes a frame later.
func TestNewsToEveryReader(t *testing.T) {
	n := newNews()
	closed := make(chan struct{})
	const readers = 8
	told := make(chan time.Time, readers)
	for range readers {
		go func() {
			_ = n.wait(context.Background(), closed, 1)
			told <- time.Now()
		}()
	}
	time.Sleep(2 * frame)
	began := time.Now()
	n.publish(func() {})
	late := 0
	for range readers {
		if (<-told).Sub(began) >= frame {
			late++
		}
	}
	if late > 1 { // one may be unlucky on a busy machine
		t.Errorf("%d of %d readers waited for a frame", late, readers)
	}
	n.publish(func() {})
	began = time.Now()
	if err := n.wait(context.Background(), closed, 2); err != nil || time.Since(began) < frame/2 {
		t.Errorf("the next news came after %v, %v", time.Since(began), err)
	}
}

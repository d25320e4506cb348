package store

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
)

// Who asks while an answer is being found shares the next one, which is found after
// he asked.
func TestLatest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var l latest[string, int]
		found, goOn := 0, make(chan struct{})
		find := func(context.Context) (int, error) {
			found++
			n := found
			<-goOn
			return n, nil
		}
		var all sync.WaitGroup
		ask := func(want int) {
			all.Go(func() {
				if n, err := l.get(t.Context(), "a", find); n != want || err != nil {
					t.Errorf("%d, %v; want answer %d", n, err, want)
				}
			})
		}
		ask(1)
		synctest.Wait()
		for range 10 {
			ask(2)
		}
		gone, leave := context.WithCancel(t.Context())
		all.Go(func() {
			if _, err := l.get(gone, "a", find); !errors.Is(err, context.Canceled) {
				t.Errorf("who has left: %v", err)
			}
		})
		synctest.Wait()
		leave()
		if n, err := l.get(t.Context(), "b", func(context.Context) (int, error) { return 0, errNotThere }); n != 0 || !errors.Is(err, errNotThere) {
			t.Errorf("another key: %d, %v", n, err)
		}
		goOn <- struct{}{}
		synctest.Wait() // the second is being found
		ask(3)
		synctest.Wait()
		goOn <- struct{}{}
		goOn <- struct{}{}
		all.Wait()
		synctest.Wait()
		if found != 3 || len(l.found) != 0 {
			t.Errorf("%d answers were found, %d keys are kept", found, len(l.found))
		}
	})
}

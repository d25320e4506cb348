package render
import ("fmt";"os";"sync";"time")
var dbgT0 time.Time
var dbgMu sync.Mutex
func dbgf(f string, a ...any) { dbgMu.Lock(); defer dbgMu.Unlock(); fmt.Fprintf(os.Stderr, "%v "+f+"\n", append([]any{time.Since(dbgT0).Round(time.Millisecond)}, a...)...) }

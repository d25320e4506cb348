package scripting

import (
	"time"
)

// request is a call as it travels to a child: its head, then the values of the
// arguments and of all rows, encoded one after the other.
type request struct {
	source  string
	timeout time.Duration
	now     time.Time
	zone    string
	locale  string
	library string
	finish  string
	args    []string // names of values sent once
	names   []string // names of values sent a row
	rows    int
	values  []byte
}

// encodeRequest writes a call, and keeps apart the values that are sent only
// when they are wanted.
func encodeRequest(call *Call, timeout time.Duration) (payload []byte, wanted []any, err error) {
	e := newEncoder()
	e.text(call.Source)
	e.int(int64(timeout))
	e.int(nowOf(call).UnixMilli())
	e.text(zoneOf(call))
	e.text(call.Locale)
	library := call.Library
	if library == nil {
		library = &Library{}
	}
	e.text(library.Source)
	e.text(library.Finish)
	e.uint(len(call.Args))
	for _, a := range call.Args {
		e.text(a.Name)
	}
	e.uint(len(call.Names))
	for _, n := range call.Names {
		e.text(n)
	}
	e.uint(len(call.Rows))
	for _, a := range call.Args {
		e.lazy(a.Value)
	}
	for _, row := range call.Rows {
		for i := range call.Names {
			e.value(row[i], 0)
		}
	}
	return e.buf, e.wanted, e.err
}

func nowOf(call *Call) time.Time {
	if call.Now.IsZero() {
		return time.Now()
	}
	return call.Now
}

func zoneOf(call *Call) string {
	if call.Zone == nil {
		return "UTC"
	}
	return call.Zone.String()
}

func decodeRequest(payload []byte) (*request, error) {
	r := reader{buf: payload}
	req := &request{source: r.text(), timeout: time.Duration(r.int()), now: time.UnixMilli(r.int()), zone: r.text(), locale: r.text(), library: r.text(), finish: r.text()}
	req.args = r.names()
	req.names = r.names()
	req.rows = r.uint()
	req.values = r.buf
	return req, r.err
}

// response is a result as it travels back.
type response struct {
	fault   *fault // of the whole call
	failed  int
	faults  []rowFault
	logs    []string
	values  []byte
	retired bool // the child is not to be used again
}

type rowFault struct {
	row int
	*fault
}

// add notes that a row failed; a fault that is not the script's own ends the
// call.
func (r *response) add(row int, f *fault) {
	if f.kind != faultScript {
		r.fault = f
		return
	}
	r.failed++
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, rowFault{row, f})
	}
}

func (r *response) fatal() bool { return r.fault != nil }

func (r *response) encode() []byte {
	w := writer{buf: make([]byte, 0, len(r.values)+256)}
	w.byte(b2b(r.retired))
	if r.fault != nil {
		w.byte(byte(r.fault.kind))
		w.text(r.fault.message)
	} else {
		w.byte(byte(faultNone))
		w.text("")
	}
	w.uint(r.failed)
	w.uint(len(r.faults))
	for _, f := range r.faults {
		w.uint(f.row)
		w.text(f.message)
	}
	w.uint(len(r.logs))
	for _, l := range r.logs {
		w.text(l)
	}
	return append(w.buf, r.values...)
}

func decodeResponse(payload []byte) (*response, error) {
	r := reader{buf: payload}
	res := &response{retired: r.byte() == 1}
	if kind := faultKind(r.byte()); kind != faultNone {
		res.fault = &fault{kind, r.text()}
	} else {
		r.text()
	}
	res.failed = r.uint()
	for range r.length() {
		res.faults = append(res.faults, rowFault{r.uint(), &fault{faultScript, r.text()}})
	}
	for range r.length() {
		res.logs = append(res.logs, r.text())
	}
	res.values = r.buf
	return res, r.err
}

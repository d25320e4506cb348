package scripting

import (
	"time"

	"github.com/dop251/goja"
)

// reviver turns an encoded payload into JavaScript values, inside a child.
type reviver struct {
	reader
	vm     *goja.Runtime
	shapes [][]string
	fetch  func(n int) goja.Value // a value that was held back
}

func (r *reviver) value() goja.Value {
	switch tag := r.byte(); tag {
	case tagUndefined:
		return goja.Undefined()
	case tagFalse, tagTrue:
		return r.vm.ToValue(tag == tagTrue)
	case tagInt:
		return r.vm.ToValue(r.int())
	case tagFloat:
		return r.vm.ToValue(r.float())
	case tagString:
		return r.vm.ToValue(r.text())
	case tagTime:
		return newDate(r.vm, time.UnixMilli(r.int()))
	case tagArray:
		return r.array()
	case tagShape:
		r.shapes = append(r.shapes, r.names())
		return r.object(len(r.shapes) - 1)
	case tagObject:
		return r.object(r.uint())
	}
	return goja.Null()
}

func (r *reviver) array() goja.Value {
	items := make([]any, r.length())
	for i := range items {
		items[i] = r.value()
	}
	return r.vm.NewArray(items...)
}

func (r *reviver) object(shape int) goja.Value {
	if r.err != nil || shape >= len(r.shapes) {
		r.fail()
		return goja.Null()
	}
	o := r.vm.NewObject()
	for _, name := range r.shapes[shape] {
		if len(r.buf) > 0 && r.buf[0] == tagWanted {
			r.byte()
			r.wanted(o, name, r.uint())
			continue
		}
		setOwn(o, name, r.value())
	}
	return o
}

// setOwn makes an own property, also of a name that assigning would treat
// otherwise.
func setOwn(o *goja.Object, name string, v goja.Value) {
	if name == "__proto__" {
		_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		return
	}
	_ = o.Set(name, v)
}

// wanted makes a property that fetches its value when it is first read and is
// an ordinary one from then on.
func (r *reviver) wanted(o *goja.Object, name string, n int) {
	settle := func(v goja.Value) {
		_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	get := func(goja.FunctionCall) goja.Value {
		v := r.fetch(n)
		settle(v)
		return v
	}
	set := func(call goja.FunctionCall) goja.Value {
		settle(call.Argument(0))
		return goja.Undefined()
	}
	_ = o.DefineAccessorProperty(name, r.vm.ToValue(get), r.vm.ToValue(set), goja.FLAG_TRUE, goja.FLAG_TRUE)
}

func newDate(vm *goja.Runtime, t time.Time) goja.Value {
	d, err := vm.New(vm.Get("Date"), vm.ToValue(t.UnixMilli()))
	if err != nil {
		return goja.Null()
	}
	return d
}

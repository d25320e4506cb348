package scripting

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// harvester encodes what a script returned, inside a child. Reading an object
// may run the script's code (getters, toJSON, proxies), so it can throw, and a
// proxy can pretend to be endless: the stop function ends it.
type harvester struct {
	writer
	vm     *goja.Runtime
	stop   func() bool
	shapes map[string]int
	path   []string
	seen   []*goja.Object
}

func newHarvester(vm *goja.Runtime, stop func() bool) *harvester {
	return &harvester{vm: vm, stop: stop, shapes: map[string]int{}}
}

var errStopped = errors.New("stopped")

// result encodes one returned value; undefined is kept apart from null.
func (h *harvester) result(v goja.Value) error {
	mark := len(h.buf)
	known := len(h.shapes)
	var err error
	if thrown := try(h.vm, func() { err = h.value(v) }); thrown != nil {
		err = thrown
	}
	if err == nil {
		return nil
	}
	h.buf = h.buf[:mark]
	h.path, h.seen = h.path[:0], h.seen[:0]
	for names, id := range h.shapes {
		if id >= known {
			delete(h.shapes, names)
		}
	}
	return err
}

func (h *harvester) value(v goja.Value) error {
	if v == nil || goja.IsUndefined(v) {
		h.byte(tagUndefined)
		return nil
	}
	if goja.IsNull(v) {
		h.byte(tagNull)
		return nil
	}
	if o, ok := v.(*goja.Object); ok {
		return h.object(o)
	}
	if _, ok := v.(*goja.Symbol); ok {
		h.byte(tagUndefined)
		return nil
	}
	switch x := v.Export().(type) {
	case bool:
		h.byte(tagFalse + b2b(x))
	case int64:
		h.tagInt(x)
	case float64:
		h.number(x)
	case string:
		h.tagText(x)
	case *big.Int:
		h.byte(tagDigits)
		h.text(x.String())
	default:
		return fmt.Errorf("the result holds a %T%s", x, h.place())
	}
	return nil
}

func b2b(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (h *harvester) number(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		h.byte(tagNull)
		return
	}
	if f == 0 {
		h.tagInt(0) // no report wants to print -0
		return
	}
	h.byte(tagFloat)
	h.float(f)
}

func (h *harvester) object(o *goja.Object) error {
	switch {
	case h.stop():
		return errStopped
	case len(h.buf) > maxResult:
		return fmt.Errorf("the result is larger than %d MB", maxResult>>20)
	case len(h.seen) > maxDepth:
		return fmt.Errorf("the result is nested more than %d levels deep%s", maxDepth, h.place())
	}
	for _, s := range h.seen {
		if s == o {
			return fmt.Errorf("the result contains itself%s, so it has no end", h.place())
		}
	}
	h.seen = append(h.seen, o)
	err := h.byClass(o)
	h.seen = h.seen[:len(h.seen)-1]
	return err
}

// place says where in the result the harvester is: ` at ".orders[3].parent"`.
func (h *harvester) place() string {
	if len(h.path) == 0 {
		return ""
	}
	path := h.path[:min(len(h.path), 8)]
	return fmt.Sprintf(" at %q", strings.Join(path, ""))
}

func (h *harvester) byClass(o *goja.Object) error {
	if _, ok := goja.AssertFunction(o); ok {
		h.byte(tagUndefined)
		return nil
	}
	if o.ClassName() == "Array" { // proxies of arrays too
		return h.array(o, lengthOf(o))
	}
	switch exported := o.ExportType(); exported {
	case reflect.TypeFor[time.Time]():
		h.date(o)
		return nil
	case reflect.TypeFor[*goja.Promise]():
		return errors.New("the result holds a promise; await it first")
	case reflect.TypeFor[[][2]any]():
		return h.jsMap(o)
	case reflect.TypeFor[[]any](): // no array, so a Set
		return h.list(h.spread(o))
	default:
		if isTyped := exported != nil && exported.Kind() == reflect.Slice; isTyped {
			return h.array(o, lengthOf(o))
		}
	}
	switch o.ClassName() {
	case "String":
		h.tagText(o.String())
		return nil
	case "Number", "Boolean":
		return h.value(h.vm.ToValue(o.Export()))
	}
	return h.plain(o)
}

func (h *harvester) date(o *goja.Object) {
	t, ok := o.Export().(time.Time)
	if !ok { // an invalid date
		h.byte(tagNull)
		return
	}
	h.byte(tagTime)
	h.int(t.UnixMilli())
}

func lengthOf(o *goja.Object) int64 { return o.Get("length").ToInteger() }

func (h *harvester) array(o *goja.Object, n int64) error {
	if n > maxResult {
		return fmt.Errorf("the result has a list of %d items%s", n, h.place())
	}
	h.byte(tagArray)
	h.uint(int(n))
	for i := range int(n) {
		index := strconv.Itoa(i)
		if err := h.item("["+index+"]", o.Get(index)); err != nil {
			return err
		}
		if i&1023 == 0 && h.stop() {
			return errStopped
		}
	}
	return nil
}

func (h *harvester) item(step string, v goja.Value) error {
	h.path = append(h.path, step)
	err := h.value(v)
	h.path = h.path[:len(h.path)-1]
	return err
}

func (h *harvester) list(items []goja.Value) error {
	h.byte(tagArray)
	h.uint(len(items))
	for i, v := range items {
		if err := h.item("["+strconv.Itoa(i)+"]", v); err != nil {
			return err
		}
	}
	return nil
}

// spread is the items of an iterable.
func (h *harvester) spread(o *goja.Object) []goja.Value {
	var items []goja.Value
	h.vm.ForOf(o, func(v goja.Value) bool {
		items = append(items, v)
		return len(items) < maxResult && !h.stop()
	})
	return items
}

func (h *harvester) jsMap(o *goja.Object) error {
	var names []string
	var values []goja.Value
	at := map[string]int{}
	for _, pair := range h.spread(o) {
		entry := pair.ToObject(h.vm)
		name := entry.Get("0").String()
		if i, twice := at[name]; twice { // 1 and "1" are two keys of a Map
			values[i] = entry.Get("1")
			continue
		}
		at[name] = len(names)
		names = append(names, name)
		values = append(values, entry.Get("1"))
	}
	return h.members(names, values)
}

func (h *harvester) plain(o *goja.Object) error {
	if toJSON, ok := goja.AssertFunction(o.Get("toJSON")); ok {
		v, err := toJSON(o)
		if err != nil {
			return err
		}
		return h.value(v)
	}
	keys := o.Keys()
	names := make([]string, 0, len(keys))
	values := make([]goja.Value, 0, len(keys))
	for _, k := range keys {
		v := o.Get(k)
		if leftOut(v) {
			continue
		}
		names = append(names, k)
		values = append(values, v)
	}
	return h.members(names, values)
}

// leftOut is whether JSON would leave a member out.
func leftOut(v goja.Value) bool {
	if v == nil || goja.IsUndefined(v) {
		return true
	}
	if _, isSymbol := v.(*goja.Symbol); isSymbol {
		return true
	}
	_, isFunction := goja.AssertFunction(v)
	return isFunction
}

func (h *harvester) members(names []string, values []goja.Value) error {
	h.shape(names)
	for i, v := range values {
		if err := h.item("."+names[i], v); err != nil {
			return err
		}
	}
	return nil
}

// shape writes which names the object that follows has.
func (h *harvester) shape(names []string) {
	var spelt writer
	spelt.uint(len(names))
	for _, n := range names {
		spelt.text(n)
	}
	if id, ok := h.shapes[string(spelt.buf)]; ok {
		h.byte(tagObject)
		h.uint(id)
		return
	}
	h.shapes[string(spelt.buf)] = len(h.shapes)
	h.byte(tagShape)
	h.buf = append(h.buf, spelt.buf...)
}

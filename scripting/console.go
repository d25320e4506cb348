package scripting

import (
	"strings"

	"github.com/dop251/goja"
)

// console captures what a script writes, bounded.
type console struct{ lines []string }

func (c *console) install(vm *goja.Runtime) {
	o := vm.NewObject()
	stringify, _ := goja.AssertFunction(vm.Get("JSON").ToObject(vm).Get("stringify"))
	write := func(call goja.FunctionCall) goja.Value {
		if len(c.lines) < maxLogs {
			c.lines = append(c.lines, clip(line(call.Arguments, stringify), maxLine))
		}
		return goja.Undefined()
	}
	for _, name := range []string{"log", "info", "warn", "error", "debug"} {
		_ = o.Set(name, write)
	}
	_ = vm.Set("console", o)
}

// line writes arguments as a console does: text as it is, objects as JSON.
func line(args []goja.Value, stringify goja.Callable) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = show(a, stringify)
	}
	return strings.Join(parts, " ")
}

func show(v goja.Value, stringify goja.Callable) string {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() == "Error" || o.ClassName() == "Function" {
		return v.String()
	}
	text, err := stringify(goja.Undefined(), o)
	if err != nil || goja.IsUndefined(text) {
		return o.ClassName()
	}
	return text.String()
}

// clip shortens a text to a number of bytes, at a whole character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

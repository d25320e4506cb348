package scripting

import (
	"encoding/base64"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// cloning is structuredClone, as browsers and Node have it: it also copies what
// goes round in a circle, and refuses what has no copy. It runs under the limits
// of the script.
var cloning = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("structuredClone", `(function () {
	function copy(v, seen) {
		if (typeof v === "function" || typeof v === "symbol") throw new TypeError(String(v) + " cannot be cloned");
		if (v === null || typeof v !== "object") return v;
		if (seen.has(v)) return seen.get(v);
		const as = (c) => (seen.set(v, c), c);
		if (v instanceof Date) return as(new Date(v.getTime()));
		if (v instanceof RegExp) return as(new RegExp(v.source, v.flags));
		if (v instanceof Number || v instanceof String || v instanceof Boolean) return as(Object(v.valueOf()));
		if (v instanceof ArrayBuffer) return as(v.slice(0));
		if (ArrayBuffer.isView(v)) return as(v instanceof DataView ? new DataView(copy(v.buffer, seen), v.byteOffset, v.byteLength) : new v.constructor(copy(v.buffer, seen), v.byteOffset, v.length));
		if (v instanceof Promise || v instanceof WeakMap || v instanceof WeakSet) throw new TypeError(Object.prototype.toString.call(v) + " cannot be cloned");
		if (v instanceof Map) {
			const c = as(new Map());
			for (const [key, value] of [...v]) c.set(copy(key, seen), copy(value, seen));
			return c;
		}
		if (v instanceof Set) {
			const c = as(new Set());
			for (const value of [...v]) c.add(copy(value, seen));
			return c;
		}
		if (v instanceof Error) {
			const c = as(new (globalThis[v.name] || Error)(v.message));
			if ("cause" in v) c.cause = copy(v.cause, seen);
			return c;
		}
		const c = as(Array.isArray(v) ? new Array(v.length) : {});
		for (const key of Object.keys(v)) c[key] = copy(v[key], seen);
		return c;
	}
	return (v) => copy(v, new Map());
})()`, true)
})

// installGlobals adds what every JavaScript of today has besides the language
// itself and needs nothing from outside. What copies is made at its first use.
func installGlobals(vm *goja.Runtime) {
	var clone goja.Callable
	global := map[string]func(goja.FunctionCall) goja.Value{
		"structuredClone": func(call goja.FunctionCall) goja.Value {
			if clone == nil {
				made, err := vm.RunProgram(cloning())
				if err != nil {
					panic(err)
				}
				clone, _ = goja.AssertFunction(made)
			}
			v, err := clone(goja.Undefined(), call.Argument(0))
			if err != nil {
				panic(err)
			}
			return v
		},
		"btoa": func(call goja.FunctionCall) goja.Value {
			var b []byte
			for _, r := range call.Argument(0).String() {
				if r > 0xff {
					panic(vm.NewTypeError("btoa: the text has characters outside Latin-1"))
				}
				b = append(b, byte(r))
			}
			return vm.ToValue(base64.StdEncoding.EncodeToString(b))
		},
		"atob": func(call goja.FunctionCall) goja.Value {
			plain := strings.NewReplacer(" ", "", "\t", "", "\n", "", "\f", "", "\r", "").Replace(call.Argument(0).String())
			if len(plain)%4 == 0 {
				plain = strings.TrimSuffix(strings.TrimSuffix(plain, "="), "=")
			}
			b, err := base64.RawStdEncoding.DecodeString(plain)
			if err != nil {
				panic(vm.NewTypeError("atob: the text is no Base64"))
			}
			letters := make([]rune, len(b))
			for i := range b {
				letters[i] = rune(b[i])
			}
			return vm.ToValue(string(letters))
		},
	}
	for name, f := range global {
		_ = vm.GlobalObject().DefineDataProperty(name, vm.ToValue(f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
}

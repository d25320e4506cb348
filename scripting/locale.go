package scripting

import "github.com/dop251/goja"

func installLocale(vm *goja.Runtime, locale string) {}

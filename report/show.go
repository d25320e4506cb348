package report

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// shownRunes is how much of a text a message shows.
const shownRunes = 40

// Show is a value as messages to people name it: short, whatever it is, and
// without a word of the language this program is written in.
func Show(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return showText(v)
	case json.Number:
		return string(v)
	case int64, int, float64:
		return fmt.Sprint(v)
	case time.Time:
		return v.Format(time.RFC3339)
	case []any:
		return "a list of " + strconv.Itoa(len(v))
	case *Object:
		return showObject(v)
	}
	return "an object"
}

func showText(s string) string {
	n := 0
	for i := range s {
		if n++; n > shownRunes {
			s = s[:i] + "…"
			break
		}
	}
	return strconv.Quote(s)
}

// showObject names the first members of an object.
func showObject(o *Object) string {
	if o.Len() == 0 {
		return "an object"
	}
	const most = 4
	names := o.Shape().Names()
	shown := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		shown += ", …"
	}
	return "an object with " + shown
}

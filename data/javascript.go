package data

import (
	"context"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

var javascriptSource = define("javascript", "JavaScript", "A function of the other data, the parameters and the dictionary.", loadJavaScript)

type javascriptSettings struct {
	Function string `json:"function" label:"Function" editor:"code" required:"true" help:"A function that receives $data, $params, $dict and $user and returns the result."`
}

func loadJavaScript(ctx context.Context, env *Env, s javascriptSettings) (any, error) {
	res, err := env.call(ctx, "settings.function", s.Function)
	if err != nil {
		return nil, err
	}
	return res.Values[0], budget.Spend(ctx, sizeIn(res.Values[0]))
}

// sizeIn is what the lists and objects of a value take in memory, in bytes,
// about.
func sizeIn(v any) int64 {
	switch v := v.(type) {
	case []any:
		bytes := int64(16 * len(v))
		for _, item := range v {
			bytes += sizeIn(item)
		}
		return bytes
	case *report.Object:
		bytes := int64(rowSize + 16*v.Len())
		for _, member := range v.All() {
			bytes += sizeIn(member)
		}
		return bytes
	case string:
		return int64(len(v))
	}
	return 0
}
